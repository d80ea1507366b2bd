// SPDX-License-Identifier: Apache-2.0
// What a run must not pass over in silence: closed contacts that lie in one place, contacts that
// close where their direction vanishes, and contact problems with several answers.
#include "battery/battery_rig.h"

static const char coincident[] =
    "carom: 1\ncoordinates: {y: {start: 0.2, rate: -1}}\nkinetic: der(y)^2/2\n"
    "potential: 9.81*y\nforces: [{coordinate: y, force: -0.9*der(y)}]\n"
    "contacts:\n"
    "  - {name: soft, gap: y, restitution: 0}\n"
    "  - {name: hard, gap: y, restitution: 1}\n";
static const char three_and_moving[] =
    "carom: 1\ncoordinates: {y: {start: 0.2, rate: -1}}\nkinetic: der(y)^2/2\n"
    "potential: 9.81*y\nforces: [{coordinate: y, force: -0.9*der(y)}]\n"
    "contacts:\n"
    "  - {name: soft, gap: y - 0.01*sin(3*t), restitution: 0}\n"
    "  - {name: middle, gap: 3*(y - 0.01*sin(3*t)), restitution: 0.5}\n"
    "  - {name: hard, gap: y - 0.01*sin(3*t), restitution: 1}\n";

static double rate_at_end(const carom_model *model, const char *scheme, double step)
{
    carom_error error = {0};
    carom_sim *sim;
    carom_sim_options options = carom_sim_default();
    options.scheme = scheme;
    options.step = step;
    options.tolerance = step > 0 ? 0 : 1e-10;
    options.end = 0.2;
    must(carom_sim_new(model, &options, &sim, &error), &error);
    must(carom_sim_run(sim, &error), &error);
    assert_int_equal(carom_sim_counts(sim).unconverged, 0);
    const double rate = carom_sim_state(sim)->u[0];
    carom_sim_free(sim);
    return rate;
}

// 200 step sizes: where the ball meets the floor inside a step is a matter of chance
static void the_harder_of_coincident_contacts_decides(void **unused)
{
    (void)unused;
    static const char *const text[] = {coincident, three_and_moving};
    for (int m = 0; m < 2; m++) {
        carom_model *model = model_from_text(text[m]);
        const double exact = rate_at_end(model, "event_driven", 0);
        if (m == 0) assert_true(fabs(exact - 1.2783065) < 1e-6);
        for (int k = 0; k < 200; k++) {
            const double h = 5e-4 * pow(10, -k / 160.);
            const double off = rate_at_end(model, "nonsmooth_gen_alpha", h) - exact;
            if (!(fabs(off) <= 50 * h)) fail_msg("model %d, step %g: off by %g", m, h, off);
        }
        carom_model_free(model);
    }
}

// on position level the softer one would: rebound 0, with a residual of 0
static void position_level_refuses_coincident_contacts(void **unused)
{
    (void)unused;
    static const char apart[] = "carom: 1\ncoordinates: {y: {start: 0.2}, z: {start: 0.2}}\n"
                                "kinetic: (der(y)^2 + der(z)^2)/2\npotential: 9.81*(y + z)\n"
                                "contacts:\n  - {name: soft, gap: y, restitution: 0}\n"
                                "  - {name: other, gap: z, restitution: 1}\n"
                                "  - {name: above, gap: y + 1e-3, restitution: 1}\n"
                                "  - {name: lift, gap: y - 0.2*sin(t), restitution: 1}\n"
                                "  - {name: ceiling, gap: 0.4 - y, restitution: 1}\n";
    const char *const text[] = {coincident, three_and_moving, apart};
    for (int m = 0; m < 3; m++) {
        carom_error error = {0};
        carom_sim *sim = NULL;
        carom_sim_options options = carom_sim_default();
        carom_model *model = model_from_text(text[m]);
        options.scheme = "schatzman_paoli";
        options.step = 1e-4;
        options.end = 1e-3;
        const carom_status status = carom_sim_new(model, &options, &sim, &error);
        assert_int_equal(status, m < 2 ? CAROM_BAD_INPUT : CAROM_OK);
        if (m < 2) assert_non_null(strstr(error.message, "contacts 'soft' and '"));
        if (m < 2) assert_non_null(strstr(error.message, "lie in one place"));
        carom_sim_free(sim);
        carom_model_free(model);
    }
}

