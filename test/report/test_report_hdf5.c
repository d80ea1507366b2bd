// SPDX-License-Identifier: Apache-2.0
// What goes into a report: envelopes keep the extremes, contacts are found in the drawing, texts
// cannot leave their element.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carom/bodies.h"
#include "report/buckets.h"
#include "report/encode.h"
#include "report/envelope.h"
#include "report/locate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void envelopes_keep_extremes_and_their_order(void **state)
{
    (void)state;
    enum { N = 1000, BUCKET = 50 };
    carom_envelope e;
    carom_error error = {0};
    assert_int_equal(carom_envelope_new(&e, 2, 2 * N / BUCKET, &error), CAROM_OK);
    for (int i = 0; i < N; i++) {
        const double value[2] = {i == 333   ? 7
                                 : i == 340 ? -5
                                            : sin((double)i),
                                 i == 500 ? NAN : (double)i};
        carom_envelope_add(&e, 0.1 * i, value, i % BUCKET == 0);
    }
    carom_envelope_finish(&e);
    assert_int_equal(e.n_point, 2 * N / BUCKET);
    // bucket 6 has rows 300 to 349: the peak comes before the trough
    assert_true(e.value[12] == 7 && e.value[13] == -5);
    for (long i = 1; i < e.n_point; i++) assert_true(e.t[i] > e.t[i - 1]);
    // what is not finite is left out where there is something else
    assert_true(e.value[e.room + 20] == 501 && e.value[e.room + 21] == 549);
    carom_envelope_free(&e);
}

static void single_rows_are_kept_as_they_are(void **state)
{
    (void)state;
    carom_envelope e;
    carom_error error = {0};
    assert_int_equal(carom_envelope_new(&e, 1, 3, &error), CAROM_OK);
    const double value[3] = {1, NAN, 3};
    for (int i = 0; i < 3; i++) carom_envelope_add(&e, i, &value[i], true);
    carom_envelope_finish(&e);
    assert_int_equal(e.n_point, 3);
    assert_true(e.value[0] == 1 && isnan(e.value[1]) && e.value[2] == 3);
    carom_envelope_free(&e);
}

// 5000 rows as 600 points: all rows near an impact, none left out
static void rows_near_impacts_are_shown_one_by_one(void **state)
{
    (void)state;
    enum { N = 5000, HIT = 1234 };
    const char path[] = "report-buckets.csv";
    carom_error error = {0};
    carom_results *results;
    carom_buckets b;
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "t,x\n");
    for (int i = 0; i < N; i++) fprintf(file, "%d,0\n", i);
    fclose(file);
    assert_int_equal(carom_results_open(path, &results, &error), CAROM_OK);
    const carom_logged_event event = {.t = HIT, .contact = "c", .kind = "impact", .P = 1};
    assert_int_equal(carom_buckets_make(&b, results, 600, &event, 1, &error), CAROM_OK);
    for (int i = HIT - 24; i <= HIT + 25; i++) assert_true(b.starts[i]);
    // both ends stand alone; buckets that windows cut add a few points
    assert_true(b.starts[0] && b.starts[1] && b.starts[N - 1]);
    assert_true(b.n_point > 500 && b.n_point <= 600 + 8);
    // elsewhere buckets are about equal: 551 points of two for each bucket
    long longest = 0, length = 0;
    for (int i = 0; i < N; i++) {
        length = b.starts[i] ? 1 : length + 1;
        longest = length > longest ? length : longest;
    }
    assert_true(longest <= N / 275 + 2);
    carom_buckets_free(&b);
    carom_results_free(results);
    unlink(path);
}

static void read_model(const char *name, char *text, size_t room)
{
    char path[512];
    snprintf(path, sizeof path, "%s/models/%s.yaml", CAROM_SOURCE_DIR, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, room - 1, file)] = 0;
    fclose(file);
}

