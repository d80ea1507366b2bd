// SPDX-License-Identifier: Apache-2.0
// Bushing: springs along the axes of body 1 and of the angle.   V = 1/2 sum of k_i e_i^2,
// e = (x1.d, y1.d, angle)
#include "model/bodies/fitting.h"

static carom_status weave_strains(carom_fitting *f, const carom_ref *e, int n)
{
    const carom_word_text *stiffness = carom_fitting_word(f, "stiffness");
    const carom_word_text *damping = carom_fitting_word(f, "damping");
    if (!stiffness || stiffness->n != n || (damping && damping->n != n))
        return carom_fail_at(f->making->error, f->text->place, CAROM_BAD_INPUT,
                             "a bushing has %d stiffnesses %s, and as many dampings", n,
                             n == 3 ? "in the plane" : "in space");
    for (int i = 0; i < n; i++) {
        carom_ref k, c;
        CAROM_TRY(carom_bodies_constant(f->making, stiffness->value[i], "a stiffness", &k));
        CAROM_TRY(carom_fitting_potential(f, k, e[i]));
        if (!damping) continue;
        CAROM_TRY(carom_bodies_constant(f->making, damping->value[i], "a damping", &c));
        const carom_ref push = carom_graph_mul(f->g, c, carom_graph_rate(f->g, e[i]));
        CAROM_TRY(
            carom_bodies_push(f->making, carom_graph_make(f->g, CAROM_OP_NEG, push, -1, -1), e[i]));
    }
    return CAROM_OK;
}

static carom_status weave(carom_fitting *f)
{
    const carom_ref e[3] = {carom_weave_dot(f->g, f->x[0], f->d),
                            carom_weave_dot(f->g, f->y[0], f->d), f->turned};
    return weave_strains(f, e, 3);
}

// half of a.b - b.a of the axes: the sine of a small turn
static carom_ref skew(carom_fitting *f, const carom_vec a[2], const carom_vec b[2])
{
    const carom_ref twice =
        carom_graph_sub(f->g, carom_weave_dot(f->g, a[0], b[1]), carom_weave_dot(f->g, b[0], a[1]));
    return carom_graph_mul(f->g, carom_graph_number(f->g, 0.5), twice);
}

static carom_status weave_space(carom_fitting *f)
{
    const carom_ref e[6] = {carom_weave_dot(f->g, f->x[0], f->d),
                            carom_weave_dot(f->g, f->y[0], f->d),
                            carom_weave_dot(f->g, f->z[0], f->d),
                            skew(f, f->z, f->y),
                            skew(f, f->x, f->z),
                            skew(f, f->y, f->x)};
    return weave_strains(f, e, 6);
}

static const carom_word_facts word[] = {
    CAROM_WORDS_OF_POINTS,
    {"axis", "axis: [1, 0]", "of the first stiffness"},
    {"stiffness", "stiffness: [1e5, 1e5, 100]", "along x1, along y1, of the angle"},
    {"damping", "damping: [10, 10, 1]", "likewise"},
    {0},
};
const carom_element_kind carom_element_kind_bushing = {
    .facts = {"bushing", "holds two bodies softly at a point",
              "bushing: [ground, engine], at: [0, 0], stiffness: [1e5, 1e5, 100]", word},
    .n_to = 2,
    .fits = CAROM_FITS_BODIES,
    .needs_points = true,
    .weave = weave,
    .space = weave_space,
};
