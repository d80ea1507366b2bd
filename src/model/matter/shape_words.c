// SPDX-License-Identifier: Apache-2.0
// One shape from its words. Under its kind stand its points (centre, ends, corners) or its sizes,
// in axes of the shape; `at` and `turned` (`angle` in the plane) say where these are on the body.
#include "model/matter/matter.h"

#include "base/text.h"
#include "math/rotation.h"

#include <string.h>

#define WORDS_OF_ALL                                                                               \
    {"at", "at: [0.1, 0]", "where its own axes are on the body"},                                  \
        {"angle", "angle: pi/4", "how they are turned, in the plane"},                             \
        {"turned", "turned: {axis: [0, 0, 1], angle: pi/4}", "the same in space"},                 \
        {"name", "name: nose", "for messages"},                                                    \
        {"material", "material: steel", "else that of the body"},                                  \
        {"colour", "colour: \"#c62828\"", "else that of the body"},                                \
    {                                                                                              \
        0                                                                                          \
    }
#define RADIUS                                                                                     \
    {                                                                                              \
        "radius", "radius: 0.1", "distance of its surface"                                         \
    }
#define ROUNDING                                                                                   \
    {                                                                                              \
        "rounding", "rounding: 0.01", "radius of its edges, inside the size"                       \
    }
#define AXIS                                                                                       \
    {                                                                                              \
        "axis", "axis: [0, 0, 1]", "its direction"                                                 \
    }
#define LENGTH                                                                                     \
    {                                                                                              \
        "length", "length: 0.2", "the full one, along its axis"                                    \
    }
#define NORMAL                                                                                     \
    {                                                                                              \
        "normal", "normal: [0, 1]", "out of the matter"                                            \
    }

static const carom_word_facts of_ball[] = {RADIUS, WORDS_OF_ALL};
static const carom_word_facts of_corners[] = {ROUNDING, WORDS_OF_ALL};
static const carom_word_facts of_plane[] = {NORMAL, WORDS_OF_ALL};
static const carom_word_facts of_curve[] = {
    {"closed", "closed: yes", "its last point is joined to the first"}, WORDS_OF_ALL};
static const carom_word_facts of_cylinder[] = {AXIS, RADIUS, LENGTH, ROUNDING, WORDS_OF_ALL};
static const carom_word_facts of_cone[] = {
    AXIS, {"radii", "radii: [0.1, 0.05]", "of both ends"}, LENGTH, ROUNDING, WORDS_OF_ALL};
static const carom_word_facts of_ellipsoid[] = {
    {"radii", "radii: [0.1, 0.05, 0.02]", "its semi-axes, along its own axes"}, WORDS_OF_ALL};
static const carom_word_facts of_mesh[] = {WORDS_OF_ALL};
static const carom_word_facts of_field[] = {{"size", "size: [12, 6]", "lengths along x and y"},
                                            WORDS_OF_ALL};

enum { MOST_NEEDED = 3 };
// a kind, and what must be said of it
typedef struct shape_row {
    carom_fitting_facts facts;
    const char *needs[MOST_NEEDED];
    int n_value; // vectors under the kind; -1 = any number
    int dim;     // 0 = both
} shape_row;

