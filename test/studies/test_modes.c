// SPDX-License-Identifier: Apache-2.0
// Modes against closed forms: chains, pendulums with and without constraints, a beam, damping,
// contacts that hold, large models; and matrices that other programs read.
#include "studies/study_rig.h"

static const double PI = 3.14159265358979323846;

static const char chain[] = "carom: 1\nname: chain\n"
                            "parameters: {k: 4, m: 0.25, c: 0, F: 0, n: 8}\n"
                            "coordinates: {'s[i]': {for: {i: 1..n}}}\n"
                            "kinetic: [{term: 'm/2*der(s[i])^2', for: {i: 1..n}}]\n"
                            "potential: [{term: 'k/2*(s[i] - s[i-1])^2', for: {i: 2..n}}, "
                            "{term: 'k/2*s[1]^2'}, {term: 'k/2*s[n]^2'}]\n"
                            "forces: [{coordinate: 's[1]', force: 'F - c*der(s[1])'}]\n"
                            "record: {last: '2*s[n] + F'}\n"
                            "run: {scheme: event_driven, tolerance: 1e-8, end: 1}\n";

static const study_table *modes_of(shell *s, const char *model, const char *options)
{
    STUDY_RUN(s, 0, "$CAROM modes %s %s -q -o modes.csv && cut -d, -f1-5 modes.csv", model,
              options);
    return study_read(s->out);
}

static void a_chain_has_its_frequencies(void **state)
{
    shell *s = *state;
    static const char *const options[] = {"", "--set n=700 --modes 9"}; // dense, and by Lanczos
    static const int n[] = {8, 700};
    shell_write(s, "chain.yaml", chain);
    for (int i = 0; i < 2; i++) {
        const study_table *t = modes_of(s, "chain.yaml", options[i]);
        assert_int_equal(t->n, i ? 9 : 8);
        for (int k = 0; k < t->n; k++) {
            const double w = 8 * sin((k + 1) * PI / (2.0 * (n[i] + 1)));
            study_near(study_value(t, k, "im"), w, 1e-10 * 8);
            study_near(study_value(t, k, "frequency_Hz") * 2 * PI, w, 1e-10 * 8);
            assert_true(study_value(t, k, "re") == 0 && study_value(t, k, "damping") == 0);
        }
    }
}

// one mass with c: w = sqrt(8k/m/4 ...) as x'' + (c/m) x' + (2k/m) x = 0
static void damping_is_that_of_one_mass(void **state)
{
    shell *s = *state;
    shell_write(s, "chain.yaml", chain);
    const study_table *t = modes_of(s, "chain.yaml", "--set n=1 --set c=0.5");
    const double w = sqrt(8 / 0.25), zeta = 0.5 / 0.25 / (2 * w);
    assert_int_equal(t->n, 1);
    study_near(study_value(t, 0, "damping"), zeta, 1e-12);
    study_near(study_value(t, 0, "re"), -zeta * w, 1e-12);
    study_near(study_value(t, 0, "im"), w * sqrt(1 - zeta * zeta), 1e-12);
    t = modes_of(s, "chain.yaml", "--set n=1 --set c=5"); // creeps back: two real eigenvalues
    assert_int_equal(t->n, 2);
    const double r = sqrt(100 - w * w);
    study_near(study_value(t, 0, "re"), -10 + r, 1e-11);
    study_near(study_value(t, 1, "re"), -10 - r, 1e-11);
    assert_true(study_value(t, 0, "im") == 0);
}

