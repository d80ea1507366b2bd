// SPDX-License-Identifier: Apache-2.0
// Beams against closed forms (circle, cantilever's frequencies), boundary value problems (elastica,
// a bend of 45 degrees), published motions, and the same beam written as equations.
#include "physics/last_row.h"

#include "carom/analysis.h"

#define SECTION(EA, EI)                                                                            \
    "section: {area: " EA ", inertia: " EI "}, elasticity: {E: 1, density: 1e-7}"
#define CLAMPED_IN_PLANE "from: {body: ground, at: [0, 0], end: fixed}"

static carom_equilibrium rest_of(const char *text, const char *parameter, double value)
{
    carom_error error = {0};
    carom_equilibrium rest;
    char number[40];
    snprintf(number, sizeof number, "%.17g", value);
    carom_modelfile *file = file_from_text(text);
    must(carom_builder_set(carom_modelfile_builder(file), text_of(parameter), text_of(number),
                           &error),
         &error);
    carom_model *model = finish_file(file);
    must(carom_equilibrium_find(model, &rest, &error), &error);
    carom_model_free(model);
    return rest;
}

static void a_bend_of_45_degrees_rests_where_the_element_says(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\nparameters: {N: 8, R: 100, P: 600, b: pi/4/N}\n"
        "beams:\n"
        "  arc:\n"
        "    from: {body: ground, at: [0, 0, 0], end: fixed}\n"
        "    nodes: [R*sin(b*i), R*(1 - cos(b*i)), 0]\n"
        "    elements: N\n"
        "    section: {area: 1, inertia: [1/12, 1/12], torsion: 1/6, shear: 1}\n"
        "    elasticity: {E: 1e7, nu: 0, density: 1}\n"
        "force elements:\n"
        "  tip: {force: 'arc[N]', at: [R*sin(pi/4), R*(1 - cos(pi/4)), 0], value: [0, 0, P]}\n";
    static const double row[][4] = {
        {300, 58.801756430717404, 22.26913589251082, 40.213542723986684},
        {450, 52.25984544217793, 18.53555113639406, 48.551077229528964},
        {600, 47.16742856561836, 15.71145326197842, 53.54254452980527}};
    for (int i = 0; i < 3; i++) {
        carom_equilibrium rest = rest_of(text, "P", row[i][0]);
        const double *tip = rest.q + rest.nq - 7;
        for (int k = 0; k < 3; k++) near("tip of the bend", tip[k], row[i][1 + k], 1e-9);
        carom_equilibrium_free(&rest);
    }
    // the boundary value problem, with an error of 1/N^2
    static const double exact[] = {47.15043857363851, 15.684800534043893, 53.47485879183074};
    carom_equilibrium fine = rest_of(text, "N", 32);
    for (int k = 0; k < 3; k++)
        near("tip of the fine bend", fine.q[fine.nq - 7 + k], exact[k], 0.005);
    carom_equilibrium_free(&fine);
}

static void the_elastica_is_found_from_the_straight_beam(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\nspace: plane\nparameters: {N: 32, P: 10}\n"
        "beams: {c: {" CLAMPED_IN_PLANE ", length: 1, elements: N, " SECTION(
            "1e6*P", "1") "}}\n"
                          "force elements: {tip: {force: 'c[N]', at: [1, 0], value: [0, P]}}\n";
    static const double row[][4] = {
        {1, 0.9435759834932647, 0.3017282992126312, 0.4613616698590502},
        {10, 0.44500878973488556, 0.8107204853217955, 1.4304324856775428}};
    for (int i = 0; i < 2; i++) {
        carom_equilibrium rest = rest_of(text, "P", row[i][0]);
        const double *tip = rest.q + rest.nq - 3;
        for (int k = 0; k < 3; k++) // EA is not infinite here
            near("tip of the elastica", tip[k], row[i][1 + k], 2e-6);
        carom_equilibrium_free(&rest);
    }
}

