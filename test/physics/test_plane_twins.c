// SPDX-License-Identifier: Apache-2.0
// Shipped models of the plane move like their twins in space. A twin is the shipped file with some
// of its words replaced: three inertias for one, vectors and spins with a third component, hinges
// about z, the channel of a notch as the gaps of four corners.
#include "physics/last_row.h"

enum { MOST_RULES = 12, MOST_NAMES = 6, ROOM = 12000 };

/// key: what stands before a value, ending with the [ or { that it is enclosed by; else it ends
/// before , ) ] } or the end of the line. said: what is put in the place of key, value and
/// enclosure, with $ for the value.
typedef struct rule {
    const char *key, *said;
} rule;

static const rule common[] = {
    {"gravity: [", "gravity: [$, 0]"},
    {"inertia: ", "inertia: [1.2*($), 0.9*($), $]"},
    {"spin: ", "spin: [0, 0, $]"},
    {" at: [", " at: [$, 0]"},
    {"velocity: [", "velocity: [$, 0]"},
    {"centre: [", "centre: [$, 0]"},
    {"revolute: ", "revolute: $, axis: [0, 0, 1]"},
};
enum { N_COMMON = sizeof common / sizeof *common };

#define CORNERS                                                                                    \
    "contacts:\n"                                                                                  \
    "  - {name: c1, gap: b + c - slider.k1.y, slip: slider.k1.x, restitution: e, friction: mu}\n"  \
    "  - {name: c2, gap: b + c - slider.k2.y, slip: slider.k2.x, restitution: e, friction: mu}\n"  \
    "  - {name: c3, gap: b + c + slider.k3.y, slip: slider.k3.x, restitution: e, friction: mu}\n"  \
    "  - {name: c4, gap: b + c + slider.k4.y, slip: slider.k4.x, restitution: e, friction: mu}"
#define SLIDER                                                                                     \
    "  slider: {$, points: {k1: [-a, b, 0], k2: [a, b, 0], k3: [-a, -b, 0], k4: [a, -b, 0]}}"

/// What is said of a model beside the common rules, and what of it is compared.
typedef struct pair {
    const char *name;
    const char *record; ///< behind both texts
    rule own[MOST_RULES];
    const char *compared[MOST_NAMES + 1]; ///< beside the energy
    how stepped, exact;
    bool hits; ///< there are impacts
} pair;

static const pair pairs[] = {
    {.name = "slider-crank-bodies",
     .hits = true,
     .record = "record: {x: slider.x, y: slider.y, tip: crank.tip.y, speed: slider.vy}\n",
     .own = {{"tip: [", "tip: [$, 0]"}, {"  slider: {", SLIDER}, {"  notch: {", CORNERS}},
     .compared = {"x", "y", "tip", "speed"},
     .stepped = {"moreau_midpoint", 0.01, 1e-5, 0},
     .exact = {"event_driven", 0.01, 0, 1e-12}},
    {.name = "slider-crank-carried",
     .hits = true,
     .record = "",
     .own = {{"tip: [", "tip: [$, 0]"},
             {"angle: ", "turned: {axis: [0, 0, 1], angle: $}"},
             {"  slider: {", SLIDER},
             {"joints:\n  notch: {", CORNERS}},
     .compared = {"slider_x", "slider_y", "th1", "th2", "th3"},
     .stepped = {"moreau_midpoint", 0.01, 1e-5, 0},
     .exact = {"event_driven", 0.01, 0, 1e-12}},
    {.name = "four-bar",
     .hits = true,
     .record = "",
     .own = {{"B: [", "B: [$, 0]"},
             {"C: [", "C: [$, 0]"},
             {"  C: {journal: [", "  C: {journal: [$], axis: [0, 0, 1], length: 0.02"}},
     .compared = {"rocker_turned"},
     .stepped = {"moreau_midpoint", 0.05, 1e-4, 0},
     .exact = {"event_driven", 0.03, 0, 1e-12}},
    {.name = "four-bar-clearances",
     .hits = true,
     .record = "",
     .own = {{"tip: [", "tip: [$, 0]"},
             {"near: [", "near: [$, 0]"},
             {"far: [", "far: [$, 0]"},
             {"foot: [", "foot: [$, 0]"},
             {"from: [", "from: [$, 0]"},
             {" angle: ", " turned: {axis: [0, 0, 1], angle: $}"},
             {"{journal: [", "{journal: [$], axis: [0, 0, 1], length: 0.02"},
             {"(crank.w ", "(crank.wz $"},
             {"joints:\n", "joints:\n"
                           "  flat: {planar: [ground, coupler], at: coupler, axis: [0, 0, 1]}\n$"}},
     .compared = {"crank_turned"},
     .stepped = {"moreau_midpoint", 0.05, 1e-4, 0},
     .exact = {"event_driven", 0.01, 0, 1e-12}},
    {.name = "gear-train",
     .record = "",
     .own = {{"pin: [", "pin: [$, 0]"}, {"rim: [", "rim: [$, 0]"}, {"value: ", "value: [0, 0, $]"}},
     .compared = {"sun_turned", "carrier_turned"},
     .stepped = {"moreau_midpoint", 0.5, 1e-3, 0},
     .exact = {"hem5", 0.5, 0, 1e-12}},
    {.name = "trebuchet",
     .record = "",
     .own = {{"tip: [", "tip: [$, 0]"},
             {"back: [", "back: [$, 0]"},
             {"low: [", "low: [$, 0]"},
             {"origin: [", "origin: [$, 0]"},
             {" angle: ", " turned: {axis: [0, 0, 1], angle: $}"},
             {"define: {", "joints: {flat: {planar: [ground, ball], at: ball, axis: [0, 0, 1]}}\n"
                           "define: {$}"}},
     .compared = {"height", "speed", "range"},
     .stepped = {"moreau_midpoint", 0.6, 1e-3, 0},
     .exact = {"event_driven", 0.6, 0, 1e-12}},
    {.name = "andrews-squeezer-bodies",
     .record = "record: {x2: k2.K.x, y2: k2.K.y, x4: k4.x, y4: k4.y, x6: k6.x, y6: k6.y}\n",
     .own = {{"F: [", "F: [$, 0]"},
             {"K: [", "K: [$, 0]"},
             {"D: [", "D: [$, 0]"},
             {"G: [", "G: [$, 0]"},
             {"H: [", "H: [$, 0]"},
             {"from: [", "from: [$, 0]"},
             {" angle: ", " turned: {axis: [0, 0, 1], angle: $}"}},
     .compared = {"x2", "y2", "x4", "y4", "x6", "y6"},
     .stepped = {"moreau_midpoint", 1e-3, 1e-5, 0},
     .exact = {"hem5", 1e-3, 0, 1e-9}},
};
enum { N_PAIR = sizeof pairs / sizeof *pairs };

