// SPDX-License-Identifier: Apache-2.0
// A model from a text under an adaptive scheme, run to its end.
#ifndef CAROM_TEST_ADAPTIVE_RIG_H
#define CAROM_TEST_ADAPTIVE_RIG_H

#include "model/model_rig.h"

#include <math.h>

typedef struct adaptive {
    const char *scheme;
    double tolerance, end, step; // step 0 = none, -1 = auto
} adaptive;

typedef struct ride {
    carom_model *model;
    carom_sim *sim;
    carom_error error;
} ride;

static inline void mount(ride *r, adaptive a, const char *text)
{
    carom_modelfile *file;
    memset(r, 0, sizeof *r);
    must(carom_modelfile_read_text(text, strlen(text), "text", &file, &r->error), &r->error);
    r->model = finish_file(file);
    carom_sim_options options = carom_sim_default();
    options.scheme = a.scheme;
    options.tolerance = a.tolerance;
    options.end = a.end;
    options.step = fmax(a.step, 0);
    options.is_auto_step = a.step < 0;
    must(carom_sim_new(r->model, &options, &r->sim, &r->error), &r->error);
}

static inline void dismount(ride *r)
{
    carom_sim_free(r->sim);
    carom_model_free(r->model);
}

// to the end; q[0] there
static inline double go_to_end(ride *r, adaptive a, const char *text)
{
    mount(r, a, text);
    must(carom_sim_run(r->sim, &r->error), &r->error);
    return carom_sim_state(r->sim)->q[0];
}

static inline void is_near(const char *what, double value, double wanted, double tolerance)
{
    if (!(fabs(value - wanted) <= tolerance))
        fail_msg("%s: %.17g is not %.17g within %g (off by %g)", what, value, wanted, tolerance,
                 value - wanted);
}

#endif
