// SPDX-License-Identifier: Apache-2.0
// Shapes by their kind: what they have in common.
#include "shapes/shape.h"

#include "shapes/placing.h"
#include "shapes/shape_kind.h"

#include <math.h>
#include <string.h>

#define X(name) extern const carom_shape_kind carom_shape_kind_##name;
#include "shapes/shapes_table.h"
#undef X

static const carom_shape_kind *const shape_kinds[] = {
#define X(name) &carom_shape_kind_##name,
#include "shapes/shapes_table.h"
#undef X
    NULL};

static const carom_shape_kind *find_kind(const char *word, int dim)
{
    for (int i = 0; shape_kinds[i]; i++)
        if (shape_kinds[i]->dim == dim && strcmp(shape_kinds[i]->word, word) == 0)
            return shape_kinds[i];
    return NULL;
}

/// The words of the kinds there are, "disk, box, ...".
static void list_kinds(int dim, char *text, size_t room)
{
    size_t length = 0;
    for (int i = 0; shape_kinds[i]; i++) {
        const char *word = shape_kinds[i]->word;
        if (shape_kinds[i]->dim != dim || length + strlen(word) + 3 > room) continue;
        if (length > 0) {
            memcpy(text + length, ", ", 2);
            length += 2;
        }
        memcpy(text + length, word, strlen(word));
        length += strlen(word);
    }
    text[length] = 0;
}

static carom_status refuse_kind(const carom_shape_given *given, carom_error *error)
{
    char words[512];
    list_kinds(given->dim, words, sizeof words);
    const bool is_plane = given->dim == 2;
    if (find_kind(given->kind, is_plane ? 3 : 2))
        return carom_fail(
            error, CAROM_BAD_INPUT, "a %s is a shape of %s, not of %s (there are: %s)", given->kind,
            is_plane ? "space" : "the plane", is_plane ? "the plane" : "space", words);
    return carom_fail(error, CAROM_BAD_INPUT, "there is no shape '%s' (there are: %s)", given->kind,
                      words);
}

static bool are_finite(const double *x, int n)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

static carom_status check_given(const carom_shape_given *given, carom_error *error)
{
    const bool is_finite = are_finite(given->place.r, 3) && are_finite(given->place.R, 9) &&
                           are_finite(given->size, 3) && are_finite(given->radius, 2) &&
                           are_finite(given->normal, 3) && isfinite(given->length) &&
                           isfinite(given->rounding);
    const int n_number = given->n_row > 0 ? given->n_point : 3 * given->n_point;
    if (!is_finite || !are_finite(given->point, n_number))
        return carom_fail(error, CAROM_BAD_INPUT, "a %s has a number that is not finite",
                          given->kind);
    if (given->rounding < 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "'rounding' is %g (a radius inside the stated size: 0 or more)",
                          given->rounding);
    return CAROM_OK;
}

/// The largest distance of the core's corners from the body's origin, and the radius.
static double measure_reach(const carom_shape *shape)
{
    double most = 0;
    for (int i = 0; i < shape->n_corner; i++) {
        const double *p = shape->corner + 3 * i;
        most = fmax(most, hypot(hypot(p[0], p[1]), p[2]));
    }
    return most + shape->radius;
}

carom_status carom_shape_new(carom_arena *arena, const carom_shape_given *given,
                             carom_shape **shape, carom_error *error)
{
    *shape = NULL;
    const carom_shape_kind *kind = find_kind(given->kind, given->dim);
    if (!kind) return refuse_kind(given, error);
    CAROM_TRY(check_given(given, error));
    carom_shape *made = CAROM_TAKE(arena, carom_shape, 1);
    if (!made) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    made->kind = kind;
    CAROM_TRY(kind->make(arena, given, made, error));
    if (made->reach == 0) made->reach = measure_reach(made);
    *shape = made;
    return CAROM_OK;
}

double *carom_shape_placed(carom_arena *arena, const carom_shape_given *given)
{
    double *corner = CAROM_TAKE(arena, double, 3 * given->n_point);
    if (!corner) return NULL;
    for (int i = 0; i < given->n_point; i++)
        carom_placing_out(&given->place, given->point + 3 * i, corner + 3 * i);
    return corner;
}

void carom_shape_box(const carom_shape *shape, const carom_placement *at, double lower[3],
                     double upper[3])
{
    if (shape->kind->box) {
        shape->kind->box(shape, at, lower, upper);
        return;
    }
    for (int k = 0; k < 3; k++) {
        lower[k] = INFINITY;
        upper[k] = -INFINITY;
    }
    for (int i = 0; i < shape->n_corner; i++) {
        double p[3];
        carom_placing_out(at, shape->corner + 3 * i, p);
        for (int k = 0; k < 3; k++) {
            if (p[k] < lower[k]) lower[k] = p[k];
            if (p[k] > upper[k]) upper[k] = p[k];
        }
    }
    for (int k = 0; k < shape->kind->dim; k++) {
        lower[k] -= shape->radius;
        upper[k] += shape->radius;
    }
}

double carom_shape_reach(const carom_shape *shape)
{
    return shape->reach;
}

double carom_shape_size(const carom_shape *shape)
{
    return shape->size;
}

bool carom_shape_weigh(const carom_shape *shape, double density, carom_shape_mass *mass)
{
    *mass = shape->mass_1;
    mass->mass *= density;
    for (int i = 0; i < 6; i++) mass->inertia[i] *= density;
    return shape->is_heavy;
}

bool carom_shape_show(const carom_shape *shape, double extent, double tolerance, carom_arena *arena,
                      carom_shape_look *look)
{
    *look = (carom_shape_look){0};
    return shape->kind->show(shape, extent, tolerance, arena, look);
}
