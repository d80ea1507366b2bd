// SPDX-License-Identifier: Apache-2.0
// Impact laws: a scheme refuses a contact whose law it does not take, by name, when the simulation
// is made; one law stands behind all places that need it.
#include "model/model_rig.h"

#include "dynamics/law.h"

enum { OWN_LAW = 7 };

static int unit_mass(void *user, double t, const double *q, double *M)
{
    (void)user, (void)t, (void)q;
    M[0] = 1;
    return 0;
}

static int weight(void *user, double t, const double *q, const double *u, double *f)
{
    (void)user, (void)t, (void)q, (void)u;
    f[0] = -9.81;
    return 0;
}

static int height(void *user, double t, const double *q, double *constraint, double *gap)
{
    (void)user, (void)t, (void)constraint;
    gap[0] = q[0];
    gap[1] = 9 - q[0];
    return 0;
}

static int normals(void *user, double t, const double *q, double *W, double *w0)
{
    (void)user, (void)t, (void)q;
    W[0] = 1;
    W[1] = -1;
    w0[0] = w0[1] = 0;
    return 0;
}

// a ball between a floor and a ceiling, which has the law given
static carom_status ball_of(int law, carom_model **model, carom_error *error)
{
    const carom_contact_facts contact[2] = {{.name = "floor", .e = 0.5},
                                            {.name = "ceiling", .e = 0.5, .law = law}};
    const double q0 = 1, u0 = 0;
    const carom_callbacks given = {.n = 1,
                                   .n_contact = 2,
                                   .contact = contact,
                                   .q0 = &q0,
                                   .u0 = &u0,
                                   .mass = unit_mass,
                                   .forces = weight,
                                   .gaps = height,
                                   .rows = normals};
    return carom_model_from_callbacks(&given, model, error);
}

static carom_status simulate(const carom_model *model, const char *scheme, const carom_scheme *own,
                             carom_error *error)
{
    carom_sim_options options = carom_sim_default();
    carom_sim *sim = NULL;
    options.scheme = scheme;
    options.own_scheme = own;
    options.step = 1e-3;
    options.end = 1;
    *error = (carom_error){0};
    const carom_status status = carom_sim_new(model, &options, &sim, error);
    assert_int_equal(status == CAROM_OK, sim != NULL);
    carom_sim_free(sim);
    return status;
}

static void schemes_refuse_a_law_that_they_do_not_take_by_name(void **state)
{
    (void)state;
    carom_model *model;
    carom_error error = {0};
    must(ball_of(OWN_LAW, &model, &error), &error);
    for (int i = 0; i < carom_scheme_count(); i++) {
        const carom_scheme *scheme = carom_scheme_at(i);
        if (!scheme->has_contact || strcmp(scheme->name, "variational") == 0) continue;
        char expected[200];
        snprintf(expected, sizeof expected,
                 "scheme %s takes no impact law %d at contact 'ceiling' (schemes that do: none)",
                 scheme->name, OWN_LAW);
        assert_int_equal(simulate(model, scheme->name, NULL, &error), CAROM_BAD_INPUT);
        assert_string_equal(error.message, expected);
    }
    carom_model_free(model);
}

static carom_status stand_still(carom_step *s, const carom_state *now, carom_state *next)
{
    (void)s, (void)now, (void)next;
    return CAROM_OK;
}

static void a_scheme_takes_the_laws_that_it_declares_and_no_other(void **state)
{
    (void)state;
    carom_model *newton, *own;
    carom_error error = {0};
    carom_scheme scheme = {.name = "mine", .has_contact = true, .step = stand_still};
    must(ball_of(CAROM_LAW_NEWTON, &newton, &error), &error);
    must(ball_of(OWN_LAW, &own, &error), &error);
    must(simulate(newton, NULL, &scheme, &error), &error); // Newton's where nothing is declared
    assert_int_equal(simulate(own, NULL, &scheme, &error), CAROM_BAD_INPUT);

    scheme.takes.laws = 1u << OWN_LAW | 1u << CAROM_LAW_NEWTON;
    must(simulate(newton, NULL, &scheme, &error), &error);
    must(simulate(own, NULL, &scheme, &error), &error);

    scheme.takes.laws = 1u << OWN_LAW;
    assert_int_equal(simulate(own, NULL, &scheme, &error), CAROM_BAD_INPUT);
    const char *expected = "scheme mine takes no impact law newton at contact 'floor' (schemes "
                           "that do: moreau_midpoint, ";
    if (strncmp(error.message, expected, strlen(expected)) != 0) fail_msg("%s", error.message);
    carom_model_free(newton);
    carom_model_free(own);
}

static void a_law_that_has_no_number_is_refused_with_its_model(void **state)
{
    (void)state;
    const int wrong[] = {-1, CAROM_LAW_ROOM};
    for (int i = 0; i < 2; i++) {
        carom_model *model;
        carom_error error = {0};
        assert_int_equal(ball_of(wrong[i], &model, &error), CAROM_BAD_INPUT);
        assert_non_null(strstr(error.message, "a law 0..31"));
        assert_null(model);
    }
}

static void newtons_law_aims_at_the_rate_before_thrown_back(void **state)
{
    (void)state;
    const carom_contact_facts facts = {.n_slip = 2, .e = 0.75, .e_t = 0.25};
    assert_true(carom_law_factor(&facts, 0) == 0.75);
    assert_true(carom_law_factor(&facts, 1) == 0.25 && carom_law_factor(&facts, 2) == 0.25);
    assert_true(carom_law_aim(0.75, -4) == 3 && carom_law_aim(0.25, 8) == -2);
    assert_true(carom_law_excess(0.75, -4, 3) == 0 && carom_law_excess(0.75, -4, 5) == 2);
    assert_true(carom_law_rate(0.75, -4, 2) == 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schemes_refuse_a_law_that_they_do_not_take_by_name),
        cmocka_unit_test(a_scheme_takes_the_laws_that_it_declares_and_no_other),
        cmocka_unit_test(a_law_that_has_no_number_is_refused_with_its_model),
        cmocka_unit_test(newtons_law_aims_at_the_rate_before_thrown_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
