// SPDX-License-Identifier: Apache-2.0
// Sensitivities, periodic orbits, Lyapunov exponents and branches: closed forms, and values of
// independent code with events to 1e-13.
#include "studies/study_rig.h"

static const double PI = 3.14159265358979323846;
#define STRICT "--scheme event_driven --tolerance 1e-12"

static void write_models(shell *s)
{
    shell_write(s, "block.yaml",
                "carom: 1\nparameters: {e: 0.7, mu: 0.1}\n"
                "coordinates: {x: {start: 0, rate: 3}, y: {start: 0.5}}\n"
                "kinetic: 0.5*(der(x)^2 + der(y)^2)\npotential: 9.81*y\n"
                "contacts: [{name: floor, gap: y, slip: x, restitution: e, friction: mu}]\n");
    shell_write(s, "belt.yaml",
                "carom: 1\nparameters: {belt: 0.5, c: 0.1, F: 1}\n"
                "coordinates: {x: {start: 1, rate: 0.3}, y: {start: 0}}\n"
                "kinetic: 0.5*(der(x)^2 + der(y)^2)\npotential: 0.5*x^2 + y\n"
                "forces: [{coordinate: x, force: c*der(x)}]\n"
                "contacts: [{name: belt, gap: y, slip_rate: der(x) - belt, friction: F}]\n");
    shell_write(s, "hartog.yaml",
                "carom: 1\nparameters: {f: 0.3, r: 0.6}\n"
                "coordinates: {x: {start: 0.2}, y: {start: 0}}\n"
                "kinetic: 0.5*(der(x)^2 + der(y)^2)\npotential: 0.5*x^2 + f*y\n"
                "forces: [{coordinate: x, force: cos(r*t)}]\n"
                "contacts: [{name: floor, gap: y, slip: x, friction: 1}]\n");
    shell_write(s, "table.yaml",
                "carom: 1\nparameters: {G: 1.25, e: 0.5}\ncoordinates: {y: {start: 0}}\n"
                "kinetic: 0.5*der(y)^2\npotential: y\n"
                "contacts: [{name: table, gap: y - G*sin(t), restitution: e}]\n");
    shell_write(s, "pair.yaml",
                "carom: 1\nparameters: {L: 7.7, e: 0.5}\n"
                "coordinates: {x: {start: 0, rate: 2}}\nkinetic: 0.5*der(x)^2\n"
                "contacts: [{name: left, gap: x + L/2 - sin(t), restitution: e},\n"
                "  {name: right, gap: L/2 + sin(t) - x, restitution: e}]\n");
    shell_write(s, "damper.yaml",
                "carom: 1\nparameters: {L: 4.1, e: 0.7, r: 0.3, z: 0.05, w: 1.3}\n"
                "coordinates: {x: {start: 0}, y: {start: 0, rate: 1}}\n"
                "kinetic: 0.5*der(x)^2 + 0.5*r*der(y)^2\npotential: 0.5*x^2\n"
                "forces: [{coordinate: x, force: cos(w*t) - 2*z*der(x)}]\n"
                "contacts: [{name: left, gap: y - x + L/2, restitution: e},\n"
                "  {name: right, gap: L/2 + x - y, restitution: e}]\n");
}

static int start(void **state)
{
    if (study_start(state) != 0) return -1;
    write_models(*state);
    return 0;
}