// w^2 = (2 -+ sqrt 2) g/l, in angles and as two masses on two rods
static void double_pendulums_agree(void **state)
{
    shell *s = *state;
    shell_write(s, "angles.yaml",
                "carom: 1\nname: angles\nparameters: {g: 9.81, l: 0.7}\n"
                "coordinates: {a: {start: 0.1}, b: {}}\n"
                "kinetic: l^2*der(a)^2 + l^2*der(b)^2/2 + l^2*der(a)*der(b)*cos(a - b)\n"
                "potential: -2*g*l*cos(a) - g*l*cos(b)\n"
                "run: {scheme: event_driven, tolerance: 1e-8, end: 1}\n");
    shell_write(s, "rods.yaml",
                "carom: 1\nname: rods\nparameters: {g: 9.81, l: 0.7}\n"
                "coordinates: {x: {}, y: {start: -l}, u: {}, v: {start: -2*l}}\n"
                "kinetic: (der(x)^2 + der(y)^2 + der(u)^2 + der(v)^2)/2\n"
                "potential: g*(y + v)\n"
                "constraints: [{name: one, equation: 'x^2 + y^2 - l^2'}, "
                "{name: two, equation: '(u - x)^2 + (v - y)^2 - l^2'}]\n"
                "run: {scheme: event_driven, tolerance: 1e-8, end: 1}\n");
    static const char *const model[] = {"angles.yaml", "rods.yaml"};
    for (int i = 0; i < 2; i++) {
        const study_table *t = modes_of(s, model[i], "");
        assert_int_equal(t->n, 2);
        study_near(study_value(t, 0, "im"), sqrt((2 - sqrt(2)) * 9.81 / 0.7), 1e-8);
        study_near(study_value(t, 1, "im"), sqrt((2 + sqrt(2)) * 9.81 / 0.7), 1e-8);
    }
}

// first frequency of a cantilever: 3.516015 sqrt(EI/(rho A L^4)); the error falls with 1/N^2
static void a_cantilever_nears_its_frequency(void **state)
{
    shell *s = *state;
    double error[3];
    shell_write(s, "beam.yaml",
                "carom: 1\nname: beam\nparameters: {n: 8}\ngravity: [0, 0]\n"
                "beams: {bar: {from: {body: ground, at: [0, 0], end: fixed}, length: 1, "
                "elements: n, section: {radius: 2e-4}, elasticity: {E: 1e8, density: 1}}}\n"
                "run: {scheme: implicit_euler, step: 1e-3, end: 1}\n");
    for (int i = 0; i < 3; i++) {
        char option[40];
        snprintf(option, sizeof option, "--set n=%d --modes 3", 8 << i);
        const study_table *t = modes_of(s, "beam.yaml", option);
        error[i] = study_value(t, 0, "im") / 3.516015268500 - 1; // sqrt(E/rho) r/2 = 1
    }
    print_message("errors %g %g %g\n", error[0], error[1], error[2]);
    assert_true(fabs(error[1]) < 5e-3);
    study_near(error[0] / error[1], 4, 0.3);
    study_near(error[1] / error[2], 4, 0.3);
}

// an inverted pendulum falls with sqrt(g/l); a block that sticks has the modes of what hangs on it
static void contacts_hold_and_tops_fall(void **state)
{
    shell *s = *state;
    shell_write(s, "top.yaml",
                "carom: 1\nname: top\ncoordinates: {a: {start: 0}}\n"
                "kinetic: der(a)^2/2\npotential: 4*cos(a)\n"
                "run: {scheme: event_driven, tolerance: 1e-8, end: 1}\n");
    const study_table *t = modes_of(s, "top.yaml", "");
    study_near(study_value(t, 0, "re"), 2, 1e-12);
    study_near(study_value(t, 1, "re"), -2, 1e-12);
    shell_write(s, "block.yaml",
                "carom: 1\nname: block\nparameters: {mu: 0.5, F: 1}\n"
                "coordinates: {x: {}, y: {}, z: {}}\n"
                "kinetic: (der(x)^2 + der(y)^2 + der(z)^2)/2\n"
                "potential: 10*y + 8*(z - x)^2 - F*x\n"
                "contacts: [{name: floor, gap: y, slip: x, friction: mu, restitution: 0}]\n"
                "run: {scheme: event_driven, tolerance: 1e-8, end: 1}\n");
    t = modes_of(s, "block.yaml", "");
    assert_int_equal(t->n, 1);
    study_near(study_value(t, 0, "im"), 4, 1e-10);
    t = modes_of(s, "block.yaml", "--set mu=0 --set F=0"); // slides freely: together, and apart
    assert_int_equal(t->n, 2);
    study_near(study_value(t, 0, "im"), 0, 1e-6);
    study_near(study_value(t, 1, "im"), sqrt(32), 1e-10);
    STUDY_RUN(s, 1, "$CAROM modes block.yaml --set mu=0.05 --set F=2");
    assert_non_null(strstr(s->err, "there is no rest"));
}