static const shape_row row_of_kind[] = {
    {{"disk", "all within a radius of its centre", "disk: [0, 0], radius: 0.1", of_ball},
     {"radius"},
     1,
     2},
    {{"segment", "a line between two points", "segment: [[0, 0], [1, 0]]", of_mesh}, {0}, 2, 2},
    {{"polygon", "corners, counter-clockwise", "polygon: [[0, 0], [1, 0], [0, 1]]", of_corners},
     {0},
     -1,
     2},
    {{"capsule", "all within a radius of a line", "capsule: [[0, 0], [1, 0]], radius: 0.1",
      of_ball},
     {"radius"},
     2,
     0},
    {{"half_plane", "all behind a line", "half_plane: [0, 0], normal: [0, 1]", of_plane},
     {"normal"},
     1,
     2},
    {{"curve", "a smooth line through points, matter on its left",
      "curve: [[0, 0], [1, 1], [2, 0]]", of_curve},
     {0},
     -1,
     2},
    {{"box", "its full lengths along x, y (and z); its middle is its origin", "box: [0.2, 0.1]",
      of_corners},
     {0},
     1,
     0},
    {{"sphere", "all within a radius of its centre", "sphere: [0, 0, 0], radius: 0.1", of_ball},
     {"radius"},
     1,
     3},
    {{"plane", "all behind a plane", "plane: [0, 0, 0], normal: [0, 0, 1]", of_plane},
     {"normal"},
     1,
     3},
    {{"cylinder", "about an axis, by its centre",
      "cylinder: [0, 0, 0], axis: [0, 0, 1], radius: 0.1, length: 0.2", of_cylinder},
     {"axis", "radius", "length"},
     1,
     3},
    {{"cone", "truncated: two radii at its ends, by its centre",
      "cone: [0, 0, 0], axis: [0, 0, 1], radii: [0.1, 0.05], length: 0.2", of_cone},
     {"axis", "radii", "length"},
     1,
     3},
    {{"ellipsoid", "by its centre; it meets planes only",
      "ellipsoid: [0, 0, 0], radii: [0.1, 0.05, 0.02]", of_ellipsoid},
     {"radii"},
     1,
     3},
    {{"hull", "the convex hull of points", "hull: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]",
      of_corners},
     {0},
     -1,
     3},
    {{"mesh", "triangles of a file (OBJ, STL)", "mesh: part.obj", of_mesh}, {0}, -1, 3},
    {{"height_field", "heights of a file (CSV): a row for each y, a column for each x",
      "height_field: terrain.csv, size: [12, 6]", of_field},
     {"size"},
     -1,
     3},
};
enum { N_ROW = sizeof row_of_kind / sizeof row_of_kind[0] };

const carom_fitting_facts *carom_shape_at(int i)
{
    return i >= 0 && i < N_ROW ? &row_of_kind[i].facts : NULL;
}

const carom_word_text *carom_matter_word(const carom_shape_text *text, const char *key)
{
    for (int i = 0; i < text->n_word; i++)
        if (strcmp(text->word[i].key.text, key) == 0) return &text->word[i];
    return NULL;
}

// one shape while it is read
typedef struct reading {
    carom_making *making;
    const carom_shape_text *text;
    const shape_row *row;
    int dim;
    carom_shape_given given;
} reading;

static carom_status find_row(reading *r)
{
    char hint[160];
    const char *kind = r->text->kind.text;
    carom_nearest nearest = carom_nearest_to(kind);
    for (int i = 0; i < N_ROW; i++) {
        const shape_row *row = &row_of_kind[i];
        if (strcmp(row->facts.name, kind) == 0) r->row = row;
        if (row->dim == 0 || row->dim == r->dim) carom_nearest_try(&nearest, row->facts.name);
    }
    if (!r->row)
        return carom_fail_at(r->making->error, r->text->kind.place, CAROM_BAD_INPUT,
                             "there is no shape '%.60s'%s; see 'carom list shapes'", kind,
                             carom_nearest_hint(&nearest, hint, sizeof hint));
    if (r->row->dim == 0 || r->row->dim == r->dim) return CAROM_OK;
    return carom_fail_at(r->making->error, r->text->kind.place, CAROM_BAD_INPUT,
                         "'%.60s' is a shape of %s; see 'carom list shapes'", kind,
                         r->row->dim == 2 ? "the plane" : "space");
}

static const carom_word_facts *find_fact(const reading *r, const char *key)
{
    const carom_word_facts *known = r->row->facts.word;
    while (known->key && strcmp(known->key, key) != 0) known++;
    return known->key ? known : NULL;
}