// a ball that bounces, in closed form; the time of an impact and the rates around it likewise
static void derivatives_go_through_impacts(void **state)
{
    shell *s = *state;
    const double e = 0.8, g = 9.81, v = sqrt(2 * g), t1 = v / g;
    STUDY_RUN(s, 0,
              "$CAROM sensitivity ball.yaml " STRICT
              " --set g=9.81 --set height=1 --set e=0.8 --end 2.7 --by e,g --by 'der(y)' "
              "--take 'at y 2.7' --take 'last der_y'");
    const study_table *t = study_read(s->out);
    study_near(study_value(t, 0, "d(at y 2.7)/d(e)"), -0.817797149266997, 1e-11);
    study_near(study_value(t, 0, "d(last der_y)/d(e)"), 67.2567220039752, 1e-9);
    study_near(study_value(t, 0, "d(at y 2.7)/d(g)"), 0.0433557478364482, 1e-11);
    study_near(study_value(t, 0, "difference(at y 2.7)/d(g)"), 0.0433557478364482, 1e-7);
    STUDY_RUN(s, 0,
              "$CAROM sensitivity ball.yaml " STRICT
              " --set g=9.81 --set height=1 --set e=0.8 --by e --take 'event_time floor 2' "
              "--take 'event_after floor 2' --take 'event_before floor 2'");
    t = study_read(s->out);
    study_near(study_value(t, 0, "event_time floor 2"), t1 + 2 * e * v / g, 1e-11);
    study_near(study_value(t, 0, "d(event_time floor 2)/d(e)"), 2 * v / g, 1e-10);
    study_near(study_value(t, 0, "d(event_after floor 2)/d(e)"), 2 * e * v, 1e-9);
    study_near(study_value(t, 0, "d(event_before floor 2)/d(e)"), -v, 1e-9);
}

// friction, while it slides and after it has come to rest behind a tail of impacts
static void derivatives_go_through_friction_and_tails(void **state)
{
    shell *s = *state;
    STUDY_RUN(s, 0,
              "$CAROM sensitivity block.yaml " STRICT
              " --set e=0.8 --end 1.6 --by e,mu --take 'last x'");
    const study_table *t = study_read(s->out);
    // each impact takes mu (1 + e) v_k from the slip
    double x = 0, u = 3, v = sqrt(9.81), now = v / 9.81, dx = 3 * now;
    double u_e = 0, u_mu = 0, x_e = 0, x_mu = 0, v_e = 0, now_e = 0;
    x = dx;
    const double e = 0.8, mu = 0.1, g = 9.81;
    for (int k = 0; k < 100; k++) {
        // the impact, then a flight of 2 e v/g or until the end
        x_e += u * 0;
        u_mu -= (1 + e) * v;
        u_e -= mu * (v + (1 + e) * v_e);
        u -= mu * (1 + e) * v;
        v_e = v + e * v_e;
        v *= e;
        const double flight = 2 * v / g, left = 1.6 - now;
        if (flight > left) {
            x_mu += u_mu * left;
            x_e += u_e * left - u * now_e;
            x += u * left;
            break;
        }
        x_mu += u_mu * flight;
        x_e += u_e * flight + u * 2 * v_e / g;
        now_e += 2 * v_e / g;
        now += flight;
        x += u * flight;
    }
    study_near(study_value(t, 0, "last x"), x, 1e-10);
    study_near(study_value(t, 0, "d(last x)/d(mu)"), x_mu, 1e-8);
    study_near(study_value(t, 0, "d(last x)/d(e)"), x_e, 1e-8);
    // at rest: sliding friction takes as much as the impacts would have; mu alone decides
    STUDY_RUN(s, 0,
              "$CAROM sensitivity block.yaml " STRICT " --option v_acc=1e-9 --end 5 --by e,mu "
              "--take 'last x'");
    t = study_read(s->out);
    const double fall = sqrt(9.81) / 9.81,
                 rest = 3 * fall + (3 - 0.1 * sqrt(9.81)) * (3 - 0.1 * sqrt(9.81)) / 1.962;
    study_near(study_value(t, 0, "last x"), rest, 1e-8);
    study_near(study_value(t, 0, "d(last x)/d(e)"), 0, 1e-8);
    const double left = 3 - 0.1 * sqrt(9.81);
    study_near(study_value(t, 0, "d(last x)/d(mu)"),
               -2 * left * sqrt(9.81) / 1.962 - left * left / 2 / 9.81 / 0.01, 1e-6);
}