// a ball that falls on two floors in one place, but whose scheme knows the softer one only
static carom_status stop_softly(carom_step *s, const carom_state *now, carom_state *next)
{
    next->u[0] = now->u[0] - 9.81 * s->h;
    next->q[0] = now->q[0] + s->h * next->u[0];
    memset(next->is_active, 0, 2);
    next->P[0] = next->P[1] = 0;
    if (next->q[0] > 0) return CAROM_OK;
    next->is_active[0] = 1;
    next->P[0] = -next->u[0];
    s->report.rate_before[0] = now->u[0];
    next->q[0] = next->u[0] = 0;
    return CAROM_OK;
}
static const carom_scheme half_blind = {
    .name = "half_blind", .has_contact = true, .level = "both", .step = stop_softly};

static void a_closed_contact_that_the_scheme_left_out_is_judged(void **unused)
{
    (void)unused;
    for (int side = 0; side < 2; side++) {
        carom_error error = {0};
        char text[512];
        snprintf(text, sizeof text,
                 "carom: 1\ncoordinates: {y: {start: 0.2, rate: -1}}\nkinetic: der(y)^2/2\n"
                 "contacts:\n  - {name: soft, gap: y}\n  - {name: hard, gap: y, restitution: %d}\n",
                 side);
        carom_model *model = model_from_text(text);
        carom_sim *sim;
        carom_sim_options options = carom_sim_default();
        carom_audit audit;
        options.own_scheme = &half_blind;
        options.step = 1e-3;
        options.end = 0.3;
        must(carom_sim_new(model, &options, &sim, &error), &error);
        must(carom_sim_run(sim, &error), &error);
        must(carom_sim_audit(sim, &audit, NULL, &error), &error);
        assert_int_equal(carom_sim_counts(sim).unconverged, side);
        assert_true(side ? fabs(audit.residual - 1) < 1e-6 : audit.residual == 0);
        carom_sim_free(sim);
        carom_model_free(model);
    }
}

// runs to the end, or to the error; the contact is named
static bool is_refused(const carom_model *model, const char *scheme, double step, double tolerance)
{
    carom_error error = {0};
    carom_sim *sim;
    carom_sim_options options = carom_sim_default();
    options.scheme = scheme;
    options.step = step;
    options.tolerance = tolerance;
    options.end = 4;
    must(carom_sim_new(model, &options, &sim, &error), &error);
    const carom_status status = carom_sim_run(sim, &error);
    carom_sim_free(sim);
    if (status == CAROM_OK) return false;
    assert_non_null(strstr(error.message, "contact 'wall' closes at t = "));
    assert_non_null(strstr(error.message, "all derivatives of its gap are 0"));
    return true;
}

// x passes 0 in the gap x^2, alone and beside a contact that rests; one with clearance may pass
static void no_scheme_passes_a_contact_without_direction(void **unused)
{
    (void)unused;
    static const char *const gap[] = {"x^2", "x^2*(1 + x/10)", "1 - cos(x)", "x^2 + 1e-9"};
    for (int g = 0; g < 4; g++)
        for (int rests = 0; rests < 2; rests++) {
            char text[512];
            snprintf(text, sizeof text,
                     "carom: 1\ncoordinates: {x: {start: 1, rate: -0.3}, y: {start: 0}}\n"
                     "kinetic: (der(x)^2 + der(y)^2)/2\npotential: 9.81*y\ncontacts:\n"
                     "  - {name: wall, gap: %s, restitution: 0.5}\n%s",
                     gap[g], rests ? "  - {name: floor, gap: y}\n" : "");
            carom_model *model = model_from_text(text);
            for (int i = 0; i < carom_scheme_count(); i++) {
                const carom_scheme *scheme = carom_scheme_at(i);
                if (reason_to_refuse(scheme, model)) continue;
                const bool finds = scheme->finds_events;
                for (int k = 0; k < (finds ? 3 : 12); k++) {
                    const double h = finds ? 0 : 0.05 * pow(0.77, k);
                    const bool is =
                        is_refused(model, scheme->name, h, finds ? pow(10, -4 - 2 * k) : 0);
                    if (is != (g < 3)) fail_msg("%s, %s, step %g", gap[g], scheme->name, h);
                }
            }
            carom_model_free(model);
        }
}

