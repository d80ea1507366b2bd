// SPDX-License-Identifier: Apache-2.0
// Spring: along the line between two points.   F = k (l - l0) + c l' + force, pulling
// The part of k is a potential, so that the energy balance knows it.
#include "model/bodies/fitting.h"

static carom_status weave(carom_fitting *f)
{
    static const char *const acts[] = {"stiffness", "damping", "force"};
    CAROM_TRY(carom_fitting_acts(f, acts, 3));
    carom_ref k, c, length = carom_fitting_length(f);
    carom_ref slack = carom_bodies_at_start(f->making, length);
    if (carom_fitting_word(f, "length"))
        CAROM_TRY(carom_fitting_constant(f, "length", NULL, &slack));
    CAROM_TRY(carom_fitting_constant(f, "stiffness", "0", &k));
    CAROM_TRY(carom_fitting_constant(f, "damping", "0", &c));
    carom_ref pull;
    CAROM_TRY(carom_fitting_expression(f, "force", "0", &pull));
    const carom_ref stretch = carom_graph_sub(f->g, length, slack);
    CAROM_TRY(carom_fitting_potential(f, k, stretch));
    pull = carom_graph_add(f->g, pull, carom_graph_mul(f->g, c, carom_graph_rate(f->g, length)));
    return carom_bodies_push(f->making, carom_graph_make(f->g, CAROM_OP_NEG, pull, -1, -1), length);
}

static const carom_word_facts word[] = {
    CAROM_WORDS_OF_POINTS,
    {"stiffness", "stiffness: 100", "[N/m]"},
    {"length", "length: 0.1", "where it is slack; absent: that of the start"},
    {"damping", "damping: 1", "[N s/m]"},
    {"force", "force: 3", "added, positive where it pulls"},
    {0},
};
const carom_element_kind carom_element_kind_spring = {
    .facts = {"spring", "pulls along the line between two points",
              "spring: [ground, arm], from: [0, 0], to: arm.end, stiffness: 100", word},
    .n_to = 2,
    .fits = CAROM_FITS_BODIES,
    .needs_points = true,
    .weave = weave,
    .space = weave,
    .sketch = CAROM_SKETCH_SPRING,
};