static void orbits_are_those_of_other_code(void **state)
{
    shell *s = *state;
    STUDY_RUN(s, 0,
              "$CAROM orbit osc.yaml " STRICT
              " --section 'period=2*pi/w' --start x=-2 --start 'der(x)=4' --skip 0 --by A");
    const study_table *t = study_read(s->out);
    study_near(study_value(t, 0, "x"), -2.49093025627561, 1e-11);
    study_near(study_value(t, 0, "der(x)"), 3.32003530486766, 1e-11);
    study_near(study_value(t, 0, "re1"), 0.566116087951, 1e-11);
    study_near(study_value(t, 0, "im1"), 0.134566342847, 1e-11);
    assert_true(study_value(t, 0, "stable") == 1 && study_value(t, 0, "impacts") == 1);
    const double x_A = study_value(t, 0, "d(x)/d(A)");
    double x[2];
    for (int i = 0; i < 2; i++) {
        STUDY_RUN(s, 0,
                  "$CAROM orbit osc.yaml " STRICT " --set A=%.17g --section 'period=2*pi/w' "
                  "--start x=-2.5 --start 'der(x)=3.3' --skip 0",
                  1.2 + (i ? 1e-4 : -1e-4));
        x[i] = study_value(study_read(s->out), 0, "x");
    }
    study_near((x[1] - x[0]) / 2e-4, x_A, 1e-6);
    STUDY_RUN(s, 0,
              "$CAROM orbit osc.yaml " STRICT " --set zeta=0 --set w=0.8 --set e=0.8 --set A=0.52 "
              "--section 'period=2*pi/w' --times 2 --skip 300");
    t = study_read(s->out);
    study_near(2 * study_value(t, 0, "re1"), 0.752019262193, 1e-10);
    const double re = study_value(t, 0, "re1"), im = study_value(t, 0, "im1");
    study_near(re * re + im * im, 0.4096, 1e-11);
}

// stick and slip: what sticks is no tangent, and its multiplier is not there
static void orbits_stick_and_slip(void **state)
{
    shell *s = *state;
    static const char *const section[] = {"event=belt:slip:after", "cross=x-1:up"};
    for (int i = 0; i < 2; i++) {
        STUDY_RUN(s, 0, "$CAROM orbit belt.yaml " STRICT " --section '%s' --skip 4", section[i]);
        const study_table *t = study_read(s->out);
        study_near(study_value(t, 0, "period"), 6.439474890105244, 1e-10);
        study_near(study_value(t, 0, "re1"), 0, 1e-9);
        assert_true(study_value(t, 0, "dimension") == 1);
    }
    STUDY_RUN(s, 0, "$CAROM orbit hartog.yaml " STRICT " --section 'period=2*pi/r' --skip 20");
    const study_table *t = study_read(s->out);
    study_near(study_value(t, 0, "re1"), -0.0863515, 1e-7);
    study_near(study_value(t, 0, "im1"), 0.2835938, 1e-7);
    STUDY_RUN(s, 0,
              "$CAROM orbit hartog.yaml " STRICT
              " --set r=0.35 --section 'period=2*pi/r' --skip 20");
    t = study_read(s->out);
    study_near(study_value(t, 0, "re1"), 0.593563320172, 1e-9);
}

// the woodpecker falls by as much as it likes
static void a_free_coordinate_is_left_out(void **state)
{
    shell *s = *state;
    STUDY_RUN(s, 0,
              "$CAROM orbit %s/models/woodpecker.yaml --scheme event_driven --tolerance 1e-10 "
              "--section event=beak:impact:after --shift y=free --skip 30",
              CAROM_SOURCE_DIR);
    const study_table *t = study_read(s->out);
    assert_true(study_value(t, 0, "stable") == 1 && study_value(t, 0, "dimension") == 5);
    assert_true(study_value(t, 0, "shift(der(y))") < -0.015);
    assert_int_equal(shell_run(s,
                               "$CAROM orbit osc.yaml --section 'period=2*pi/w' --skip 20 --shift "
                               "x=free"),
                     1);
    assert_non_null(strstr(s->err, "it cannot be free"));
}

