// SPDX-License-Identifier: Apache-2.0
// Models as texts for tests of forces of given strength, and the schemes that carry them.
#ifndef TEST_PHYSICS_GIVEN_RIG_H
#define TEST_PHYSICS_GIVEN_RIG_H

#include "physics/rig.h"

enum { N_STEPPER = 11 };
static const char *const stepper[N_STEPPER] = {"moreau_midpoint",
                                               "moreau_jean_explicit",
                                               "moreau_jean",
                                               "moreau_direct_projection",
                                               "moreau_combined_projection",
                                               "tdg_velocity_explicit",
                                               "tdg_velocity",
                                               "tdg_newmark",
                                               "tdg_velocity_adaptive",
                                               "variational",
                                               "nonsmooth_gen_alpha"};

/// Makes the simulation of a text; event_driven takes its own steps of at most `step`.
static inline void given_open(rig *r, const char *text, const rig_plan *plan)
{
    const carom_access access = {.parts = CAROM_SOURCE_DIR "/parts"};
    memset(r, 0, sizeof *r);
    rig_must(r, carom_modelfile_read_text_with(text, strlen(text), "text", &access, &r->file,
                                               &r->error));
    rig_build(r, plan);
}

/// The status and message of what cannot be made or simulated.
static inline carom_status given_refused(rig *r, const char *text, const char *scheme)
{
    carom_sim_options options = carom_sim_default();
    memset(r, 0, sizeof *r);
    rig_must(r, carom_modelfile_read_text(text, strlen(text), "text", &r->file, &r->error));
    carom_status status =
        carom_builder_finish(carom_modelfile_builder(r->file), &r->model, &r->error);
    options.scheme = scheme;
    options.step = 1e-3;
    options.end = 1;
    if (status == CAROM_OK) status = carom_sim_new(r->model, &options, &r->sim, &r->error);
    return status;
}

static inline double given_t(const rig *r)
{
    return rig_state(r)->t;
}

/// The largest distance of the first coordinate from a closed form over the run.
static inline double given_distance(const char *text, const char *scheme, double h, double end,
                                    double (*closed_form)(double t))
{
    rig r;
    double far = 0;
    given_open(&r, text, &(rig_plan){.scheme = scheme, .step = h, .end = end});
    while (given_t(&r) < end - 0.5 * h) {
        rig_step(&r, 1);
        far = fmax(far, fabs(rig_state(&r)->q[0] - closed_form(given_t(&r))));
    }
    assert_int_equal(carom_sim_counts(r.sim).unconverged, 0);
    rig_close(&r);
    return far;
}

#endif
