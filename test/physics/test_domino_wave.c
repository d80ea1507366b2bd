// SPDX-License-Identifier: Apache-2.0
// The wave in a row of dominoes: bodies with shapes, whose contacts come and go, against equations
// in which every corner over the table and over the next domino's face is a gap that is written.
//
//     |t_shapes - t_text| <= h    when the angle of domino i passes -0.5,  pushed by the first
#include "physics/rig.h"

enum { N_DOMINO = 6 };

static const char equations[] =
    "carom: 1\n"
    "parameters: {n: 6, H: 0.048, W: 0.0075, gap: 0.02, m: 0.012, g: 9.81, J: m*(W^2 + H^2)/12}\n"
    "coordinates:\n"
    "  x[i]: {for: {i: 1..n}, start: (W + gap)*i, rate: \"if(i == 1, 3*H/2, 0)\"}\n"
    "  y[i]: {for: {i: 1..n}, start: H/2}\n"
    "  a[i]: {for: {i: 1..n}, rate: \"if(i == 1, -3, 0)\"}\n"
    "kinetic:\n"
    "  - {term: \"m/2*(der(x[i])^2 + der(y[i])^2) + J/2*der(a[i])^2\", for: {i: 1..n}}\n"
    "potential:\n"
    "  - {term: \"m*g*y[i]\", for: {i: 1..n}}\n"
    "define:\n"
    "  cx[i]: {for: {i: 1..n}, value: \"x[i] + cos(a[i])*W/2 - sin(a[i])*H/2\"}\n"
    "  cy[i]: {for: {i: 1..n}, value: \"y[i] + sin(a[i])*W/2 + cos(a[i])*H/2\"}\n"
    "contacts:\n"
    "  - {name: \"left[i]\", for: {i: 1..n}, gap: \"y[i] - sin(a[i])*W/2 - cos(a[i])*H/2\", "
    "slip_rate: \"der(x[i]) + (sin(a[i])*W/2 + cos(a[i])*H/2)*der(a[i])\", friction: 0.5}\n"
    "  - {name: \"right[i]\", for: {i: 1..n}, gap: \"y[i] + sin(a[i])*W/2 - cos(a[i])*H/2\", "
    "slip_rate: \"der(x[i]) - (sin(a[i])*W/2 - cos(a[i])*H/2)*der(a[i])\", friction: 0.5}\n"
    "  - {name: \"hit[i]\", for: {i: 1..n-1}, gap: \"-((cx[i] - x[i+1])*cos(a[i+1]) "
    "+ (cy[i] - y[i+1])*sin(a[i+1])) - W/2\", slip_rate: \"-sin(a[i+1])*(der(cx[i]) "
    "- der(x[i+1]) + der(a[i+1])*(cy[i] - y[i+1])) + cos(a[i+1])*(der(cy[i]) - der(y[i+1]) "
    "- der(a[i+1])*(cx[i] - x[i+1]))\", friction: 0.2}\n";

// when each domino has fallen so far
static void find_times(rig *r, const int angle[N_DOMINO], double h, double t[N_DOMINO])
{
    const double fallen = -0.5;
    double before[N_DOMINO] = {0};
    carom_sim_options options = carom_sim_default();
    options.step = h;
    options.end = 0.5;
    rig_must(r, carom_sim_new(r->model, &options, &r->sim, &r->error));
    for (int i = 0; i < N_DOMINO; i++) t[i] = NAN;
    while (!carom_sim_is_done(r->sim)) {
        rig_step(r, 1);
        const carom_state *s = rig_state(r);
        for (int i = 0; i < N_DOMINO; i++) {
            const double a = s->q[angle[i]];
            if (isnan(t[i]) && a < fallen) t[i] = s->t - h * (fallen - a) / (before[i] - a);
            before[i] = a;
        }
    }
    assert_int_equal(carom_sim_counts(r->sim).unconverged, 0);
    carom_sim_free(r->sim);
    r->sim = NULL;
}

static void open_text(rig *r)
{
    memset(r, 0, sizeof *r);
    rig_must(r,
             carom_modelfile_read_text(equations, strlen(equations), "text", &r->file, &r->error));
    rig_must(r, carom_builder_finish(carom_modelfile_builder(r->file), &r->model, &r->error));
}

static void open_shapes(rig *r)
{
    memset(r, 0, sizeof *r);
    rig_must(r,
             carom_modelfile_read(CAROM_SOURCE_DIR "/models/dominoes.yaml", &r->file, &r->error));
    rig_change(r, (const char *const[]){"n=6", NULL});
    rig_must(r, carom_builder_finish(carom_modelfile_builder(r->file), &r->model, &r->error));
}

static void the_wave_is_that_of_written_gaps(void **state)
{
    (void)state;
    int in_text[N_DOMINO], in_shapes[N_DOMINO];
    rig text, shapes;
    open_text(&text);
    open_shapes(&shapes);
    for (int i = 0; i < N_DOMINO; i++) {
        in_text[i] = 2 * N_DOMINO + i; // x of all, y of all, angles
        in_shapes[i] = 3 * i + 2;
    }
    for (double h = 2e-4; h > 4e-5; h /= 2) {
        double expected[N_DOMINO], t[N_DOMINO];
        find_times(&text, in_text, h, expected);
        find_times(&shapes, in_shapes, h, t);
        for (int i = 0; i < N_DOMINO; i++) rig_near(t[i], expected[i], h);
        // the wave is there: each falls after the one before it, faster and faster
        for (int i = 2; i < N_DOMINO; i++) assert_true(t[i] - t[i - 1] < t[i - 1] - t[i - 2]);
    }
    rig_close(&text);
    rig_close(&shapes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_wave_is_that_of_written_gaps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