static void exponents_are_those_of_closed_forms(void **state)
{
    shell *s = *state;
    STUDY_RUN(s, 0,
              "$CAROM lyap osc.yaml --scheme event_driven --tolerance 1e-11 --section "
              "'period=2*pi/w' --set w=2.65 --set d=0 --set A=1 --set zeta=0 --set e=0.8 "
              "--skip 400 --points 400");
    const study_table *t = study_read(s->out);
    study_near(study_value(t, 0, "l1"), -0.0516537, 1e-6);
    study_near(study_value(t, 0, "l2"), -0.1365726, 1e-6);
    study_near(study_value(t, 0, "sum"), study_value(t, 0, "sum_rule"), 1e-8);
    STUDY_RUN(s, 0,
              "$CAROM lyap osc.yaml --scheme event_driven --tolerance 1e-9 --section "
              "'period=2*pi/w' --set w=2.8 --set d=0 --set A=1 --set zeta=0 --set e=0.8 "
              "--start x=-0.1 --skip 100 --points 1000");
    t = study_read(s->out);
    const double error = study_value(t, 0, "error1");
    study_near(study_value(t, 0, "l1"), 0.1419, 4 * error);
    assert_true(error < 0.02 && study_value(t, 0, "l1") > 0.08);
    study_near(study_value(t, 0, "sum"), study_value(t, 0, "sum_rule"), 1e-7);
}

// what is held has no direction, wherever it stands among the coordinates; what is damped strongly
// has one, however long it is from point to point
static void exponents_are_sorted_and_not_lost(void **state)
{
    shell *s = *state;
    shell_write(s, "held.yaml",
                "carom: 1\ncoordinates: {y: {start: 0}, x: {start: 0.2, rate: 1}}\n"
                "kinetic: 0.5*(der(x)^2 + der(y)^2)\npotential: 0.5*x^2 + y\n"
                "forces: [{coordinate: x, force: 0.9*cos(1.3*t) - 0.3*der(x)}]\n"
                "contacts: [{name: floor, gap: y}]\n");
    shell_write(s, "damped.yaml",
                "carom: 1\ncoordinates: {x: {start: 1}, z: {start: 0.5}}\n"
                "kinetic: 0.5*(der(x)^2 + der(z)^2)\npotential: 0.5*x^2 + 0.5*z^2\n"
                "forces: [{coordinate: x, force: cos(0.3*t) - 6*der(x)},\n"
                "  {coordinate: z, force: -2.5*der(z)}]\n");
    for (int k = 1; k <= 4; k += 3) {
        STUDY_RUN(s, 0,
                  "$CAROM lyap held.yaml --scheme event_driven --section 'period=2*pi/1.3' --skip "
                  "40 --points 200 --exponents %d",
                  k);
        const study_table *t = study_read(s->out);
        study_near(study_value(t, 0, "l1"), -0.15, 1e-3);
        if (k == 4) study_near(study_value(t, 0, "l2"), -0.15, 1e-3);
        if (k == 4) assert_true(study_value(t, 0, "l3") == -INFINITY);
    }
    STUDY_RUN(s, 0,
              "$CAROM lyap damped.yaml " STRICT " --section 'period=2*pi/0.3' --skip 40 "
              "--points 20");
    const study_table *t = study_read(s->out);
    const double root = sqrt(8);
    study_near(study_value(t, 0, "l1"), -3 + root, 1e-6);
    study_near(study_value(t, 0, "l2"), -0.5, 1e-6);
    study_near(study_value(t, 0, "l3"), -2, 1e-6);
    study_near(study_value(t, 0, "l4"), -3 - root, 1e-6);
}

