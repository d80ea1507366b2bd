// SPDX-License-Identifier: Apache-2.0
// Small models and a recorder in memory, for the tests of simulations and outputs.
#ifndef CAROM_TEST_SIM_RIG_H
#define CAROM_TEST_SIM_RIG_H

// cmocka wants these before it
#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "carom/carom.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inline carom_text rig_text(const char *text)
{
    return (carom_text){.text = text, .place = {NULL, 0, 0}};
}

static inline void rig_ok(carom_status status, const carom_error *error)
{
    if (status != CAROM_OK) fail_msg("%s", error->message);
}

/// A model as texts; lists end with NULL.
typedef struct rig_texts {
    const char *coordinate[4][3]; ///< name, start, rate
    const char *kinetic, *potential;
    const char *force[2][2];   ///< coordinate, force
    const char *constraint[2]; ///< name, equation
    carom_contact_text contact[2];
    const char *record[2];
} rig_texts;

static inline carom_model *rig_model(const rig_texts *texts)
{
    carom_error error = {0};
    const carom_family single = {.n = 0};
    carom_builder *builder = carom_builder_new();
    carom_model *model = NULL;
    assert_non_null(builder);
    rig_ok(carom_builder_describe(builder, "rig", NULL, NULL, &error), &error);
    for (int i = 0; i < 4 && texts->coordinate[i][0]; i++)
        rig_ok(carom_builder_coordinate(builder, rig_text(texts->coordinate[i][0]), &single,
                                        rig_text(texts->coordinate[i][1]),
                                        rig_text(texts->coordinate[i][2]), &error),
               &error);
    rig_ok(carom_builder_energy(builder, CAROM_KINETIC, &single, rig_text(texts->kinetic), &error),
           &error);
    if (texts->potential)
        rig_ok(carom_builder_energy(builder, CAROM_POTENTIAL, &single, rig_text(texts->potential),
                                    &error),
               &error);
    for (int i = 0; i < 2 && texts->force[i][0]; i++) {
        const carom_force_text force = {.coordinate = rig_text(texts->force[i][0]),
                                        .n = 1,
                                        .force = {rig_text(texts->force[i][1])}};
        rig_ok(carom_builder_force(builder, &force, &error), &error);
    }
    if (texts->constraint[0])
        rig_ok(carom_builder_constraint(builder, rig_text(texts->constraint[0]), &single,
                                        rig_text(texts->constraint[1]), &error),
               &error);
    for (int i = 0; i < 2 && texts->contact[i].name.text; i++)
        rig_ok(carom_builder_contact(builder, &texts->contact[i], &error), &error);
    if (texts->record[0])
        rig_ok(carom_builder_record(builder, rig_text(texts->record[0]), &single,
                                    rig_text(texts->record[1]), &error),
               &error);
    rig_ok(carom_builder_finish(builder, &model, &error), &error);
    carom_builder_free(builder);
    return model;
}

/// A ball of 1 kg that falls from 1 m on a floor with restitution e.
static inline carom_model *rig_ball(const char *e)
{
    const rig_texts texts = {
        .coordinate = {{"x", "1", NULL}},
        .kinetic = "der(x)^2/2",
        .potential = "9.81*x",
        .contact = {{.name = rig_text("floor"), .gap = rig_text("x"), .restitution = rig_text(e)}}};
    return rig_model(&texts);
}

/// A block thrown on a rough floor: bounces, slides, sticks. Its mean height is recorded.
static inline carom_model *rig_block(void)
{
    const rig_texts texts = {.coordinate = {{"x", "0", "2"}, {"y", "0.1", "0"}},
                             .kinetic = "(der(x)^2 + der(y)^2)/2",
                             .potential = "9.81*y",
                             .contact = {{.name = rig_text("floor"),
                                          .gap = rig_text("y"),
                                          .n_slip = 1,
                                          .slip = {rig_text("x")},
                                          .restitution = rig_text("0.3"),
                                          .friction = rig_text("0.4")}},
                             .record = {"height", "y + 0.25"}};
    return rig_model(&texts);
}

/// A point on a circle of 1 m, driven by a force that depends on time.
static inline carom_model *rig_pendulum(void)
{
    const rig_texts texts = {.coordinate = {{"x", "1", "0"}, {"y", "0", "0"}},
                             .kinetic = "(der(x)^2 + der(y)^2)/2",
                             .potential = "9.81*y",
                             .force = {{"x", "0.3*sin(5*t) - 0.1*der(x)"}},
                             .constraint = {"rod", "(x^2 + y^2 - 1)/2"}};
    return rig_model(&texts);
}

/// Rows and events kept in memory.
typedef struct rig_rows {
    double *value;
    int n_column, n_row, room;
    carom_event event[4096];
    int n_event;
    int fail_at; ///< refuses the row of this number, counted from 1; 0 = none
} rig_rows;

static inline carom_status rig_take_row(void *self, const double *value, int n, carom_error *error)
{
    rig_rows *rows = self;
    if (rows->fail_at == rows->n_row + 1)
        return carom_fail(error, CAROM_IO, "no room for this row");
    if (rows->n_row == rows->room) {
        rows->room = rows->room ? 2 * rows->room : 64;
        double *more = realloc(rows->value, sizeof(double) * (size_t)(rows->room * n));
        if (!more) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
        rows->value = more;
    }
    rows->n_column = n;
    memcpy(rows->value + rows->n_row++ * n, value, sizeof(double) * (size_t)n);
    return CAROM_OK;
}

static inline carom_status rig_take_event(void *self, const carom_event *event, carom_error *error)
{
    rig_rows *rows = self;
    (void)error;
    if (rows->n_event < 4096) rows->event[rows->n_event++] = *event;
    return CAROM_OK;
}

static inline void rig_listen(carom_sim *sim, rig_rows *rows)
{
    carom_error error = {0};
    const carom_recorder recorder = {.self = rows, .row = rig_take_row, .event = rig_take_event};
    rig_ok(carom_sim_add_recorder(sim, recorder, &error), &error);
}

static inline double rig_at(const rig_rows *rows, int row, int column)
{
    return rows->value[row * rows->n_column + column];
}

static inline int rig_column(const carom_sim *sim, const char *name)
{
    for (int i = 0; i < carom_sim_n_column(sim); i++)
        if (strcmp(carom_sim_column(sim, i)->name, name) == 0) return i;
    fail_msg("no column %s", name);
    return -1;
}

static inline carom_sim *rig_sim(const carom_model *model, double step, double end, int every)
{
    carom_error error = {0};
    carom_sim *sim = NULL;
    carom_sim_options options = carom_sim_default();
    options.step = step;
    options.end = end;
    options.every = every;
    rig_ok(carom_sim_new(model, &options, &sim, &error), &error);
    return sim;
}

static inline void rig_run(carom_sim *sim)
{
    carom_error error = {0};
    rig_ok(carom_sim_run(sim, &error), &error);
}

static inline carom_audit rig_audit(carom_sim *sim)
{
    carom_error error = {0};
    carom_audit audit;
    rig_ok(carom_sim_audit(sim, &audit, NULL, &error), &error);
    return audit;
}

/// A path in the folder for temporary files that no other test uses.
static inline const char *rig_path(char *buffer, size_t room, const char *name)
{
    const char *folder = getenv("TMPDIR");
    snprintf(buffer, room, "%s/carom-%ld-%s", folder ? folder : "/tmp", (long)getpid(), name);
    return buffer;
}

#endif
