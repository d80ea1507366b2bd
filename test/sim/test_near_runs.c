// SPDX-License-Identifier: Apache-2.0
// counts allocations: runs of shapes whose contacts come and go. A step takes no memory once there
// is room, a restart goes on bit for bit, and scenes that are turned, moved or told in another
// order move as before.
#include "count_allocations.h"
#include "sim/near_rig.h"

#include <stdlib.h>
#include <unistd.h>

// boxes that fall on each other; order: how they are listed
#define BOX(name, x, y, angle)                                                                     \
    "  " name ": {mass: 1, inertia: 2e-3, at: [" x ", " y "], angle: " angle                       \
    ", shape: {box: [0.1, 0.08]}}\n"
#define BOXES_HEAD "carom: 1\nspace: plane\ngravity: [0, -9.81]\nbodies:\n"
#define BOXES_TAIL                                                                                 \
    "  ground: {shape: {half_plane: [0, 0], normal: [0, 1]}}\n"                                    \
    "materials: [{between: [default, default], restitution: 0.2, friction: 0.4}]\n"
#define BOX_A BOX("a", "0", "0.05", "0.1")
#define BOX_B BOX("b", "0.03", "0.16", "-0.2")
#define BOX_C BOX("c", "-0.02", "0.28", "0.5")
static const char boxes[] = BOXES_HEAD BOX_A BOX_B BOX_C BOXES_TAIL;
static const char boxes_swapped[] = BOXES_HEAD BOX_C BOX_A BOX_B BOXES_TAIL;

static void a_step_allocates_nothing(void **state)
{
    (void)state;
    static const char *const scheme[] = {"moreau_midpoint", "moreau_jean", "tdg_velocity",
                                         "moreau_combined_projection", "variational"};
    for (int k = 0; k < 5; k++) {
        carom_error error = {0};
        carom_model *model = near_model(boxes);
        carom_sim *sim = near_sim(model, scheme[k], 1e-3, 0.6);
        near_run(sim); // room for all that is met
        near_must(carom_sim_reset(sim, &error), &error);
        const long before = n_allocation;
        near_run(sim);
        assert_int_equal(n_allocation, before);
        carom_sim_free(sim);
        carom_model_free(model);
    }
}

static void a_restart_goes_on_bit_for_bit(void **state)
{
    (void)state;
    static const char *const scheme[] = {"moreau_midpoint", "moreau_jean", "nonsmooth_gen_alpha",
                                         "tdg_velocity_adaptive", "event_driven"};
    char path[] = "/tmp/carom-near-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    for (int k = 0; k < 5; k++) {
        carom_error error = {0};
        carom_model *model = near_model(boxes);
        carom_sim *whole = near_sim(model, scheme[k], 1e-3, 0.3),
                  *half = near_sim(model, scheme[k], 1e-3, 0.3),
                  *rest = near_sim(model, scheme[k], 1e-3, 0.3);
        const carom_sizes size = carom_model_sizes(model);
        near_run(whole);
        for (int i = 0; i < 150; i++) near_must(carom_sim_step(half, &error), &error);
        near_must(carom_sim_checkpoint(half, path, &error), &error);
        near_must(carom_sim_restart(rest, path, &error), &error);
        near_run(rest);
        const carom_state *a = carom_sim_state(whole), *b = carom_sim_state(rest);
        assert_memory_equal(a->q, b->q, sizeof(double) * (size_t)size.nq);
        assert_memory_equal(a->u, b->u, sizeof(double) * (size_t)size.nu);
        assert_memory_equal(a->P, b->P, sizeof(double) * (size_t)size.n_row);
        for (int c = 0; c < size.n_contact; c++)
            assert_true(carom_sim_slot(whole, c).key == carom_sim_slot(rest, c).key);
        carom_sim_free(whole);
        carom_sim_free(half);
        carom_sim_free(rest);
        carom_model_free(model);
    }
    remove(path);
}

// x, y and angle of a body at the end
static void end_of(const carom_model *model, const carom_sim *sim, const char *name, double *pose)
{
    carom_error error = {0};
    carom_pose found;
    const carom_state *s = carom_sim_state(sim);
    near_must(carom_model_pose(model, s->t, s->q, carom_model_body(model, name), &found, &error),
              &error);
    pose[0] = found.r[0];
    pose[1] = found.r[1];
    pose[2] = atan2(found.R[3], found.R[0]);
}

static void run_scene(const char *text, const char *name, double *pose)
{
    carom_model *model = near_model(text);
    carom_sim *sim = near_sim(model, "moreau_midpoint", 1e-3, 0.25);
    near_run(sim);
    end_of(model, sim, name, pose);
    carom_sim_free(sim);
    carom_model_free(model);
}