static carom_status check_words(const reading *r)
{
    char hint[160];
    for (int i = 0; i < r->text->n_word; i++) {
        const carom_text key = r->text->word[i].key;
        if (find_fact(r, key.text)) continue;
        carom_nearest nearest = carom_nearest_to(key.text);
        for (const carom_word_facts *known = r->row->facts.word; known->key; known++)
            carom_nearest_try(&nearest, known->key);
        return carom_fail_at(r->making->error, key.place, CAROM_BAD_INPUT,
                             "a %s has no '%.60s'%s; see 'carom list shapes'", r->row->facts.name,
                             key.text, carom_nearest_hint(&nearest, hint, sizeof hint));
    }
    for (int i = 0; i < MOST_NEEDED && r->row->needs[i]; i++)
        if (!carom_matter_word(r->text, r->row->needs[i]))
            return carom_fail_at(r->making->error, r->text->place, CAROM_BAD_INPUT,
                                 "a %s needs '%s' (write %s)", r->row->facts.name, r->row->needs[i],
                                 r->row->facts.example);
    return CAROM_OK;
}

// as many numbers as a word has, which must be n; unchanged where the word is absent
static carom_status read_numbers(const reading *r, const char *key, int n, double *value)
{
    const carom_word_text *word = carom_matter_word(r->text, key);
    if (!word) return CAROM_OK;
    if (word->n != n)
        return carom_fail_at(r->making->error, word->key.place, CAROM_BAD_INPUT,
                             "'%s' of a %s has %d number%s, not %d (write %s)", key,
                             r->row->facts.name, n, n == 1 ? "" : "s", word->n,
                             find_fact(r, key)->example);
    for (int i = 0; i < n; i++)
        CAROM_TRY(carom_making_number(r->making, word->value[i], "a shape", &value[i]));
    return CAROM_OK;
}

static carom_status read_vector(const reading *r, const carom_vector_text *vector, double *value)
{
    if (vector->n != r->dim)
        return carom_fail_at(
            r->making->error, vector->n ? vector->part[0].place : r->text->place, CAROM_BAD_INPUT,
            "a %s of %s is made from vectors of %d numbers, not %d (write %s)", r->row->facts.name,
            r->dim == 2 ? "the plane" : "space", r->dim, vector->n, r->row->facts.example);
    for (int i = 0; i < r->dim; i++)
        CAROM_TRY(carom_making_number(r->making, vector->part[i], "a shape", &value[i]));
    return CAROM_OK;
}

static carom_status read_place(reading *r)
{
    double p[4] = {1, 0, 0, 0}, angle = 0;
    const carom_turned_text *turned = &r->text->turned;
    const bool is_turned = turned->axis.n || turned->angle.text || turned->n_quaternion ||
                           turned->direction[0].n || turned->direction[1].n ||
                           turned->direction[2].n;
    CAROM_TRY(read_numbers(r, "at", r->dim, r->given.place.r));
    CAROM_TRY(read_numbers(r, "angle", 1, &angle));
    if ((is_turned && r->dim == 2) || (carom_matter_word(r->text, "angle") && r->dim == 3))
        return carom_fail_at(r->making->error, r->text->place, CAROM_BAD_INPUT,
                             "a shape is turned by 'angle' in the plane, by 'turned' in space");
    if (r->dim == 2) {
        p[0] = cos(angle / 2);
        p[3] = sin(angle / 2);
    } else {
        CAROM_TRY(carom_body_turned(r->making, turned, p));
    }
    carom_rotation_matrix(p, r->given.place.R);
    return CAROM_OK;
}

static carom_status lack_memory(const reading *r)
{
    return carom_making_no_memory(r->making);
}