static int locate_in_text(const char *text, carom_spot *spot, carom_frames *frames)
{
    carom_error error = {0};
    const carom_output_head head = {
        .model_path = "model.yaml", .model_text = text, .changes = "", .options = ""};
    const carom_frames_source source = {&head, "", NULL};
    assert_int_equal(carom_frames_open(frames, &source, 10, 1000, &error), CAROM_OK);
    if (!frames->model) fail_msg("%s", frames->why);
    assert_int_equal(carom_locate(frames, spot, &error), CAROM_OK);
    return carom_model_sizes(frames->model).n_contact;
}

static int locate_in(const char *name, carom_spot *spot, carom_frames *frames)
{
    static char text[1 << 16];
    read_model(name, text, sizeof text);
    return locate_in_text(text, spot, frames);
}

// the four corners are vertices 0, 1, 3, 2 of the polygon, and push towards the middle
static void the_corners_of_the_slider_are_found(void **state)
{
    (void)state;
    carom_spot spot[16];
    carom_frames frames;
    assert_int_equal(locate_in("slider-crank", spot, &frames), 4);
    const int first = carom_model_drawing(frames.model, 4)->first, vertex[] = {0, 1, 3, 2};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(spot[i].kind, CAROM_SPOT_POINT);
        assert_int_equal(spot[i].a, first + 2 * vertex[i]);
        assert_true(spot[i].n[0] == 0 && spot[i].n[1] == (i < 2 ? -1 : 1));
        assert_true(fabs(spot[i].offset - 0.026) < 1e-9);
    }
    carom_frames_close(&frames);
}

// The box is drawn before the ball, and all its corners move with the walls: both contacts are at
// the ball, against the wall that it meets.
static void walls_that_move_are_told_apart(void **state)
{
    (void)state;
    static const char *const text =
        "carom: 1\nparameters: {L: 1, r: 0.1}\n"
        "coordinates: {X: {start: 0}, x: {start: 0.3}}\nkinetic: der(X)^2 + der(x)^2/2\n"
        "contacts:\n  - {name: left, gap: x - X - r}\n  - {name: right, gap: X + L - x - r}\n"
        "draw:\n  - polygon: [[X, 0], [X + L, 0], [X + L, 1], [X, 1]]\n"
        "  - {disc: [x, r], radius: r}\n";
    carom_spot spot[2];
    carom_frames frames;
    assert_int_equal(locate_in_text(text, spot, &frames), 2);
    const int box = carom_model_drawing(frames.model, 0)->first,
              ball = carom_model_drawing(frames.model, 1)->first;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(spot[i].kind, CAROM_SPOT_PAIR);
        assert_int_equal(spot[i].a, ball);
        assert_true(spot[i].n[0] == (i == 0 ? 1 : -1) && spot[i].n[1] == 0);
        assert_true(fabs(spot[i].offset + 0.1) < 1e-9);
    }
    assert_true(spot[0].b == box || spot[0].b == box + 6);     // left corners
    assert_true(spot[1].b == box + 2 || spot[1].b == box + 4); // right corners
    carom_frames_close(&frames);
}

// A box that does not turn: its middle and all its corners keep the distance from the floor
// up to a number, but only the lower ones meet what is drawn of it, or, where nothing
// is drawn, lie deepest.
static void the_side_that_touches_is_found(void **state)
{
    (void)state;
    static const char *const floor[] = {"  - line: [[-1, 0], [1, 0]]\n", ""};
    for (int i = 0; i < 2; i++) {
        char text[1024];
        snprintf(
            text, sizeof text,
            "carom: 1\ncoordinates: {y: {start: 1}}\nkinetic: der(y)^2/2\n"
            "contacts: [{name: floor, gap: y - 0.2}]\ndraw:\n%s"
            "  - polygon: [[-0.2, y + 0.2], [0.2, y + 0.2], [0.2, y - 0.2], [-0.2, y - 0.2]]\n",
            floor[i]);
        carom_spot spot[1];
        carom_frames frames;
        assert_int_equal(locate_in_text(text, spot, &frames), 1);
        const int box = carom_model_drawing(frames.model, i == 0 ? 1 : 0)->first;
        assert_int_equal(spot[0].kind, CAROM_SPOT_POINT);
        assert_true(spot[0].a == box + 4 || spot[0].a == box + 6);
        carom_frames_close(&frames);
    }
}