// a moment at the tip bends it into an arc, of a full circle for any number of elements
static void a_moment_bends_a_circle(void **state)
{
    (void)state;
    static const char plane[] =
        "carom: 1\nspace: plane\nparameters: {N: 4, k: 1, M: 2*pi*k}\n"
        "beams: {c: {" CLAMPED_IN_PLANE ", length: 1, elements: N, " SECTION(
            "1e3", "1") "}}\n"
                        "force elements: {tip: {torque: 'c[N]', value: M}}\n";
    static const int elements[] = {4, 7, 16};
    for (int i = 0; i < 3; i++) {
        carom_equilibrium rest = rest_of(plane, "N", elements[i]);
        const double *tip = rest.q + rest.nq - 3;
        near("x of a closed circle", tip[0], 0, 1e-12);
        near("y of a closed circle", tip[1], 0, 1e-12);
        near("angle of a closed circle", tip[2], 6.283185307179586, 1e-12);
        carom_equilibrium_free(&rest);
    }
    static const char half[] =
        "carom: 1\nspace: plane\nparameters: {N: 16}\n"
        "beams: {c: {" CLAMPED_IN_PLANE ", length: 1, elements: N, " SECTION(
            "1e3", "1") "}}\n"
                        "force elements: {tip: {torque: 'c[N]', value: pi}}\n";
    carom_equilibrium rest = rest_of(half, "N", 16);
    near("half a circle", rest.q[rest.nq - 2], 0.6376435773361455, 1e-12);
    carom_equilibrium_free(&rest);
}

// softest = w^2: (1.8751..)^4 but for the error of lumped masses; the section of the reference is
// less slender, which is the last digit here
// between bodies that stand any way, an element is free of forces at the start
static void an_element_starts_without_forces(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\nspace: plane\nparameters: {a: 0}\nbodies:\n"
        "  one: {mass: 1, inertia: 0.1, at: [0, 0], angle: a}\n"
        "  two: {mass: 1, inertia: 0.1, at: [0.6, 0.8], angle: a}\n"
        "force elements:\n"
        "  rod: {beam: [one, two], from: [0, 0], to: [0.6, 0.8], stiffness: [1e3, 10]}\n";
    for (int i = 0; i < 3; i++) {
        const unsigned mask = CAROM_MASS | CAROM_FORCES;
        carom_error error = {0};
        carom_modelfile *file = file_from_text(text);
        char a[20];
        snprintf(a, sizeof a, "%d", i);
        must(carom_builder_set(carom_modelfile_builder(file), text_of("a"), text_of(a), &error),
             &error);
        carom_model *model = finish_file(file);
        carom_plan *plan;
        must(carom_plan_new(model, &mask, 1, &plan, &error), &error);
        carom_eval *ev = carom_plan_eval(plan);
        const carom_point at = {.q = carom_plan_start_q(plan), .u = carom_plan_start_u(plan)};
        must(carom_model_eval(plan, &at, mask, ev, &error), &error);
        for (int k = 0; k < 6; k++) near("force at the start", ev->f[k], 0, 1e-10);
        carom_plan_free(plan);
        carom_model_free(model);
    }
}

static void a_cantilever_has_its_first_frequency(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\nspace: plane\nparameters: {N: 8}\n"
        "beams: {c: {" CLAMPED_IN_PLANE ", length: 1, elements: N,\n"
        "  section: {area: 1e8, inertia: 1}, elasticity: {E: 1, density: 1e-8}}}\n";
    static const double row[][2] = {
        {8, 3.4909907597539713}, {16, 3.5097231924319563}, {32, 3.51443534833605}};
    for (int i = 0; i < 3; i++) {
        carom_equilibrium rest = rest_of(text, "N", row[i][0]);
        near("first frequency", sqrt(rest.softest), row[i][1], 1e-5);
        carom_equilibrium_free(&rest);
    }
}

// ---- motions ----

static void a_soft_pendulum_swings_as_published(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\nspace: plane\ngravity: [0, -9.81]\n"
        "beams:\n"
        "  rod: {from: {body: ground, at: [0, 0], end: pinned}, length: 1, elements: 20,\n"
        "    section: {radius: 0.01}, elasticity: {E: 2e6, density: 1000}}\n"
        "record: {x: 'rod[20].x', y: 'rod[20].y'}\n"
        "run: {scheme: moreau_jean, theta: 0.5}\n";
    last_row last;
    run_text(&last, text, (how){"moreau_jean", 0.5, 1e-3, 0});
    near("x of the tip", column(&last, "x"), -0.2074835124, 1e-8);
    near("y of the tip", column(&last, "y"), -0.9427075623, 1e-8);
    free_row(&last);
}

#define CORD                                                                                       \
    "section: {radius: 0.01}, elasticity: {E: 2e6, density: 1000}, damping: {stiffness: 1e-3}"

