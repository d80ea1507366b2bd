// SPDX-License-Identifier: Apache-2.0
#include "report/shown.h"

#include "carom/bodies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { IN_PLANE = 4, IN_SPACE = 12, FLAT = 9 };

static bool is_shown(const carom_shown *shown, const carom_shape_facts *look)
{
    return shown->is_space ? look->n_triangle > 0 : look->n_line > 0;
}

int carom_shown_find(const carom_shown *shown, long body)
{
    for (int i = 0; i < shown->n_body; i++)
        if (shown->body[i] == body) return i;
    return -1;
}

// what has no end reaches everywhere and says nothing of where to look
static bool has_end(const carom_shape_facts *look)
{
    return strcmp(look->kind, "half_plane") != 0 && strcmp(look->kind, "plane") != 0;
}

carom_status carom_shown_open(carom_shown *shown, const carom_model *model, bool is_space,
                              carom_error *error)
{
    const int n = carom_model_shape_count(model);
    *shown = (carom_shown){.model = model, .is_space = is_space};
    shown->body = calloc((size_t)n + 1, sizeof *shown->body);
    if (!shown->body) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    for (int i = 0; i < n; i++) {
        const carom_shape_facts *look = carom_model_shape(model, i);
        // shapes stand with their bodies: the last one is most often the same
        const bool is_last = shown->n_body > 0 && shown->body[shown->n_body - 1] == look->body;
        if (!is_shown(shown, look) || is_last || carom_shown_find(shown, look->body) >= 0) continue;
        shown->body[shown->n_body++] = look->body;
    }
    shown->n_number = shown->n_body * (is_space ? IN_SPACE : IN_PLANE);
    return CAROM_OK;
}

void carom_shown_close(carom_shown *shown)
{
    free(shown->body);
    *shown = (carom_shown){0};
}

void carom_shown_gather(const carom_shown *shown, const double *pose, double *number)
{
    for (int i = 0; i < shown->n_body; i++) {
        const double *r = pose + 12 * (size_t)shown->body[i], *R = r + 3;
        if (shown->is_space) {
            memcpy(number, r, sizeof(double) * IN_SPACE);
            number += IN_SPACE;
        } else {
            const double flat[IN_PLANE] = {r[0], r[1], R[0], R[3]};
            memcpy(number, flat, sizeof flat);
            number += IN_PLANE;
        }
    }
}

static void widen_by_look(const carom_shape_facts *look, const double *pose, double low[3],
                          double high[3])
{
    for (int i = 0; i < look->n_point; i++)
        for (int k = 0; k < 3; k++) {
            const double *s = look->point + 3 * i, *R = pose + 3 + 3 * k;
            const double x = pose[k] + R[0] * s[0] + R[1] * s[1] + R[2] * s[2];
            low[k] = fmin(low[k], x);
            high[k] = fmax(high[k], x);
        }
}

void carom_shown_widen(const carom_shown *shown, const double *number, double low[3],
                       double high[3])
{
    const int ground = carom_model_body(shown->model, "ground");
    for (int i = 0; i < carom_model_shape_count(shown->model); i++) {
        const carom_shape_facts *look = carom_model_shape(shown->model, i);
        if (!is_shown(shown, look) || !has_end(look) || look->body == ground) continue;
        widen_by_look(look, number + IN_SPACE * carom_shown_find(shown, look->body), low, high);
    }
}

int carom_shown_depth(const int axis[2], int *third)
{
    *third = 3 - axis[0] - axis[1];
    return (axis[0] + 1) % 3 == axis[1] ? 1 : -1;
}

int carom_shown_flatten(const carom_shown *shown, const int axis[2], const double *number,
                        double *flat)
{
    int third;
    const int sign = carom_shown_depth(axis, &third);
    for (int i = 0; i < shown->n_body; i++, number += IN_SPACE, flat += FLAT) {
        double to[FLAT] = {number[axis[0]], number[axis[1]], sign * number[third]};
        memcpy(to + 3, number + 3 + 3 * axis[0], 3 * sizeof *to);
        memcpy(to + 6, number + 3 + 3 * axis[1], 3 * sizeof *to);
        memmove(flat, to, sizeof to);
    }
    return carom_shown_flat(shown);
}

int carom_shown_flat(const carom_shown *shown)
{
    return FLAT * shown->n_body;
}

static carom_status encode_points(carom_encoder *e, const carom_shape_facts *look,
                                  carom_error *error)
{
    const int n = 3 * look->n_point;
    float *point = malloc(sizeof *point * ((size_t)n + 1));
    if (!point) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    for (int i = 0; i < n; i++) point[i] = (float)look->point[i];
    carom_encode_floats(e, "points", point, n);
    free(point);
    return CAROM_OK;
}

