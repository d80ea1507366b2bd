// SPDX-License-Identifier: Apache-2.0
// Events of contacts that come and go: where the features change with which shapes touch, against
// closed forms, and against time stepping with small steps.
#include "schemes/event_driven_rig.h"

#define G 9.81

// a smooth ball slides off a table: about the corner, like a particle on a smooth circle
#define TABLE                                                                                      \
    "  ground: {shape: {polygon: [[-1, -1], [0, -1], [0, 0], [-1, 0]]}}\n"                         \
    "materials: [{between: [default, default]}]\ndetection: {lasting: 0}\n"
static const char ball_on_table[] =
    "carom: 1\nspace: plane\ngravity: [0, -9.81]\nparameters: {R: 0.1, v: 0.3}\nbodies:\n"
    "  ball: {mass: 1, inertia: 4e-3, at: [-0.2, R], velocity: [v, 0], shape: {disk: [0, 0], "
    "radius: R}}\n" TABLE;

static void a_ball_slides_off_a_table(void **state)
{
    (void)state;
    run r;
    const double R = 0.1, v = 0.3, cosine = (v * v + 2 * G * R) / (3 * G * R);
    go(&r, &(plan){.text = ball_on_table, .tolerance = 1e-11, .end = 1.2});
    is_near(find(&r, CAROM_EDGE, 0)->t, 0.2 / v, 1e-10);
    assert_int_equal(count(&r, CAROM_IMPACT), 0);
    // energy and m v^2/R = m g cos, where it leaves the corner; then it falls
    const double speed = sqrt(G * R * cosine), sine = sqrt(1 - cosine * cosine);
    const double t = 1.2 - find(&r, CAROM_OPEN, 0)->t;
    const carom_state *end_state = carom_sim_state(r.sim);
    is_near(end_state->u[0], speed * cosine, 1e-8);
    is_near(end_state->u[1], -speed * sine - G * t, 1e-8);
    is_near(end_state->q[0], R * sine + speed * cosine * t, 1e-8);
    is_near(end_state->q[1], R * cosine - speed * sine * t - G * t * t / 2, 1e-8);
    end(&r);
}

// a smooth box slides over an edge: its front corner passes at once, and it tips when its middle
// has passed
static const char box_on_table[] =
    "carom: 1\nspace: plane\ngravity: [0, -9.81]\nbodies:\n"
    "  box: {mass: 1, at: [-0.3, 0.05], velocity: [0.5, 0], shape: {box: [0.2, 0.1]}}\n" TABLE;

static void a_box_tips_over_an_edge(void **state)
{
    (void)state;
    run r;
    go(&r, &(plan){.text = box_on_table, .tolerance = 1e-10, .end = 0.7});
    is_near(find(&r, CAROM_EDGE, 0)->t, 0.2 / 0.5, 1e-10);
    is_near(find(&r, CAROM_OPEN, 0)->t, 0.3 / 0.5, 1e-9);
    assert_true(carom_sim_state(r.sim)->q[2] < -0.05);
    assert_true(audit(&r).min_gap > -1e-12);
    is_near(audit(&r).energy_error, 0, 1e-11);
    end(&r);
}

// cubes of one size lie edge on edge: which one's corner it is changes nothing
static void corners_on_corners_are_no_events(void **state)
{
    (void)state;
    run r;
    go(&r, &(plan){.file = "stack", .end = 0.5});
    assert_int_equal(count(&r, CAROM_EDGE), 0);
    is_near(carom_sim_state(r.sim)->q[2 * 7 + 2], 0.25, 1e-15);
    end(&r);
}

// Nothing is near at the start, and the speed there says nothing of what comes.
static const char pulled[] =
    "carom: 1\nspace: plane\nbodies:\n"
    "  a: {mass: 1, inertia: 4e-3, at: [0, 0], shape: {disk: [0, 0], radius: 0.1}}\n"
    "  b: {mass: 1, inertia: 4e-3, at: [0.205, 0], shape: {box: [0.2, 0.2]}}\n"
    "force elements: {push: {force: a, at: [a.x, a.y], value: [100, 0]}}\n"
    "materials: [{between: [default, default], restitution: 1}]\ndetection: {lasting: 0}\n";