// the same beside a contact that starts a little deep and leaves: such steps may be quiet
static void nor_beside_a_contact_that_leaves(void **unused)
{
    (void)unused;
    static const char *const scheme[] = {"moreau_midpoint", "moreau_jean_explicit", "moreau_jean",
                                         "tdg_velocity"};
    carom_model *model = model_from_text(
        "carom: 1\ncoordinates: {x: {start: 1, rate: -0.3}, z: {start: -5e-4, rate: 1e-4}}\n"
        "kinetic: (der(x)^2 + der(z)^2)/2\ncontacts:\n"
        "  - {name: wall, gap: x^2, restitution: 0.5}\n  - {name: floor, gap: z}\n");
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 12; k++)
            if (!is_refused(model, scheme[i], 0.05 * pow(0.77, k), 0))
                fail_msg("%s, step %g", scheme[i], 0.05 * pow(0.77, k));
    carom_model_free(model);
}

static void a_contact_that_starts_closed_needs_a_direction(void **unused)
{
    (void)unused;
    carom_error error = {0};
    carom_model *model = model_from_text("carom: 1\ncoordinates: {x: {start: 0, rate: 1}}\n"
                                         "kinetic: der(x)^2/2\n"
                                         "contacts: [{name: wall, gap: x^2}]\n");
    carom_sim *sim;
    carom_sim_options options = carom_sim_default();
    options.scheme = "moreau_midpoint";
    options.step = 1e-3;
    options.end = 1;
    assert_int_equal(carom_sim_new(model, &options, &sim, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "contact 'wall' closes at t = 0"));
    carom_model_free(model);
}

static carom_model *wedge(const char *mu, const char *rate, const char *force)
{
    char text[768];
    snprintf(text, sizeof text,
             "carom: 1\nparameters: {mu: %s, al: deg(20)}\n"
             "coordinates: {x: {start: 0}, y: {start: 0, rate: %s}}\n"
             "kinetic: (der(x)^2 + der(y)^2)/2\n"
             "forces: [{coordinate: y, force: '%s'}]\ncontacts:\n"
             "  - {name: left, gap: 'x*cos(al) + y*sin(al)', slip: 'y*cos(al) - x*sin(al)', "
             "friction: mu}\n"
             "  - {name: right, gap: 'y*sin(al) - x*cos(al)', slip: 'x*sin(al) + y*cos(al)', "
             "friction: mu}\n",
             mu, rate, force);
    return model_from_text(text);
}

static carom_counts counts_of(const carom_model *model, const char *scheme)
{
    carom_error error = {0};
    carom_sim *sim;
    carom_sim_options options = carom_sim_default();
    options.scheme = scheme;
    options.step = 1e-3;
    options.end = 0.1;
    must(carom_sim_new(model, &options, &sim, &error), &error);
    must(carom_sim_run(sim, &error), &error);
    const carom_counts counts = carom_sim_counts(sim);
    carom_sim_free(sim);
    return counts;
}

// pulled out of a wedge whose sides hold: it comes, or it does not
static void steps_with_several_answers_are_counted(void **unused)
{
    (void)unused;
    static const char *const scheme[] = {"moreau_midpoint", "moreau_jean", "tdg_velocity"};
    for (int side = 0; side < 2; side++) {
        carom_model *model = wedge(side ? "0.6" : "0.2", "-0.1", "if(t > 0.05, 30, -10)");
        for (int i = 0; i < 3; i++) {
            const carom_counts counts = counts_of(model, scheme[i]);
            assert_int_equal(counts.unconverged, 0);
            assert_int_equal(counts.ambiguous > 0, side);
        }
        carom_model_free(model);
    }
}

// it hovers in the wedge until it is pulled out, in a step that has no impulse and ends open
static void also_where_nothing_was_pushed(void **unused)
{
    (void)unused;
    for (int k = 0; k < 10; k++) {
        char force[40];
        snprintf(force, sizeof force, "if(t > %g, 30, 0)", 0.05 + 1e-3 * k);
        carom_model *model = wedge("0.6", "0", force);
        assert_int_equal(counts_of(model, "moreau_midpoint").ambiguous, 1);
        carom_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_harder_of_coincident_contacts_decides),
        cmocka_unit_test(position_level_refuses_coincident_contacts),
        cmocka_unit_test(a_closed_contact_that_the_scheme_left_out_is_judged),
        cmocka_unit_test(no_scheme_passes_a_contact_without_direction),
        cmocka_unit_test(nor_beside_a_contact_that_leaves),
        cmocka_unit_test(a_contact_that_starts_closed_needs_a_direction),
        cmocka_unit_test(steps_with_several_answers_are_counted),
        cmocka_unit_test(also_where_nothing_was_pushed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