// two runs side by side: 0.1419 (of 40000 periods of independent code 0.1433), and what they refuse
static void pairs_of_time_stepping_know_the_largest(void **state)
{
    shell *s = *state;
    static const char *const chaos =
        "--set w=2.8 --set d=0 --set A=1 --set zeta=0 --set e=0.8 --start x=-0.1 --section "
        "'period=2*pi/w' --skip 100 --scheme moreau_midpoint --method pair";
    STUDY_RUN(s, 0, "$CAROM lyap osc.yaml %s --step 1e-3 --points 1000", chaos);
    const study_table *t = study_read(s->out);
    const double error = study_value(t, 0, "error1");
    study_near(study_value(t, 0, "l1"), 0.1419, 4 * error);
    assert_true(error < 0.03 && study_value(t, 0, "distance") > 3e-3);
    static const struct {
        const char *options, *message;
        int code;
    } wrong[] = {
        {"--step 1e-3 --points 20 --distance 1e-9", "impacts inside one step would not be seen", 1},
        {"--step 2e-2 --points 20", "above 1 % of the attractor", 1},
        {"--step 1e-3 --points 20 --exponents 2", "the largest exponent only", 2},
        {"--step 1e-3 --points 20 --section event=stop:impact", "given twice", 2},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const int code = shell_run(s, "$CAROM lyap osc.yaml %s %s", chaos, wrong[i].options);
        if (code != wrong[i].code || !strstr(s->err, wrong[i].message))
            fail_msg("%s: exit %d: %s", wrong[i].options, code, s->err);
    }
}

// the row of the only special point of a kind
static double special(const study_table *t, int point, const char *column)
{
    double value = NAN;
    for (int i = 0; i < t->n; i++)
        if (study_value(t, i, "point") == point) value = study_value(t, i, column);
    return value;
}

static void branches_have_their_special_points(void **state)
{
    shell *s = *state;
    // a doubling, and grazing from the side of the impacts
    STUDY_RUN(s, 0,
              "$CAROM continue osc.yaml " STRICT " --set zeta=0 --set w=0.8 --set e=0.8 "
              "--set A=0.634 --section 'period=2*pi/w' --vary A=0.3:0.7 --skip 250");
    const study_table *t = study_read(s->out);
    study_near(special(t, 2, "A") / 0.528402471472143, 1, 1e-9);
    study_near(special(t, 5, "A") / 0.36, 1, 1e-9);
    assert_true(special(t, 5, "impacts") == 1);
    // twice the period, behind the doubling
    STUDY_RUN(s, 0,
              "$CAROM continue osc.yaml " STRICT " --set zeta=0 --set w=0.8 --set e=0.8 "
              "--set A=0.55 --section 'period=2*pi/w,phase=0.5' --vary A=0.52:0.6 --skip 200 "
              "--switch 1");
    t = study_read(s->out);
    assert_true(study_value(t, t->n - 1, "way") == 2 && study_value(t, t->n - 1, "A") == 0.52);
    study_near(2 * study_value(t, t->n - 1, "re1"), 0.752019262193, 1e-10);
    // grazing from the side without
    STUDY_RUN(s, 0,
              "$CAROM continue osc.yaml " STRICT " --set w=0.8 --set A=0.29 --start x=-0.8 "
              "--section 'period=2*pi/w' --vary A=0.25:0.6 --skip 100");
    t = study_read(s->out);
    study_near(special(t, 5, "A") / 0.368781778291715, 1, 1e-9);
    assert_true(special(t, 5, "impacts") == 0);
    // a doubling along the frequency, which is in the period of the section
    STUDY_RUN(s, 0,
              "$CAROM continue osc.yaml " STRICT " --set zeta=0 --set d=0 --set A=1 --set e=0.8 "
              "--set w=2.3 --start x=-0.1 --section 'period=2*pi/w' --vary w=2.2:2.8 --skip 250");
    study_near(special(study_read(s->out), 2, "w") / 2.653347727855323, 1, 1e-9);
    // a fold, around which it goes, from 20 % away
    STUDY_RUN(s, 0,
              "$CAROM continue osc.yaml " STRICT " --set zeta=0 --set A=0.7773 "
              "--start x=-2.3598928933771632 --start 'der(x)=3.499195707373553' "
              "--section 'period=2*pi/w' --vary A=0.6:0.8 --skip 0");
    t = study_read(s->out);
    study_near(special(t, 1, "A") / 0.647783165025899, 1, 1e-9);
    study_near(special(t, 1, "re1"), 1, 1e-9);
    int n_side[2] = {0};
    for (int i = 0; i < t->n; i++)
        if (study_value(t, i, "point") == 0) n_side[study_value(t, i, "stable") == 1]++;
    assert_true(n_side[0] > 4 && n_side[1] > 4);
}