// the plane element is that of space, held in its plane
static void a_beam_of_space_moves_like_that_of_the_plane(void **state)
{
    (void)state;
    static const char plane[] =
        "carom: 1\nspace: plane\ngravity: [0, -9.81]\n"
        "beams: {rod: {from: {body: ground, at: [0, 0], end: pinned}, length: 1, elements: 5, " CORD
        "}}\nrecord: {x: 'rod[5].x', y: 'rod[5].y', M: 'rod.e[2].M', S: 'rod.e[2].S'}\n";
    static const char space[] =
        "carom: 1\ngravity: [0, 0, -9.81]\n"
        "beams: {rod: {from: {body: ground, at: [0, 0, 0], end: pinned}, length: 1,\n"
        "  along: [0.6, 0.8, 0], elements: 5, " CORD "}}\n"
        "record: {x: '0.6*rod[5].x + 0.8*rod[5].y', y: 'rod[5].z', M: 'rod.e[2].My',\n"
        "  T: 'rod.e[2].T', S: 'rod.e[2].Sz'}\n";
    last_row last[2];
    run_text(&last[0], plane, (how){"event_driven", 0.2, 0, 1e-11});
    run_text(&last[1], space, (how){"event_driven", 0.2, 0, 1e-11});
    near("x", column(&last[1], "x"), column(&last[0], "x"), 1e-9);
    near("y", column(&last[1], "y"), column(&last[0], "y"), 1e-9);
    // the section's z axis is up: bending about y goes the other way
    near("M", fabs(column(&last[1], "M")), fabs(column(&last[0], "M")), 1e-8);
    near("S", fabs(column(&last[1], "S")), fabs(column(&last[0], "S")), 1e-8);
    near("no twist", column(&last[1], "T"), 0, 1e-10);
    for (int i = 0; i < 2; i++) free_row(&last[i]);
}

// turned by any angle as a whole, a strained beam has the same energy
static void energy_does_not_depend_on_the_turn(void **state)
{
    (void)state;
    static const double angle[] = {0, 1, 10, 100};
    double energy[4];
    for (int i = 0; i < 4; i++) {
        char text[1200];
        carom_error error = {0};
        carom_audit audit;
        snprintf(text, sizeof text,
                 "carom: 1\nparameters: {a: %g}\n"
                 "bodies:\n"
                 "  p: {mass: 1, inertia: [1, 1, 1], at: [0, 0, 0],\n"
                 "      turned: {axis: [1, 2, 3], angle: a}}\n"
                 "  q: {mass: 1, inertia: [1, 1, 1], on: {spherical: p, at: p.there,\n"
                 "      turned: {axis: [3, -1, 2], angle: 0.7}}}\n"
                 "force elements:\n"
                 "  b: {beam: [p, q], from: p.here, to: p.there, length: 1, frame: body,\n"
                 "      straight: yes, stiffness: [1000, 400, 300, 1, 2, 3]}\n",
                 angle[i]);
        char *points = strstr(text, "turned: {axis: [1, 2, 3]");
        char more[1400];
        snprintf(more, sizeof more, "%.*spoints: {here: [0, 0, 0], there: [0.9, 0.2, 0.1]}, %s",
                 (int)(points - text), text, points);
        carom_model *model = model_from_text(more);
        carom_sim *sim = sim_of(model, "moreau_jean", 1e-3, 1e-3);
        must(carom_sim_audit(sim, &audit, NULL, &error), &error);
        energy[i] = audit.energy_start;
        carom_sim_free(sim);
        carom_model_free(model);
        near("energy of a turned beam", energy[i], energy[0], 1e-12 * 1000);
    }
    assert_true(energy[0] > 1);
}

// ---- the same beam as equations ----

static const char equations[] =
    "carom: 1\n"
    "parameters: {N: 6, L: 1, E: 2e6, rc: 0.005, density: 1000, gravity: 9.81, beta: 1e-3, le: L/N,\n"
    "  A: pi*rc^2, I: pi*rc^4/4, EA: E*A, EI: E*I, GA: 1/(1/(E/2.6*0.9*A) + le^2/(12*EI)),\n"
    "  m: density*A*le, J: density*I*le}\n"
    "coordinates:\n"
    "  a[i]: {for: {i: 0..N}}\n"
    "  x[i]: {for: {i: 1..N}, start: i*le}\n"
    "  y[i]: {for: {i: 1..N}}\n"
    "define:\n"
    "  am[i]: {for: {i: 1..N}, value: '(a[i-1] + a[i])/2'}\n"
    "  dx[i]: {for: {i: 1..N}, value: 'x[i] - if(i == 1, 0, x[max(i-1,1)])'}\n"
    "  dy[i]: {for: {i: 1..N}, value: 'y[i] - if(i == 1, 0, y[max(i-1,1)])'}\n"
    "  e1[i]: {for: {i: 1..N}, value: '(cos(am[i])*dx[i] + sin(am[i])*dy[i])/le - 1'}\n"
    "  e2[i]: {for: {i: 1..N}, value: '(-sin(am[i])*dx[i] + cos(am[i])*dy[i])/le'}\n"
    "  k[i]: {for: {i: 1..N}, value: '(a[i] - a[i-1])/le'}\n"
    "kinetic:\n"
    "  - J/4*(der(a[0])^2 + der(a[N])^2) + m/4*(der(x[N])^2 + der(y[N])^2)\n"
    "  - {term: 'm/2*(der(x[i])^2 + der(y[i])^2) + J/2*der(a[i])^2', for: {i: 1..N-1}}\n"
    "potential:\n"
    "  - {term: 'le/2*(EA*e1[i]^2 + GA*e2[i]^2 + EI*k[i]^2)', for: {i: 1..N}}\n"
    "  - {term: 'gravity*m*if(i == N, 0.5, 1)*y[i]', for: {i: 1..N}}\n"
    "forces:\n"
    "  - {at: ['e1[i]', 'e2[i]', 'k[i]'], for: {i: 1..N}, force: ['-beta*le*EA*der(e1[i])',\n"
    "     '-beta*le*GA*der(e2[i])', '-beta*le*EI*der(k[i])']}\n"
    "contacts: [{name: floor, gap: 'y[N] + 0.2', restitution: 0.5}]\n"
    "record: {tx: 'x[N]', ty: 'y[N]'}\n";