static void matrices_are_read_by_others(void **state)
{
    shell *s = *state;
    shell_write(s, "chain.yaml", chain);
    STUDY_RUN(s, 0,
              "$CAROM modes chain.yaml --set n=2 --set c=0.5 --input F --input 's[2]' "
              "--matrices lin.csv -q && tail -2 lin-A.csv && tail -1 lin-B.csv && tail -1 "
              "lin-C.csv && tail -1 lin-D.csv");
    assert_non_null(strstr(s->out, "der(s[1]),-32,16,-2,0\nder(s[2]),16,-32,0,0\n"));
    assert_non_null(strstr(s->out, "der(s[2]),0,4"));
    double c = 0, d = 0, rest[4];
    assert_int_equal(sscanf(strstr(s->out, "last,"), "last,%lf,%lf,%lf,%lf\nlast,%lf,%lf", rest, &c,
                            rest + 1, rest + 2, &d, rest + 3),
                     6);
    study_near(c, 2, 1e-9);
    study_near(d, 1, 1e-9);
    STUDY_RUN(s, 0,
              "$CAROM modes chain.yaml --set n=2 --set c=0.5 --input F --matrices lin.npz -q; "
              "cp lin.npz again.npz; $CAROM modes chain.yaml --set n=2 --set c=0.5 --input F "
              "--matrices lin.npz -q && cmp lin.npz again.npz");
    if (shell_run(s, "/usr/bin/python3 -c 'import numpy'") != 0) {
        print_message("left out: numpy is missing (python3-numpy)\n");
        return;
    }
    STUDY_RUN(s, 0,
              "/usr/bin/python3 -c \"import numpy; d = numpy.load('lin.npz'); "
              "assert d['A'].shape == (4, 4) and d['A'][2, 0] == -32 and d['A'][2, 2] == -2; "
              "assert list(d['states']) == ['s[1]', 's[2]', 'der(s[1])', 'der(s[2])']; "
              "assert list(d['inputs']) == ['F'] and d['outputs'][-1] == 'last'; "
              "assert abs(d['B'][2, 0] - 4) < 1e-9 and abs(d['D'][-1, 0] - 1) < 1e-9\"");
}

static void what_is_wrong_is_said(void **state)
{
    static const struct {
        const char *options, *said;
    } wrong[] = {
        {"--modes 0", "modes"},
        {"--matrices lin.txt", "no known ending"},
        {"--input F", "--input names inputs of --matrices"},
        {"--matrices a.npz --input none", "'none' is neither a coordinate nor a parameter"},
        {"-o chain.yaml", "is the model"}};
    shell *s = *state;
    shell_write(s, "chain.yaml", chain);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const int code = shell_run(s, "$CAROM modes chain.yaml %s", wrong[i].options);
        if (code != 2 || !strstr(s->err, wrong[i].said)) fail_msg("%d: %s", code, s->err);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_chain_has_its_frequencies, shell_start, shell_end),
        cmocka_unit_test_setup_teardown(damping_is_that_of_one_mass, shell_start, shell_end),
        cmocka_unit_test_setup_teardown(double_pendulums_agree, shell_start, shell_end),
        cmocka_unit_test_setup_teardown(a_cantilever_nears_its_frequency, shell_start, shell_end),
        cmocka_unit_test_setup_teardown(contacts_hold_and_tops_fall, shell_start, shell_end),
        cmocka_unit_test_setup_teardown(matrices_are_read_by_others, shell_start, shell_end),
        cmocka_unit_test_setup_teardown(what_is_wrong_is_said, shell_start, shell_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