// the last edge of a polygon goes back to its first point
static void a_polygon_is_closed(void **state)
{
    (void)state;
    static const char *const text =
        "carom: 1\ncoordinates: {x: {start: 1}, th: {start: 0.1}}\n"
        "kinetic: der(x)^2/2 + der(th)^2/2\n"
        "contacts: [{name: side, gap: x*sin(th)}]\ndraw:\n"
        "  - polygon: [[0, 0], [cos(th), -sin(th)], [2, -3], [-cos(th), sin(th)]]\n"
        "  - {disc: [x, 0], radius: 0}\n";
    carom_spot spot[1];
    carom_frames frames;
    assert_int_equal(locate_in_text(text, spot, &frames), 1);
    assert_int_equal(spot[0].kind, CAROM_SPOT_EDGE);
    carom_frames_close(&frames);
}

static void a_model_that_cannot_be_made_again_says_why(void **state)
{
    (void)state;
    carom_frames frames;
    carom_error error = {0};
    const carom_output_head head = {.model_path = "gone.yaml",
                                    .model_text = "carom: 1\nwrong: [",
                                    .changes = "",
                                    .options = ""};
    const carom_frames_source source = {&head, "", NULL};
    assert_int_equal(carom_frames_open(&frames, &source, 10, 1000, &error), CAROM_OK);
    assert_null(frames.model);
    assert_non_null(strstr(frames.why, "gone.yaml"));
    carom_frames_close(&frames);
}

// the path in a result file is a claim: tables beside it are read only where the model is there
static void tables_are_read_only_beside_the_model_itself(void **state)
{
    (void)state;
    static const char text[] = "carom: 1\ntables: {f: {file: table.csv}}\n"
                               "coordinates: {x: {start: 0.5}}\nkinetic: der(x)^2\n"
                               "draw:\n  - {disc: [f(x), 0], radius: 1}\n";
    char folder[] = "/tmp/carom-claim-XXXXXX", path[64], line[128];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/model.yaml", folder);
    snprintf(line, sizeof line, "printf 'x,y\\n0,0\\n1,1\\n' >%s/table.csv", folder);
    assert_int_equal(system(line), 0);
    const carom_output_head head = {
        .model_path = path, .model_text = text, .changes = "", .options = ""};
    const carom_frames_source source = {&head, "", NULL};
    for (int is_there = 0; is_there < 3; is_there++) { // gone, another one, the same
        carom_frames frames;
        carom_error error = {0};
        FILE *file = is_there ? fopen(path, "w") : NULL;
        if (file) fputs(is_there == 1 ? "carom: 1\n" : text, file);
        if (file) fclose(file);
        assert_int_equal(carom_frames_open(&frames, &source, 10, 1000, &error), CAROM_OK);
        if (is_there < 2)
            assert_non_null(strstr(frames.why, "is gone, or no longer the file it was"));
        else
            assert_non_null(frames.model);
        carom_frames_close(&frames);
    }
    snprintf(line, sizeof line, "rm -r %s", folder);
    assert_int_equal(system(line), 0);
}

// the numbers of the first body in a frame at the start, flat, and its pose
static const double *frame_at_start(const char *text, carom_frames *frames, carom_pose *pose)
{
    carom_error error = {0};
    const carom_output_head head = {
        .model_path = "model.yaml", .model_text = text, .changes = "", .options = ""};
    const carom_frames_source source = {&head, "", NULL};
    assert_int_equal(carom_frames_open(frames, &source, 10, 1000, &error), CAROM_OK);
    if (!frames->model) fail_msg("%s", frames->why);
    const double *q = carom_model_start_q(frames->model), *u = carom_model_start_u(frames->model);
    for (int i = 0; i < 2; i++) carom_frames_add(frames, i, q, u);
    bool presses[64];
    memset(presses, true, sizeof presses);
    assert_true(carom_model_sizes(frames->model).n_contact <= 64);
    assert_int_equal(carom_frames_flatten(frames, presses, &error), CAROM_OK);
    assert_int_equal(frames->n_frame, 2);
    const int body = frames->shown.body[0];
    assert_string_equal(carom_model_body_name(frames->model, body), "block");
    assert_int_equal(carom_model_pose(frames->model, 0, q, body, pose, &error), CAROM_OK);
    return frames->value + frames->n_number + frames->n_draw; // in the second frame
}

