// SPDX-License-Identifier: Apache-2.0
// Cases that break careless code, for every scheme: undefined rows of an open contact, everything
// at rest, redundant contacts, constraints that move, stiff springs, the ends of theta's range.
#include "battery/battery_rig.h"

// at the centre the direction to the ring is 0/0, but the contact is open
static void a_mass_starts_at_the_centre_of_the_ring(void **state)
{
    (void)state;
    carom_model *model =
        changed_model("pendulum-in-ring", CHANGES("start x=0", "start y=0", "e=0.5"));
    for (int k = 0; k < carom_scheme_count(); k++) {
        carom_sim *sim = accepted_sim(model, carom_scheme_at(k), 1e-3, 2);
        if (!sim) continue;
        run_to_end(sim);
        // it rests at the bottom; the last bounces and one step's penetration are of order g h
        near(carom_scheme_at(k)->name, carom_sim_state(sim)->q[1], -1, 9.81e-3);
        carom_sim_free(sim);
    }
    carom_model_free(model);
}

// no velocity gives no scale: iterations must still see that they have converged
static void what_rests_stays_at_rest(void **state)
{
    (void)state;
    carom_model *const models[] = {
        changed_model("block-on-incline", CHANGES("mu=0.6")),
        changed_model("rocking-block", CHANGES("start z=height/2", "start th=0")),
        changed_model("rocking-block", CHANGES("start z=height/2", "start th=0", "mu=0.3")),
        changed_model("bouncing-ball", CHANGES("height=0", "e=0"))};
    for (int m = 0; m < 4; m++) {
        for (int k = 0; k < carom_scheme_count(); k++) {
            carom_sim *sim = accepted_sim(models[m], carom_scheme_at(k), 1e-3, 0.3);
            if (!sim) continue;
            run_to_end(sim);
            // explicit force schemes may sink by g h per step; none may move on its own
            const int n = carom_model_sizes(models[m]).nq;
            for (int i = 0; i < n; i++)
                near(carom_scheme_at(k)->name, carom_sim_state(sim)->u[i], 0, 9.81e-3);
            carom_sim_free(sim);
        }
        carom_model_free(models[m]);
    }
}

// all four corners closed: G has rank 2 without friction, and the slider moves as one on its line
static void redundant_contacts_are_solved_in_every_step(void **state)
{
    (void)state;
    for (int smooth = 0; smooth < 2; smooth++) {
        carom_model *model =
            changed_model("slider-crank", CHANGES("c=0", smooth ? "mu=0" : "mu=0.01"));
        carom_model *guided = shipped_model("slider-crank-bilateral", NULL, NULL);
        carom_sim *exact = sim_of(guided, "moreau_midpoint", 1e-5, 0.004);
        run_to_end(exact);
        for (int k = 0; k < carom_scheme_count(); k++) {
            carom_sim *sim = accepted_sim(model, carom_scheme_at(k), 1e-5, 0.004);
            if (!sim) continue;
            run_to_end(sim);
            // friction 0.01 takes about 1 % of the push; without it only errors of order h = 1e-5
            // times 150/s remain
            near(carom_scheme_at(k)->name, carom_sim_state(sim)->q[0], carom_sim_state(exact)->q[0],
                 smooth ? 3e-3 : 5e-3);
            carom_sim_free(sim);
        }
        carom_sim_free(exact);
        carom_model_free(guided);
        carom_model_free(model);
    }
}