static void what_comes_near_inside_a_step_is_met(void **state)
{
    (void)state;
    run r;
    go(&r, &(plan){.text = pulled, .tolerance = 1e-10, .end = 0.02});
    is_near(find(&r, CAROM_IMPACT, 0)->t, 0.01, 1e-9);
    is_near(carom_sim_state(r.sim)->u[0], 100 * 0.01, 1e-8);
    is_near(carom_sim_state(r.sim)->u[3], 1, 1e-8);
    end(&r);
}

static double step_to(const char *file, const char *text, double h, double end_time, int i)
{
    carom_error error = {0};
    carom_modelfile *given;
    carom_sim *sim;
    if (file)
        given = shipped_file(file);
    else
        must(carom_modelfile_read_text(text, strlen(text), "text", &given, &error), &error);
    carom_model *model = finish_file(given);
    carom_sim_options options = carom_sim_default();
    options.scheme = "moreau_jean";
    options.step = h;
    options.end = end_time;
    must(carom_sim_new(model, &options, &sim, &error), &error);
    must(carom_sim_run(sim, &error), &error);
    const double q = carom_sim_state(sim)->q[i];
    carom_sim_free(sim);
    carom_model_free(model);
    return q;
}

static const char cube_on_block[] =
    "carom: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
    "  cube: {density: 1000, at: [-0.05, 0.01, 0.1], velocity: [0.6, 0.05, 0], spin: [1, 3, 0.4],\n"
    "         shape: {box: [0.1, 0.1, 0.1]}}\n"
    "  ground: {shape: {box: [0.4, 0.4, 0.2], at: [-0.1, 0, -0.1]}}\n"
    "materials: [{between: [default, default], friction: 0.3}]\n";
static const char prism_on_board[] =
    "carom: 1\nspace: plane\ngravity: [0, -9.81]\nparameters: {r: 0.1, s: r*sqrt(3)/2}\nbodies:\n"
    "  prism: {mass: 1, at: [0, s + 4e-4], velocity: [0.9, 0], spin: -9,\n"
    "    shape: {polygon: [[r, 0], [r/2, s], [-r/2, s], [-r, 0], [-r/2, -s], [r/2, -s]]}}\n"
    "  board: {mass: 5, at: [0.2, -0.05], shape: {box: [1, 0.1]}}\n"
    "  ground: {shape: {half_plane: [0, -0.1], normal: [0, 1]}}\n"
    "materials: [{between: [default, default], friction: 0.5}]\n";

// error of time stepping at 4 h and h, to where it is first order
static void time_stepping_comes_to_the_same(void **state)
{
    (void)state;
    static const struct {
        const char *file, *text;
        double end, h, most;
        int i;
    } scene[] = {{"dominoes", NULL, 0.3, 5e-5, 8, 2},
                 {NULL, cube_on_block, 0.22, 5e-5, 3, 0},
                 {NULL, prism_on_board, 0.24, 5e-5, 8, 2}};
    for (size_t k = 0; k < sizeof scene / sizeof *scene; k++) {
        run r;
        go(&r, &(plan){.file = scene[k].file, .text = scene[k].text, .end = scene[k].end});
        const double q = carom_sim_state(r.sim)->q[scene[k].i];
        assert_true(count(&r, CAROM_EDGE) + count(&r, CAROM_IMPACT) > 0);
        for (double h = 4 * scene[k].h; h >= scene[k].h; h /= 4) {
            const double other = step_to(scene[k].file, scene[k].text, h, scene[k].end, scene[k].i);
            is_near(other, q, scene[k].most * h);
        }
        end(&r);
    }
}

// Where modes go round in circles a short step of time stepping passes the place: dominoes that
// come to rest on each other.
static void dominoes_come_to_rest(void **state)
{
    (void)state;
    run r;
    const char *const change[] = {"n=6", NULL};
    go(&r, &(plan){.file = "dominoes", .change = change, .end = 0.8});
    const carom_audit it = audit(&r);
    assert_true(it.min_gap > -1e-9);
    is_near(it.energy_error, 0, 1e-5 * it.energy_start);
    for (int i = 0; i < 3 * 6; i++) is_near(carom_sim_state(r.sim)->u[i], 0, 0.2);
    end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_slides_off_a_table),
        cmocka_unit_test(a_box_tips_over_an_edge),
        cmocka_unit_test(corners_on_corners_are_no_events),
        cmocka_unit_test(what_comes_near_inside_a_step_is_met),
        cmocka_unit_test(time_stepping_comes_to_the_same),
        cmocka_unit_test(dominoes_come_to_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