static void bodies_with_shapes_are_where_they_are(void **state)
{
    (void)state;
    carom_frames f;
    carom_pose pose;
    const double *x = frame_at_start(
        "carom: 1\nspace: plane\nmaterials: [{between: [default, default]}]\nbodies:\n"
        "  bare: {mass: 1, inertia: 1, at: [9, 9]}\n"
        "  block: {mass: 1, at: [1, 2], angle: 0.7, shape: {box: [1, 2]}}\n"
        "  ground: {shape: {half_plane: [0, 0], normal: [0, 1]}}\n",
        &f, &pose);
    assert_true(f.shown.n_body == 2 && f.n_number == f.n_draw + 2 * 4 + 4 * f.n_place);
    assert_true(x[0] == 1 && x[1] == 2 && fabs(x[2] - cos(0.7)) < 1e-15);
    assert_true(fabs(x[3] - sin(0.7)) < 1e-15 && x[4] == 0 && x[6] == 1);
    carom_frames_close(&f);
    // long along y and high: seen from +x, with y to the right and z up
    x = frame_at_start("carom: 1\nmaterials: [{between: [default, default]}]\nbodies:\n"
                       "  block: {mass: 1, at: [1, 2, 3], turned: {axis: [1, 2, 2], angle: 0.1},\n"
                       "          shape: {box: [1, 4, 4]}}\n"
                       "  ground: {shape: {plane: [0, 0, 0], normal: [0, 0, 1]}}\n",
                       &f, &pose);
    assert_true(f.axis[0] == 1 && f.axis[1] == 2 &&
                carom_frames_first_depth(&f, 0) == f.n_draw + 2 * 9 + 6 * f.n_place);
    assert_true(x[0] == 2 && x[1] == 3 && x[2] == 1);
    for (int i = 0; i < 6; i++) assert_true(fabs(x[3 + i] - pose.R[3 + i]) < 1e-15);
    carom_frames_close(&f);
    // long along x: seen from -y, so that depth grows against y
    x = frame_at_start("carom: 1\nmaterials: [{between: [default, default]}]\nbodies:\n"
                       "  block: {mass: 1, at: [1, 2, 3], shape: {box: [4, 1, 4]}}\n"
                       "  ground: {shape: {plane: [0, 0, 0], normal: [0, 0, 1]}}\n",
                       &f, &pose);
    assert_true(f.axis[0] == 0 && x[0] == 1 && x[1] == 3 && x[2] == -2);
    carom_frames_close(&f);
}

