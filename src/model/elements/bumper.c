// SPDX-License-Identifier: Apache-2.0
// Bumper: a spring that only pushes.   F = max(0, k (l0 - l) - c l') where l < l0
#include "model/bodies/fitting.h"

static carom_status weave(carom_fitting *f)
{
    static const char *const acts[] = {"stiffness", "damping"};
    CAROM_TRY(carom_fitting_acts(f, acts, 2));
    carom_graph *g = f->g;
    carom_ref k, c, length = carom_fitting_length(f);
    carom_ref slack = carom_bodies_at_start(f->making, length);
    if (carom_fitting_word(f, "length"))
        CAROM_TRY(carom_fitting_constant(f, "length", NULL, &slack));
    CAROM_TRY(carom_fitting_constant(f, "stiffness", "0", &k));
    CAROM_TRY(carom_fitting_constant(f, "damping", "0", &c));
    const carom_ref zero = carom_graph_number(g, 0);
    const carom_ref depth = carom_graph_sub(g, slack, length);
    const carom_ref damped = carom_graph_mul(g, c, carom_graph_rate(g, length));
    const carom_ref push = carom_graph_sub(g, carom_graph_mul(g, k, depth), damped);
    const carom_ref one_sided = carom_graph_make(g, CAROM_OP_MAX, zero, push, -1);
    const carom_ref is_in = carom_graph_make(g, CAROM_OP_LT, zero, depth, -1);
    return carom_bodies_push(f->making, carom_graph_make(g, CAROM_OP_IF, is_in, one_sided, zero),
                             length);
}

static const carom_word_facts word[] = {
    CAROM_WORDS_OF_POINTS,
    {"stiffness", "stiffness: 100", "[N/m]"},
    {"length", "length: 0.1", "where it is slack; absent: that of the start"},
    {"damping", "damping: 1", "[N s/m]"},
    {0},
};
const carom_element_kind carom_element_kind_bumper = {
    .facts = {"bumper", "a spring that only pushes",
              "bumper: [ground, arm], from: [0, 0], to: arm.end, stiffness: 1e4, length: 0.1",
              word},
    .n_to = 2,
    .fits = CAROM_FITS_BODIES,
    .needs_points = true,
    .weave = weave,
    .space = weave,
    .sketch = CAROM_SKETCH_SPRING,
};
