// SPDX-License-Identifier: Apache-2.0
// Slots without a contact: a gap of +infinity is an answer like others, takes nothing from the look
// at the rest; the mass is factorised all the same.
#include "model/model_rig.h"

enum { N_SLOT = 100 };

typedef struct hall {
    double floor, ceiling, force; // what the functions answer
} hall;

static int mass(void *user, double t, const double *q, double *M)
{
    (void)user, (void)t, (void)q;
    M[0] = 2;
    return 0;
}

static int force(void *user, double t, const double *q, const double *u, double *f)
{
    (void)t, (void)q, (void)u;
    f[0] = ((const hall *)user)->force;
    return 0;
}

static int gaps(void *user, double t, const double *q, double *constraint, double *gap)
{
    (void)t, (void)constraint;
    const hall *h = user;
    for (int c = 0; c < N_SLOT; c++) gap[c] = INFINITY;
    gap[0] = q[0] + h->floor;
    gap[N_SLOT - 1] = h->ceiling;
    return 0;
}

static int rows(void *user, double t, const double *q, const carom_row_lists *lists)
{
    (void)user, (void)t, (void)q;
    lists->index[0] = 0;
    lists->W[0] = 1;
    for (int c = 0; c < N_SLOT; c++) lists->start[c + 1] = 1;
    lists->start[0] = 0;
    memset(lists->w0, 0, sizeof(double) * N_SLOT);
    return 0;
}

static carom_model *hall_model(hall *user)
{
    static carom_contact_facts contact[N_SLOT];
    const double q0 = 1, u0 = 0;
    const carom_callbacks given = {.user = user,
                                   .n = 1,
                                   .n_contact = N_SLOT,
                                   .contact = contact,
                                   .q0 = &q0,
                                   .u0 = &u0,
                                   .mass_is_constant = true,
                                   .mass = mass,
                                   .forces = force,
                                   .gaps = gaps,
                                   .sparse_rows = rows,
                                   .max_entries = 1};
    carom_error error = {0};
    carom_model *model;
    must(carom_model_from_callbacks(&given, &model, &error), &error);
    return model;
}

static void what_is_not_finite_is_found_beside_empty_slots(void **state)
{
    (void)state;
    const struct {
        hall answers;
        carom_status expected;
        const char *named;
    } look[] = {{{0, INFINITY, -9.81}, CAROM_OK, ""},
                {{0, 3, -9.81}, CAROM_OK, ""},
                {{0, -INFINITY, -9.81}, CAROM_NOT_FINITE, "contact100"},
                {{0, NAN, -9.81}, CAROM_NOT_FINITE, "contact100"},
                {{-INFINITY, INFINITY, -9.81}, CAROM_NOT_FINITE, "contact1 "},
                {{NAN, 3, -9.81}, CAROM_NOT_FINITE, "contact1 "},
                {{0, INFINITY, NAN}, CAROM_NOT_FINITE, "the force on q1"},
                {{0, INFINITY, INFINITY}, CAROM_NOT_FINITE, "the force on q1"}};
    const unsigned mask[] = {CAROM_MASS | CAROM_FORCES | CAROM_GAPS | CAROM_ROWS};
    hall user = look[0].answers;
    carom_model *model = hall_model(&user);
    for (size_t k = 0; k < sizeof look / sizeof *look; k++) {
        carom_error error = {0};
        carom_plan *plan;
        user = look[k].answers;
        must(carom_plan_new(model, mask, 1, &plan, &error), &error);
        carom_eval *eval = carom_plan_eval(plan);
        const double q = 1, u = 0;
        const carom_point at = {.q = &q, .u = &u};
        assert_int_equal(carom_model_eval(plan, &at, mask[0], eval, &error), look[k].expected);
        assert_non_null(strstr(error.message, look[k].named));
        double x = 4;
        if (look[k].expected == CAROM_OK) carom_mass_solve(eval->mass, &x);
        if (look[k].expected == CAROM_OK) assert_true(fabs(x - 2) < 1e-15);
        carom_plan_free(plan);
    }
    carom_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_finite_is_found_beside_empty_slots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