static void read_shipped(const char *name, char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/models/%s.yaml", CAROM_SOURCE_DIR, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    const size_t n = fread(text, 1, ROOM - 1, file);
    fclose(file);
    assert_true(n < ROOM - 1);
    text[n] = 0;
}

// where a value that begins there ends; enclosure: the bracket before it, or what else
static const char *end_of_value(const char *at, char enclosure)
{
    const char *const ends = enclosure == '[' ? "]" : enclosure == '{' ? "}" : ",)]}\n";
    for (int depth = 0; *at; at++) {
        if (depth == 0 && strchr(ends, *at)) break;
        depth += strchr("([{", *at) != NULL;
        depth -= strchr(")]}", *at) != NULL;
    }
    assert_true(*at);
    return at;
}

static void append(char *to, const char *from, size_t n)
{
    const size_t at = strlen(to);
    assert_true(at + n < ROOM);
    memcpy(to + at, from, n);
    to[at + n] = 0;
}

static void append_said(char *to, const char *said, const char *value, size_t n)
{
    for (; *said; said++) append(to, *said == '$' ? value : said, *said == '$' ? n : 1);
}

// how often the rule applied
static int apply_rule(const rule *it, char *text)
{
    static char made[ROOM];
    const char enclosure = it->key[strlen(it->key) - 1], *at = text;
    int times = 0;
    made[0] = 0;
    for (const char *found; (found = strstr(at, it->key)) != NULL; times++) {
        const char *value = found + strlen(it->key), *end = end_of_value(value, enclosure);
        append(made, at, (size_t)(found - at));
        append_said(made, it->said, value, (size_t)(end - value));
        at = end + (enclosure == '[' || enclosure == '{');
    }
    append(made, at, strlen(at));
    strcpy(text, made);
    return times;
}

static void make_twin(const pair *it, char *text)
{
    const rule space = {"space: ", "space: space"};
    assert_int_equal(apply_rule(&space, text), 1);
    for (int i = 0; i < N_COMMON; i++) apply_rule(&common[i], text);
    for (const rule *own = it->own; own->key; own++)
        if (apply_rule(own, text) == 0) fail_msg("%s: there is no '%s'", it->name, own->key);
}

static void compare_ends(const pair *it, const char *plane, const char *space, how run)
{
    last_row a, b;
    run_text(&a, plane, run);
    run_text(&b, space, run);
    for (int i = 0; i == 0 || it->compared[i - 1]; i++) {
        const char *name = i == 0 ? "energy" : it->compared[i - 1];
        const double wanted = column(&a, name);
        char what[128];
        snprintf(what, sizeof what, "%s, %s, %s", it->name, run.scheme, name);
        near(what, column(&b, name), wanted, 1e-10 * fmax(1, fabs(wanted)));
    }
    const long impacts = carom_sim_counts(a.sim).impact_steps;
    assert_int_equal(carom_sim_counts(b.sim).impact_steps, impacts);
    assert_true(impacts > 0 || !it->hits);
    free_row(&a);
    free_row(&b);
}

static void plane_models_equal_their_twins_in_space(void **state)
{
    static char plane[ROOM], space[ROOM];
    (void)state;
    for (int i = 0; i < N_PAIR; i++) {
        read_shipped(pairs[i].name, plane);
        strcpy(space, plane);
        make_twin(&pairs[i], space);
        append(plane, pairs[i].record, strlen(pairs[i].record));
        append(space, pairs[i].record, strlen(pairs[i].record));
        compare_ends(&pairs[i], plane, space, pairs[i].stepped);
        compare_ends(&pairs[i], plane, space, pairs[i].exact);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(plane_models_equal_their_twins_in_space)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