static const char words[] =
    "carom: 1\nspace: plane\ngravity: [0, -9.81]\nparameters: {N: 6}\n"
    "beams:\n"
    "  cord: {from: {body: ground, at: [0, 0], end: pinned}, length: 1, elements: N,\n"
    "    section: {radius: 0.005}, elasticity: {E: 2e6, density: 1000}, damping: {stiffness: 1e-3}}\n"
    "contacts: [{name: floor, gap: 'cord[N].y + 0.2', restitution: 0.5}]\n"
    "record: {tx: 'cord[N].x', ty: 'cord[N].y'}\n";

static void a_beam_equals_its_equations(void **state)
{
    (void)state;
    // through the first impacts; explicit schemes with the short steps that they need
    static const how run[] = {{"moreau_jean", 0.4, 1e-4, 0},
                              {"nonsmooth_gen_alpha", 0.4, 1e-4, 0},
                              {"moreau_midpoint", 0.02, 4e-6, 0},
                              {"tdg_velocity", 0.02, 4e-6, 0}};
    for (int i = 0; i < 4; i++) {
        last_row last[2];
        run_text(&last[0], equations, run[i]);
        run_text(&last[1], words, run[i]);
        near("x of the tip", column(&last[1], "tx"), column(&last[0], "tx"), 1e-8);
        near("y of the tip", column(&last[1], "ty"), column(&last[0], "ty"), 1e-8);
        for (int k = 0; k < 2; k++) free_row(&last[k]);
    }
}

// a clamped beam whose root turns up to 6 rad/s in 15 s (Simo, Vu-Quoc 1986)
static void a_spun_up_beam_lags_as_published(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\nspace: plane\n"
        "parameters: {w: 6, T: 15}\n"
        "bodies: {hub: {mass: 1, inertia: 1, at: [0, 0],\n"
        "  angle: 'w/T*(t^2/2 + (T/(2*pi))^2*(cos(2*pi*t/T) - 1))'}}\n"
        "beams: {b: {from: {body: hub, at: [0, 0], end: fixed}, length: 10, elements: 20,\n"
        "  section: {area: 1, inertia: 5e-4, shear: 1},\n"
        "  elasticity: {E: 2.8e7, G: 1e7, density: 1.2}}}\n"
        "record: {lag: '-sin(hub.angle)*b[20].x + cos(hub.angle)*b[20].y'}\n"
        "run: {scheme: nonsmooth_gen_alpha, rho_inf: 0.9}\n";
    last_row last;
    run_text(&last, text, (how){"nonsmooth_gen_alpha", 7.5, 5e-3, 0});
    near("lag", column(&last, "lag"), -0.5604809828120261, 1e-3);
    free_row(&last);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bend_of_45_degrees_rests_where_the_element_says),
        cmocka_unit_test(the_elastica_is_found_from_the_straight_beam),
        cmocka_unit_test(a_moment_bends_a_circle),
        cmocka_unit_test(an_element_starts_without_forces),
        cmocka_unit_test(a_cantilever_has_its_first_frequency),
        cmocka_unit_test(a_soft_pendulum_swings_as_published),
        cmocka_unit_test(a_beam_of_space_moves_like_that_of_the_plane),
        cmocka_unit_test(energy_does_not_depend_on_the_turn),
        cmocka_unit_test(a_beam_equals_its_equations),
        cmocka_unit_test(a_spun_up_beam_lags_as_published),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