// the numbers under the kind: those of a file, sizes, or points
static carom_status read_values(reading *r)
{
    const carom_shape_text *text = r->text;
    carom_shape_given *given = &r->given;
    if (text->points) {
        const carom_shape_points *file = text->points;
        given->n_point = file->n_point;
        given->point = file->point;
        given->n_face = file->n_face;
        given->face = file->face;
        given->n_row = file->n_row;
        given->n_column = file->n_column;
        return CAROM_OK;
    }
    if (text->n_value == 0 || (r->row->n_value > 0 && text->n_value != r->row->n_value))
        return carom_fail_at(r->making->error, text->place, CAROM_BAD_INPUT,
                             "a %s is given otherwise (write %s)", r->row->facts.name,
                             r->row->facts.example);
    if (strcmp(r->row->facts.name, "box") == 0) return read_vector(r, text->value, given->size);
    double *point = CAROM_TAKE(r->making->model->arena, double, 3 * text->n_value);
    if (!point) return lack_memory(r);
    for (int i = 0; i < text->n_value; i++)
        CAROM_TRY(read_vector(r, &text->value[i], point + 3 * i));
    given->n_point = text->n_value;
    given->point = point;
    return CAROM_OK;
}

static carom_status read_closed(reading *r)
{
    const carom_word_text *word = carom_matter_word(r->text, "closed");
    if (!word) return CAROM_OK;
    r->given.is_closed = word->n == 1 && strcmp(word->value[0].text, "yes") == 0;
    if (r->given.is_closed || (word->n == 1 && strcmp(word->value[0].text, "no") == 0))
        return CAROM_OK;
    return carom_fail_at(r->making->error, word->key.place, CAROM_BAD_INPUT,
                         "'closed' is yes or no");
}

static carom_status read_sizes(reading *r)
{
    carom_shape_given *given = &r->given;
    CAROM_TRY(read_numbers(r, "radius", 1, given->radius));
    if (strcmp(given->kind, "ellipsoid") == 0)
        CAROM_TRY(read_numbers(r, "radii", 3, given->size));
    else
        CAROM_TRY(read_numbers(r, "radii", 2, given->radius));
    CAROM_TRY(read_numbers(r, "length", 1, &given->length));
    CAROM_TRY(read_numbers(r, "normal", r->dim, given->normal));
    CAROM_TRY(read_numbers(r, "axis", r->dim, given->normal));
    CAROM_TRY(read_numbers(r, "rounding", 1, &given->rounding));
    CAROM_TRY(read_numbers(r, "size", 2, given->size));
    return read_closed(r);
}

static carom_status read_labels(reading *r, carom_solid *solid)
{
    static const char *const key[] = {"name", "material", "colour"};
    const char *label[3] = {NULL};
    for (int i = 0; i < 3; i++) {
        const carom_word_text *word = carom_matter_word(r->text, key[i]);
        if (!word) continue;
        if (word->n != 1)
            return carom_fail_at(r->making->error, word->key.place, CAROM_BAD_INPUT,
                                 "'%s' is one word", key[i]);
        label[i] = carom_arena_string(r->making->model->arena, word->value[0].text);
        if (!label[i]) return lack_memory(r);
    }
    solid->name = label[0];
    if (label[1]) solid->material = carom_matter_name(r->making, label[1]);
    if (label[2]) solid->colour = label[2];
    return label[1] && solid->material < 0 ? lack_memory(r) : CAROM_OK;
}

carom_status carom_matter_shape(carom_making *making, const carom_shape_text *text,
                                carom_solid *solid, const carom_shape **shape)
{
    reading r = {.making = making, .text = text, .dim = making->bodies->dim};
    carom_error why = {0};
    carom_shape *made;
    CAROM_TRY(find_row(&r));
    CAROM_TRY(check_words(&r));
    r.given.kind = solid->kind = r.row->facts.name;
    r.given.dim = r.dim;
    CAROM_TRY(read_place(&r));
    CAROM_TRY(read_values(&r));
    CAROM_TRY(read_sizes(&r));
    CAROM_TRY(read_labels(&r, solid));
    const carom_status status = carom_shape_new(making->model->arena, &r.given, &made, &why);
    if (status != CAROM_OK)
        return carom_fail_at(making->error, text->place, status, "%s", why.message);
    *shape = made;
    return CAROM_OK;
}