// Den Hartog: above f_lim a mass on dry friction stops; the walk goes on with the events behind it.
// The pair of impacts that grazes on the way of twice the period; an impact upon the section
static void branches_go_through_touches(void **state)
{
    shell *s = *state;
    const double r = 0.6, V = 1 / (1 - r * r), U = sin(PI / r) / (r * (1 + cos(PI / r)));
    STUDY_RUN(s, 0,
              "$CAROM continue hartog.yaml " STRICT
              " --set f=0.45 --section 'period=2*pi/r' --skip 20 --vary f=0.4:0.6");
    const study_table *t = study_read(s->out);
    study_near(special(t, 7, "f") / (V / hypot(U, 1 / (r * r))), 1, 2e-9);
    double most = 0;
    for (int i = 0; i < t->n; i++) most = fmax(most, study_value(t, i, "f"));
    assert_true(most == 0.6);
    static const char *const doubled =
        "--set zeta=0 --set w=0.85 --set e=0.7 --set A=0.585 --vary A=0.55:0.6 --skip 200 --switch 1";
    STUDY_RUN(s, 0, "$CAROM continue osc.yaml " STRICT " --section 'period=2*pi/w' %s", doubled);
    t = study_read(s->out);
    study_near(special(t, 2, "A") / 0.5684446676915919, 1, 1e-9);
    assert_true(special(t, 11, "way") == 2);
    STUDY_RUN(s, 0,
              "$CAROM continue osc.yaml " STRICT " --set zeta=0 --set w=0.75 --set e=0.6 "
              "--set d=1.3 --set A=1 --start x=0 --section 'period=2*pi/w' --vary "
              "A=0.5:1.02 --skip 250");
    t = study_read(s->out);
    study_near(special(t, 2, "A") / 0.6622622657178576, 1, 1e-9);
    study_near(special(t, 5, "A") / 0.56875, 1, 1e-9);
}

// contacts that have just been left are no gaps that turn: the woodpecker's branch is whole, from
// wherever it starts
static void the_woodpecker_doubles_twice(void **state)
{
    shell *s = *state;
    static const double start[] = {0.31, 0.315};
    for (int i = 0; i < 2; i++) {
        STUDY_RUN(
            s, 0,
            "$CAROM continue %s/models/woodpecker.yaml --scheme event_driven --tolerance 1e-10 "
            "--section event=beak:impact:after --shift y=free --skip 30 --set mu=%g "
            "--vary mu=0.3:0.33",
            CAROM_SOURCE_DIR, start[i]);
        const study_table *t = study_read(s->out);
        study_near(special(t, 2, "mu"), 0.318608062, 1e-8);
        assert_true(isnan(special(t, 6, "mu")) && isnan(special(t, 5, "mu")));
    }
}

static void other_machines_have_theirs(void **state)
{
    shell *s = *state;
    const double phi = acos(PI / 3 / 1.25), rest = 2 * PI - phi;
    STUDY_RUN(s, 0,
              "$CAROM continue table.yaml " STRICT " --start y=%.17g --start 'der(y)=%.17g' "
              "--section 'period=2*pi,phase=0.5' --vary G=0.9:1.6 --skip 0",
              1.25 * sin(phi) + PI * rest - rest * rest / 2, PI - rest);
    const study_table *t = study_read(s->out);
    study_near(special(t, 1, "G") / 1.047197551196598, 1, 1e-9);
    study_near(special(t, 2, "G") / 1.526823700519, 1, 1e-9);
    STUDY_RUN(s, 0,
              "$CAROM continue pair.yaml " STRICT " --section 'period=2*pi,phase=0.3' "
              "--vary L=7.6:11 --skip 900");
    study_near(special(study_read(s->out), 1, "L") / 9.634647871604, 1, 1e-9);
    STUDY_RUN(s, 0,
              "$CAROM continue damper.yaml " STRICT " --section 'period=2*pi/w' --vary L=4:5.5 "
              "--skip 300");
    study_near(special(study_read(s->out), 3, "L") / 5.12103433872899, 1, 1e-9);
}