// corners of a turned box above the ground: the contact is half way down, and pushes up
static void contacts_of_shapes_are_where_they_are(void **state)
{
    (void)state;
    carom_frames f;
    carom_pose pose;
    const double *x = frame_at_start(
        "carom: 1\nspace: plane\nmaterials: [{between: [default, default]}]\nbodies:\n"
        "  block: {mass: 1, at: [1, 2], angle: 0.7, shape: {box: [1, 2]}}\n"
        "  ground: {shape: {half_plane: [0, 0], normal: [0, 1]}}\n",
        &f, &pose);
    assert_int_equal(f.n_place, 4);
    const double *place = x - f.n_draw + carom_frames_first_place(&f, 0);
    double middle = 0;
    for (int i = 0; i < 4; i++, place += 4) {
        const double dx = place[0] - 1, dy = 2 * place[1] - 2;
        assert_true(fabs(hypot(dx, dy) - sqrt(1.25)) < 1e-14); // a corner
        assert_true(place[2] == 0 && place[3] == 1);
        middle += place[0] / 4;
        assert_string_equal(
            carom_model_body_name(f.model, carom_model_contact(f.model, i)->body[0]), "block");
        assert_int_equal(carom_model_contact(f.model, i)->body[1], 0);
    }
    assert_true(fabs(middle - 1) < 1e-14);
    carom_frames_close(&f);
    // in space, seen from -y: depth grows against y
    x = frame_at_start(
        "carom: 1\nmaterials: [{between: [default, default]}]\nbodies:\n"
        "  block: {mass: 1, at: [1, 2, 3], shape: {sphere: [0, 0, 0], radius: 1}}\n"
        "  ground: {shape: {plane: [0, 0, 0], normal: [0, 0, 1]}}\n"
        "force elements:\n  s: {spring: [ground, block], from: [9, 5, 0], to: [1, 2, 3], "
        "stiffness: 1, length: 1}\n",
        &f, &pose);
    assert_true(f.n_place == 1 && f.axis[0] == 0 && f.axis[1] == 2);
    int spring = 0;
    while (strcmp(carom_model_drawing(f.model, spring)->kind, "spring") != 0) spring++;
    const double *frame = x - f.n_draw, *depth = frame + carom_frames_first_depth(&f, spring);
    place = frame + carom_frames_first_place(&f, 0);
    const double wanted[6] = {1, 1, -2, 0, 1, 0};
    for (int i = 0; i < 6; i++) assert_true(fabs(place[i] - wanted[i]) < 1e-15);
    assert_true(depth[0] == -5 && depth[1] == -2);
    carom_frames_close(&f);
}

static void texts_cannot_leave_their_element(void **state)
{
    (void)state;
    char path[] = "/tmp/carom-encode-XXXXXX", text[512];
    carom_wholefile file;
    carom_error error = {0};
    close(mkstemp(path));
    assert_int_equal(carom_wholefile_open(&file, path, &error), CAROM_OK);
    carom_encoder e = {.file = &file};
    carom_encode_begin(&e, NULL, '{');
    carom_encode_text(&e, "a", "</script><!-- \"quoted\" \\ \n \x01 ü \xff\xed\xa0\x80");
    carom_encode_number(&e, "b", NAN);
    carom_encode_shorts(&e, "c", (const unsigned short[]){0x4241, 0x4443}, 2);
    carom_encode_end(&e, '}');
    assert_int_equal(carom_wholefile_close(&file, CAROM_OK, &error), CAROM_OK);
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    text[fread(text, 1, sizeof text - 1, in)] = 0;
    fclose(in);
    unlink(path);
    assert_null(strpbrk(text, "<>&"));
    assert_non_null(strstr(text, "\\u003c/script\\u003e"));
    assert_non_null(strstr(text, "\\u0022quoted\\u0022 \\u005c \\u000a \\u0001 ü \\ufffd"));
    assert_non_null(strstr(text, "\"b\":null"));
    assert_non_null(strstr(text, "\"QUJDRA==\""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(envelopes_keep_extremes_and_their_order),
        cmocka_unit_test(single_rows_are_kept_as_they_are),
        cmocka_unit_test(rows_near_impacts_are_shown_one_by_one),
        cmocka_unit_test(the_corners_of_the_slider_are_found),
        cmocka_unit_test(walls_that_move_are_told_apart),
        cmocka_unit_test(the_side_that_touches_is_found),
        cmocka_unit_test(a_polygon_is_closed),
        cmocka_unit_test(a_model_that_cannot_be_made_again_says_why),
        cmocka_unit_test(tables_are_read_only_beside_the_model_itself),
        cmocka_unit_test(bodies_with_shapes_are_where_they_are),
        cmocka_unit_test(contacts_of_shapes_are_where_they_are),
        cmocka_unit_test(texts_cannot_leave_their_element),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
