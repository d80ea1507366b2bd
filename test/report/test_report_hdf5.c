// SPDX-License-Identifier: Apache-2.0
// What goes into a report: envelopes keep the extremes, contacts are found in the drawing, texts
// cannot leave their element.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

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

static void read_model(const char *name, char *text, size_t room)
{
    char path[512];
    snprintf(path, sizeof path, "%s/models/%s.yaml", CAROM_SOURCE_DIR, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, room - 1, file)] = 0;
    fclose(file);
}

static int locate_in(const char *name, carom_spot *spot, carom_frames *frames)
{
    static char text[1 << 16];
    carom_error error = {0};
    read_model(name, text, sizeof text);
    const carom_output_head head = {
        .model_path = "model.yaml", .model_text = text, .changes = "", .options = ""};
    assert_int_equal(carom_frames_open(frames, &head, 10, 1000, &error), CAROM_OK);
    if (!frames->model) fail_msg("%s", frames->why);
    assert_int_equal(carom_locate(frames, spot, &error), CAROM_OK);
    return carom_model_sizes(frames->model).n_contact;
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

static void a_model_that_cannot_be_made_again_says_why(void **state)
{
    (void)state;
    carom_frames frames;
    carom_error error = {0};
    const carom_output_head head = {.model_path = "gone.yaml",
                                    .model_text = "carom: 1\nwrong: [",
                                    .changes = "",
                                    .options = ""};
    assert_int_equal(carom_frames_open(&frames, &head, 10, 1000, &error), CAROM_OK);
    assert_null(frames.model);
    assert_non_null(strstr(frames.why, "gone.yaml"));
    carom_frames_close(&frames);
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
        cmocka_unit_test(the_corners_of_the_slider_are_found),
        cmocka_unit_test(a_model_that_cannot_be_made_again_says_why),
        cmocka_unit_test(texts_cannot_leave_their_element),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
