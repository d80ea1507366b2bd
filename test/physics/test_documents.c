// SPDX-License-Identifier: Apache-2.0
// The documentation must be true: the model shown in the README is docs/throw.yaml and runs as
// shown, the first model of docs/models.md runs as shown, and every shipped model runs as its own
// run section says.
#include "physics/rig.h"

#include <stdlib.h>

enum { ROOM = 1 << 16 };

static void read_whole(const char *name, char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", CAROM_SOURCE_DIR, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t n = fread(text, 1, ROOM - 1, file);
    text[n] = 0;
    fclose(file);
}

// the first ```yaml block, in place
static char *first_block(char *text)
{
    char *begin = strstr(text, "```yaml\n");
    assert_non_null(begin);
    begin += strlen("```yaml\n");
    char *end = strstr(begin, "```");
    assert_non_null(end);
    *end = 0;
    return begin;
}

// runs at most n_most steps of what the text's run section asks for
static void run_text(rig *r, const char *text, const char *name, long n_most)
{
    memset(r, 0, sizeof *r);
    const carom_access access = {.parts = CAROM_SOURCE_DIR "/parts"};
    rig_must(
        r, carom_modelfile_read_text_with(text, strlen(text), name, &access, &r->file, &r->error));
    const carom_run_texts *run = carom_modelfile_run(r->file);
    rig_plan plan = {
        .scheme = run->scheme.text, .setting = run->setting, .n_setting = run->n_setting};
    const carom_builder *builder = carom_modelfile_builder(r->file);
    rig_must(r, carom_builder_number(builder, run->step, &plan.step, &r->error));
    rig_must(r, carom_builder_number(builder, run->end, &plan.end, &r->error));
    if (plan.end > (double)n_most * plan.step) plan.end = (double)n_most * plan.step;
    rig_build(r, &plan);
    rig_run(r);
}

static void readme_model_runs_as_shown(void **state)
{
    char *text = malloc(ROOM), *file = malloc(ROOM);
    rig r;
    (void)state;
    read_whole("README.md", text);
    read_whole("docs/throw.yaml", file);
    char *block = first_block(text);
    assert_string_equal(block, file);
    run_text(&r, block, "README", 1000000);
    // the block stops: friction has taken the sliding speed
    rig_near(rig_state(&r)->t, 4, 1e-9);
    rig_below(fabs(rig_state(&r)->u[0]), 1e-14);
    rig_close(&r);
    free(text);
    free(file);
}

static void first_model_of_the_manual_runs_as_shown(void **state)
{
    char *text = malloc(ROOM);
    rig r;
    (void)state;
    read_whole("docs/models.md", text);
    run_text(&r, first_block(text), "docs/models.md", 1000000);
    rig_near(rig_state(&r)->t, 10, 1e-9);
    rig_close(&r);
    free(text);
}

static void every_shipped_model_runs_as_it_says(void **state)
{
    static const char *const model[] = {
        "bouncing-ball",   "ball-in-box",   "oscillator-with-stop",   "chain-of-balls",
        "column-of-beads", "slider-crank",  "slider-crank-bilateral", "spring-pendulum",
        "rocking-block",   "pendulum",      "pendulum-in-ring",       "woodpecker",
        "painleve-rod",    "block-on-belt", "block-on-incline",       "ball-on-moving-plane",
        "bowled-wheel",
    };
    char *text = malloc(ROOM), path[64];
    (void)state;
    for (size_t i = 0; i < sizeof model / sizeof *model; i++) {
        rig r;
        snprintf(path, sizeof path, "models/%s.yaml", model[i]);
        read_whole(path, text);
        run_text(&r, text, path, 2000);
        assert_string_equal(carom_model_name(r.model), model[i]);
        assert_non_null(carom_model_about(r.model));
        assert_non_null(carom_model_source(r.model));
        assert_true(carom_model_sizes(r.model).n_drawing > 0);
        rig_close(&r);
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(readme_model_runs_as_shown),
        cmocka_unit_test(first_model_of_the_manual_runs_as_shown),
        cmocka_unit_test(every_shipped_model_runs_as_it_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