// x = 0.1 sin 5 t leaves nothing free: the work of the constraint is the change
// of the kinetic energy
static void the_work_of_a_moving_constraint_is_in_the_balance(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "carom: 1\ncoordinates: {x: {start: 0, rate: 0.5}}\nkinetic: der(x)^2/2\n"
        "constraints:\n  - {name: drive, equation: x - 0.1*sin(5*t)}\n",
        "carom: 1\ncoordinates: {x: {start: 0, rate: 0.5}, y: {start: -1}}\nkinetic: (der(x)^2 + "
        "der(y)^2)/2\n"
        "potential: 9.81*y\nconstraints:\n  - {name: rod, equation: ((x - 0.1*sin(5*t))^2 + y^2 - "
        "1)/2}\n"};
    for (int m = 0; m < 2; m++) {
        carom_model *model = model_from_text(texts[m]);
        for (int k = 0; k < carom_scheme_count(); k++) {
            double error[2];
            carom_audit audit;
            for (int half = 0; half < 2; half++) {
                carom_sim *sim = accepted_sim(model, carom_scheme_at(k), half ? 5e-4 : 1e-3, 1);
                if (!sim) break;
                run_to_end(sim);
                audited_energy(sim, &audit);
                assert_true(fabs(audit.work) > 0.05);
                error[half] = fabs(audit.energy_error);
                carom_sim_free(sim);
            }
            if (reason_to_refuse(carom_scheme_at(k), model)) continue;
            // the balance closes to first order: half the step, half the error (or rounding)
            if (!(error[1] <= 0.6 * error[0] + 1e-12))
                fail_msg("%s: energy error %g at h, %g at h/2", carom_scheme_at(k)->name, error[0],
                         error[1]);
        }
        carom_model_free(model);
    }
}

static carom_sim *theta_sim(const carom_model *model, const char *theta, double step, double end)
{
    carom_error error = {0};
    carom_sim *sim;
    const carom_setting setting = {text_of("theta"), text_of(theta)};
    carom_sim_options options = carom_sim_default();
    options.scheme = "moreau_jean";
    options.step = step;
    options.end = end;
    options.setting = &setting;
    options.n_setting = 1;
    must(carom_sim_new(model, &options, &sim, &error), &error);
    return sim;
}

// k = 1e8, h = 1e-3: backward Euler shrinks the energy norm by exactly
// (1 + h^2 k)^-1/2 in each step
static void stiff_springs_are_damped_by_theta_1(void **state)
{
    (void)state;
    carom_model *model =
        model_from_text("carom: 1\ncoordinates: {x: {start: 1}}\nkinetic: der(x)^2/2\n"
                        "potential: 1e8/2*x^2\n");
    carom_sim *sim = theta_sim(model, "1", 1e-3, 0.05);
    run_to_end(sim);
    const carom_state *now = carom_sim_state(sim);
    const double norm = hypot(now->q[0], now->u[0] / 1e4);
    near("norm", norm / pow(101, -25), 1, 1e-9);
    carom_sim_free(sim);
    carom_model_free(model);

    model = changed_model("spring-pendulum", CHANGES("k=1e8"));
    sim = theta_sim(model, "1", 1e-3, 0.3);
    run_to_end(sim);
    near("spring", carom_sim_state(sim)->q[0], 1, 1e-6); // 9.81/1e8 by gravity, the rest by damping
    carom_sim_free(sim);
    carom_model_free(model);
}

// theta = 0: u+ = u + h a(q, u), q+ = q + h u; theta = 1: u+ = u - h k q+,
// q+ = q + h u+, both by hand
static void the_ends_of_theta_are_the_two_euler_rules(void **state)
{
    (void)state;
    carom_model *model = changed_model("oscillator-with-stop", CHANGES("k=4"));
    carom_sim *explicit_sim = theta_sim(model, "0", 0.01, 0.5),
              *implicit_sim = theta_sim(model, "1", 0.01, 0.5);
    run_to_end(explicit_sim);
    run_to_end(implicit_sim);
    double q = 1, u = 0, Q = 1, U = 0;
    for (int k = 0; k < 50; k++) {
        const double before = u;
        u -= 0.01 * 4 * q;
        q += 0.01 * before;
        U = (U - 0.01 * 4 * Q) / (1 + 4e-4);
        Q += 0.01 * U;
    }
    near("explicit", carom_sim_state(explicit_sim)->q[0], q, 1e-13);
    // 50 steps of Newton to 1e-12 and better
    near("implicit", carom_sim_state(implicit_sim)->q[0], Q, 1e-11);
    carom_sim_free(explicit_sim);
    carom_sim_free(implicit_sim);
    carom_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mass_starts_at_the_centre_of_the_ring),
        cmocka_unit_test(what_rests_stays_at_rest),
        cmocka_unit_test(redundant_contacts_are_solved_in_every_step),
        cmocka_unit_test(the_work_of_a_moving_constraint_is_in_the_balance),
        cmocka_unit_test(stiff_springs_are_damped_by_theta_1),
        cmocka_unit_test(the_ends_of_theta_are_the_two_euler_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