// the middle of a look's points, and how far they are from it
typedef struct look_size {
    double middle[3], radius;
} look_size;

static look_size measure_look(const carom_shape_facts *look)
{
    look_size size = {{0}, 0};
    for (int i = 0; i < 3 * look->n_point; i++)
        size.middle[i % 3] += look->point[i] / look->n_point;
    for (int i = 0; i < look->n_point; i++) {
        const double *x = look->point + 3 * i, *m = size.middle;
        size.radius = fmax(size.radius, hypot(hypot(x[0] - m[0], x[1] - m[1]), x[2] - m[2]));
    }
    return size;
}

// whether b is a, made larger and shifted
static bool is_copy(const carom_shape_facts *a, look_size of_a, const carom_shape_facts *b,
                    look_size of_b)
{
    if (strcmp(a->kind, b->kind) != 0 || a->n_point != b->n_point || a->n_line != b->n_line ||
        a->n_triangle != b->n_triangle || !(of_a.radius > 0 && of_b.radius > 0))
        return false;
    for (int i = 0; i < 3 * a->n_point; i++) {
        const double x = (a->point[i] - of_a.middle[i % 3]) / of_a.radius;
        const double y = (b->point[i] - of_b.middle[i % 3]) / of_b.radius;
        if (!(fabs(x - y) < 1e-9)) return false;
    }
    return memcmp(a->line, b->line, sizeof(int) * (size_t)a->n_line) == 0 &&
           memcmp(a->triangle, b->triangle, 3 * sizeof(int) * (size_t)a->n_triangle) == 0;
}

// looks that were told in full: others are compared with the last of these only
enum { MOST_TOLD = 32 };
typedef struct told {
    int n, number[MOST_TOLD]; // n: of all that were told; number: among the looks of the page
    const carom_shape_facts *look[MOST_TOLD];
    look_size size[MOST_TOLD];
} told;

static bool encode_copy(carom_encoder *e, const told *known, const carom_shape_facts *look,
                        look_size size)
{
    for (int i = 0; i < known->n && i < MOST_TOLD; i++) {
        if (!is_copy(known->look[i], known->size[i], look, size)) continue;
        const double scale = size.radius / known->size[i].radius;
        carom_encode_number(e, "like", known->number[i]);
        carom_encode_number(e, "scale", scale);
        carom_encode_begin(e, "shift", '[');
        for (int k = 0; k < 3; k++)
            carom_encode_number(e, NULL, size.middle[k] - scale * known->size[i].middle[k]);
        carom_encode_end(e, ']');
        return true;
    }
    return false;
}

static carom_status encode_look(const carom_shown *shown, carom_encoder *e, told *known, int number,
                                const carom_shape_facts *look, carom_error *error)
{
    const look_size size = measure_look(look);
    carom_encode_begin(e, NULL, '{');
    carom_encode_number(e, "body", carom_shown_find(shown, look->body));
    carom_encode_text(e, "kind", look->kind);
    if (look->colour) carom_encode_text(e, "colour", look->colour);
    if (!encode_copy(e, known, look, size)) {
        const int i = known->n++ % MOST_TOLD;
        known->number[i] = number;
        known->look[i] = look;
        known->size[i] = size;
        CAROM_TRY(encode_points(e, look, error));
        carom_encode_begin(e, "lines", '[');
        for (int k = 0; k < look->n_line; k++) carom_encode_number(e, NULL, look->line[k]);
        carom_encode_end(e, ']');
        carom_encode_integers(e, "triangles", look->triangle, 3L * look->n_triangle);
    }
    carom_encode_end(e, '}');
    return CAROM_OK;
}

carom_status carom_shown_encode(const carom_shown *shown, carom_encoder *encoder, int first,
                                carom_error *error)
{
    const int n = shown->is_space ? FLAT : IN_PLANE;
    carom_encode_begin(encoder, "bodies", '[');
    for (int i = 0; i < shown->n_body; i++) {
        carom_encode_begin(encoder, NULL, '{');
        carom_encode_text(encoder, "name", carom_model_body_name(shown->model, shown->body[i]));
        carom_encode_number(encoder, "first", first + n * i);
        carom_encode_end(encoder, '}');
    }
    carom_encode_end(encoder, ']');
    carom_encode_begin(encoder, "looks", '[');
    told known = {.n = 0};
    for (int i = 0, number = 0; i < carom_model_shape_count(shown->model); i++) {
        const carom_shape_facts *look = carom_model_shape(shown->model, i);
        if (!is_shown(shown, look)) continue;
        CAROM_TRY(encode_look(shown, encoder, &known, number++, look, error));
    }
    carom_encode_end(encoder, ']');
    return CAROM_OK;
}