static void bodies_in_another_order_move_as_before(void **state)
{
    (void)state;
    static const char *const name[] = {"a", "b", "c"};
    for (int b = 0; b < 3; b++) {
        double one[3], other[3];
        run_scene(boxes, name[b], one);
        run_scene(boxes_swapped, name[b], other);
        for (int i = 0; i < 3; i++)
            if (!(fabs(one[i] - other[i]) < 1e-9)) fail_msg("%s: %g", name[b], one[i] - other[i]);
    }
}

// all turned by 0.7 rad and moved
static const char boxes_turned[] =
    "carom: 1\nspace: plane\nparameters: {A: 0.7}\n"
    "gravity: [9.81*sin(A), -9.81*cos(A)]\nbodies:\n"
    "  a: {mass: 1, inertia: 2e-3, at: [3 - 0.05*sin(A), -2 + 0.05*cos(A)], angle: A + 0.1,\n"
    "      shape: {box: [0.1, 0.08]}}\n"
    "  b: {mass: 1, inertia: 2e-3, angle: A - 0.2, shape: {box: [0.1, 0.08]},\n"
    "      at: [3 + 0.03*cos(A) - 0.16*sin(A), -2 + 0.03*sin(A) + 0.16*cos(A)]}\n"
    "  c: {mass: 1, inertia: 2e-3, angle: A + 0.5, shape: {box: [0.1, 0.08]},\n"
    "      at: [3 - 0.02*cos(A) - 0.28*sin(A), -2 - 0.02*sin(A) + 0.28*cos(A)]}\n"
    "  ground: {shape: {half_plane: [3, -2], normal: [-sin(A), cos(A)]}}\n"
    "materials: [{between: [default, default], restitution: 0.2, friction: 0.4}]\n";

static void a_turned_scene_moves_as_before(void **state)
{
    (void)state;
    static const char *const name[] = {"a", "b", "c"};
    const double c = cos(0.7), s = sin(0.7);
    for (int b = 0; b < 3; b++) {
        double one[3], other[3];
        run_scene(boxes, name[b], one);
        run_scene(boxes_turned, name[b], other);
        const double expected[] = {3 + c * one[0] - s * one[1], -2 + s * one[0] + c * one[1],
                                   one[2] + 0.7};
        for (int i = 0; i < 3; i++)
            if (!(fabs(remainder(other[i] - expected[i], 8 * atan(1))) < 1e-9))
                fail_msg("%s: %g", name[b], other[i] - expected[i]);
    }
}

// six disks in a row; all pairs are near with this alert: 15, and 6 with the ground
#define ROW_OF_DISKS(detection)                                                                    \
    "carom: 1\nspace: plane\ngravity: [0, -9.81]\nbodies:\n"                                       \
    "  d[i]: {for: {i: 1..6}, mass: 1, inertia: 5e-3, at: [0.21*i, 0.1 + 0.01*i],\n"               \
    "         velocity: [2 - i, 0], shape: {disk: [0, 0], radius: 0.1}}\n"                         \
    "  ground: {shape: {half_plane: [0, 0], normal: [0, 1]}}\n"                                    \
    "materials: [{between: [default, default], restitution: 0.2, friction: 0.4}]\n"                \
    "detection: {lasting: 0, " detection "}\n"

static void where_room_is_short_what_touches_is_kept(void **state)
{
    (void)state;
    carom_model *all = near_model(ROW_OF_DISKS("alert: 10")),
                *few = near_model(ROW_OF_DISKS("alert: 10, room: 11"));
    assert_int_equal(carom_model_sizes(all).n_contact, 21);
    assert_int_equal(carom_model_sizes(few).n_contact, 11);
    carom_sim *a = near_sim(all, "moreau_midpoint", 1e-3, 0.4),
              *b = near_sim(few, "moreau_midpoint", 1e-3, 0.4);
    near_run(a);
    near_run(b);
    assert_true(carom_sim_counts(a).contact_steps > 100);
    for (int i = 0; i < 18; i++)
        assert_true(fabs(carom_sim_state(a)->q[i] - carom_sim_state(b)->q[i]) < 1e-9);
    carom_sim_free(a);
    carom_sim_free(b);
    carom_model_free(all);
    carom_model_free(few);
}

static void what_touches_without_room_is_refused_with_the_number(void **state)
{
    (void)state;
    carom_error error = {0};
    carom_model *model = near_model(ROW_OF_DISKS("room: 4"));
    carom_sim *sim = near_sim(model, "moreau_midpoint", 1e-3, 0.4);
    assert_int_equal(carom_sim_run(sim, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "more touch than the 4"));
    assert_non_null(strstr(error.message, "detection: {room: "));
    carom_sim_free(sim);
    carom_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_allocates_nothing),
        cmocka_unit_test(where_room_is_short_what_touches_is_kept),
        cmocka_unit_test(what_touches_without_room_is_refused_with_the_number),
        cmocka_unit_test(a_restart_goes_on_bit_for_bit),
        cmocka_unit_test(bodies_in_another_order_move_as_before),
        cmocka_unit_test(a_turned_scene_moves_as_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