static void wrong_questions_are_refused(void **state)
{
    static const struct {
        const char *line, *message;
        int code;
    } wrong[] = {
        {"orbit osc.yaml --section event=stop:impact:after", "the model depends on t", 1},
        {"orbit osc.yaml --section event=stop:impact:before", ":after", 2},
        {"orbit osc.yaml --section 'period=2*pi/w' --scheme moreau_midpoint --step 1e-3",
         "need scheme event_driven", 2},
        {"lyap osc.yaml --section 'period=2*pi/w' --scheme moreau_midpoint --step 1e-3",
         "--method pair gives the largest one", 2},
        {"lyap osc.yaml --section 'period=2*pi/w' --method pair", "fixed steps", 2},
        {"lyap osc.yaml --section 'period=2*pi/w' --method twins", "tangent or pair", 2},
        {"orbit osc.yaml --section 'period=2*pi/w' --option smooth=gen_alpha", "phem56", 2},
        {"orbit osc.yaml --section 'period=2*pi/w' --shift z=free", "no coordinate 'z'", 2},
        {"orbit osc.yaml --section 'period=2*pi/w' --shift x", "a shift is", 2},
        {"orbit osc.yaml --section 'period=2*pi/w' --times 0", "from 1 to 1000", 2},
        {"orbit osc.yaml --section 'period=2*pi/w' --by omga", "no parameter, start or rate", 2},
        {"sensitivity osc.yaml --by e", "needs something to take", 2},
        {"sensitivity osc.yaml --take 'last x'", "needs something to differentiate by", 2},
        {"sensitivity osc.yaml --by e --take 'largest x'", "no derivative here", 2},
        {"sensitivity osc.yaml --by e --take 'at y 2'", "no column 'y'", 2},
        {"lyap osc.yaml --section 'period=2*pi/w' --points 5", "at least 20 points", 2},
        {"continue osc.yaml --section 'period=2*pi/w'", "needs what it goes along", 2},
        {"continue osc.yaml --section 'period=2*pi/w' --vary A=2:1", "the smaller first", 2},
        {"continue osc.yaml --section 'period=2*pi/w' --vary A=2:3 --skip 5", "not between 2 and 3",
         1},
    };
    shell *s = *state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const int code = shell_run(s, "$CAROM %s", wrong[i].line);
        if (code != wrong[i].code || !strstr(s->err, wrong[i].message))
            fail_msg("%s: exit %d: %s", wrong[i].line, code, s->err);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_go_through_impacts),
        cmocka_unit_test(derivatives_go_through_friction_and_tails),
        cmocka_unit_test(orbits_are_those_of_other_code),
        cmocka_unit_test(orbits_stick_and_slip),
        cmocka_unit_test(a_free_coordinate_is_left_out),
        cmocka_unit_test(exponents_are_those_of_closed_forms),
        cmocka_unit_test(exponents_are_sorted_and_not_lost),
        cmocka_unit_test(pairs_of_time_stepping_know_the_largest),
        cmocka_unit_test(branches_have_their_special_points),
        cmocka_unit_test(branches_go_through_touches),
        cmocka_unit_test(the_woodpecker_doubles_twice),
        cmocka_unit_test(other_machines_have_theirs),
        cmocka_unit_test(wrong_questions_are_refused),
    };
    return cmocka_run_group_tests(tests, start, shell_end);
}
