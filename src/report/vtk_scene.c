// SPDX-License-Identifier: Apache-2.0
#include "report/vtk_scene.h"

#include "carom/bodies.h"
#include "carom/extend.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DISC_CORNERS = 32, POSE_IN_SPACE = 12, POSE_IN_PLANE = 4 };
enum { MOST_POINTS = 20000000 }; // of all frames together

static const double whole_turn = 6.283185307179586;

static carom_status no_memory(carom_error *error)
{
    return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
}

// ---- cells ----

static bool add_cell(carom_vtk_cells *cells, long first, long n, long step, int body)
{
    if (cells->n + 2 > cells->room) {
        const size_t room = 2 * (size_t)cells->room + 64;
        long long *offset = realloc(cells->offset, sizeof *offset * room);
        if (offset) cells->offset = offset;
        int *bodies = realloc(cells->body, sizeof *bodies * room);
        if (bodies) cells->body = bodies;
        if (!offset || !bodies) return false;
        cells->room = (long)room;
    }
    if (cells->n_corner + n > cells->corner_room) {
        const size_t room = 2 * (size_t)(cells->corner_room + n) + 256;
        long long *corner = realloc(cells->corner, sizeof *corner * room);
        if (!corner) return false;
        cells->corner = corner;
        cells->corner_room = (long)room;
    }
    cells->offset[0] = 0;
    for (long i = 0; i < n; i++) cells->corner[cells->n_corner++] = first + i * step;
    cells->body[cells->n] = body;
    cells->offset[++cells->n] = cells->n_corner;
    return true;
}

static bool add_triangle(carom_vtk_cells *cells, long first, const int *corner, int body)
{
    if (!add_cell(cells, 0, 3, 0, body)) return false;
    for (int k = 0; k < 3; k++) cells->corner[cells->n_corner - 3 + k] = first + corner[k];
    return true;
}

static bool is_shown(const carom_vtk_scene *s, const carom_shape_facts *look)
{
    return carom_shown_find(&s->frames.shown, look->body) >= 0;
}

static bool add_look(carom_vtk_scene *s, const carom_shape_facts *look)
{
    bool is_made = true;
    if (s->frames.is_space) {
        for (int t = 0; is_made && t < look->n_triangle; t++)
            is_made = add_triangle(&s->polygons, s->n_point, look->triangle + 3 * (ptrdiff_t)t,
                                   look->body);
    } else {
        const bool is_open = strcmp(look->kind, "segment") == 0 || strcmp(look->kind, "curve") == 0;
        long first = s->n_point;
        for (int k = 0; is_made && k < look->n_line; first += look->line[k++])
            is_made =
                add_cell(is_open ? &s->lines : &s->polygons, first, look->line[k], 1, look->body);
    }
    s->n_point += look->n_point;
    return is_made;
}

static bool is_disc(const carom_drawing *d)
{
    return strcmp(d->kind, "disc") == 0 && d->dim == 2;
}

static long points_of(const carom_drawing *d)
{
    if (is_disc(d)) return DISC_CORNERS;
    return strcmp(d->kind, "rail") == 0 || d->n_point < 2 ? 0 : d->n_point;
}

static bool add_drawing(carom_vtk_scene *s, const carom_drawing *d)
{
    const int body = d->body ? carom_model_body(s->frames.model, d->body) : -1;
    const bool is_face = is_disc(d) || (strcmp(d->kind, "polygon") == 0 && d->dim == 2);
    const long n = points_of(d);
    if (n == 0) return true;
    const bool is_made = add_cell(is_face ? &s->polygons : &s->lines, s->n_point, n, 1, body);
    s->n_point += n;
    return is_made;
}

static bool add_cells(carom_vtk_scene *s)
{
    const carom_model *model = s->frames.model;
    const int n_drawing = carom_model_sizes(model).n_drawing;
    bool is_made = true;
    for (int i = 0; is_made && i < carom_model_shape_count(model); i++)
        if (is_shown(s, carom_model_shape(model, i)))
            is_made = add_look(s, carom_model_shape(model, i));
    for (int i = 0; is_made && i < n_drawing; i++)
        is_made = add_drawing(s, carom_model_drawing(model, i));
    return is_made;
}

// ---- rows ----

/// What goes through the rows.
typedef struct picking {
    carom_vtk_scene *scene;
    const carom_vtk_options *options;
    int n_column, n_q;
    long index, stride; // among the rows between the times
    double last_t, first_t;
    long n_seen;
} picking;

static bool is_inside(const carom_vtk_options *options, double t)
{
    return t >= options->from && t <= options->to;
}

static carom_status count_rows(void *self, const double *value, long n, carom_error *error)
{
    picking *p = self;
    (void)error;
    for (long r = 0; r < n; r++) {
        if (p->n_seen++ == 0) p->first_t = value[r];
        p->last_t = value[r];
        p->scene->n_row += is_inside(p->options, value[r]);
    }
    return CAROM_OK;
}

// columns: t, q, u, then la and P of each contact that lasts
static carom_status take_rows(void *self, const double *value, long n, carom_error *error)
{
    picking *p = self;
    carom_vtk_scene *s = p->scene;
    carom_frames *f = &s->frames;
    const double spacing = p->n_seen > 1 ? (p->last_t - p->first_t) / (double)(p->n_seen - 1) : 0;
    (void)error;
    for (long r = 0; r < n; r++, value += p->n_column) {
        if (!is_inside(p->options, value[0]) || p->index++ % p->stride != 0) continue;
        const long before = f->n_frame;
        carom_frames_add(f, value[0], value + 1, value + 1 + p->n_q);
        if (f->n_frame == before) continue;
        const double *la = value + p->n_column - 2 * s->n_lasting;
        for (int i = 0; i < s->n_lasting; i++, la += 2)
            s->force[before * s->n_lasting + i] = fmax(la[0], spacing > 0 ? la[1] / spacing : 0);
    }
    return CAROM_OK;
}

// contacts that last and have both columns
static bool list_lasting(carom_vtk_scene *s, carom_results *run, int *column)
{
    const carom_model *model = s->frames.model;
    const int n_contact = carom_model_sizes(model).n_contact;
    s->lasting = calloc((size_t)n_contact + 1, sizeof *s->lasting);
    for (int i = 0; s->lasting && i < n_contact; i++) {
        const carom_contact_facts *facts = carom_model_contact(model, i);
        char la[512], P[512];
        snprintf(la, sizeof la, "la_%s", facts->name);
        snprintf(P, sizeof P, "P_%s", facts->name);
        if (facts->place == 0) continue;
        column[0] = carom_results_find(run, la);
        column[1] = carom_results_find(run, P);
        if (column[0] < 0 || column[1] < 0) continue;
        column += 2;
        s->lasting[s->n_lasting++] = i;
    }
    return s->lasting != NULL;
}

static int add_group(carom_results *run, const char *group, int *column)
{
    int n = 0;
    for (int i = 0; i < carom_results_n_column(run); i++)
        if (strcmp(carom_results_column(run, i)->group, group) == 0) column[n++] = i;
    return n;
}

static carom_status read_rows(picking *p, carom_results *run, int *column, carom_error *error)
{
    carom_vtk_scene *s = p->scene;
    column[0] = carom_results_find(run, "t");
    p->n_q = add_group(run, "q", column + 1);
    const int n_u = add_group(run, "u", column + 1 + p->n_q);
    carom_frames_check(&s->frames, p->n_q, n_u);
    if (!s->frames.model)
        return carom_fail(error, CAROM_BAD_INPUT, "%s: there is nothing to show: %.800s",
                          carom_results_path(run), s->frames.why);
    p->n_column = 1 + p->n_q + n_u;
    if (!list_lasting(s, run, column + p->n_column)) return no_memory(error);
    p->n_column += 2 * s->n_lasting;
    s->force = calloc((size_t)s->n_picked * (size_t)(s->n_lasting + 1), sizeof *s->force);
    if (!s->force) return no_memory(error);
    const carom_rows_visitor visitor = {p, take_rows};
    return carom_results_visit(run, column, p->n_column, visitor, error);
}

static carom_status pick_rows(picking *p, carom_results *run, carom_error *error)
{
    carom_vtk_scene *s = p->scene;
    const int t = carom_results_find(run, "t");
    const long most = p->options->most_frames;
    if (t < 0)
        return carom_fail(error, CAROM_BAD_INPUT, "%s: holds no rows of a run",
                          carom_results_path(run));
    CAROM_TRY(carom_results_visit(run, &t, 1, (carom_rows_visitor){p, count_rows}, error));
    if (s->n_row == 0)
        return carom_fail(error, CAROM_BAD_INPUT, "%s: there are no rows between %g s and %g s",
                          carom_results_path(run), p->options->from, p->options->to);
    p->stride = (s->n_row + most - 1) / most;
    s->n_picked = (s->n_row + p->stride - 1) / p->stride;
    const carom_frames_source source = {carom_results_head(run), carom_results_run(run),
                                        p->options->access};
    CAROM_TRY(carom_frames_open(&s->frames, &source, s->n_picked, LONG_MAX / 4, error));
    int *column = calloc(3 * (size_t)carom_results_n_column(run) + 3, sizeof *column);
    const carom_status status = column ? read_rows(p, run, column, error) : no_memory(error);
    free(column);
    return status;
}

carom_status carom_vtk_scene_open(carom_vtk_scene *scene, carom_results *run,
                                  const carom_vtk_options *options, carom_error *error)
{
    *scene = (carom_vtk_scene){.every = 1};
    picking p = {.scene = scene, .options = options};
    CAROM_TRY(pick_rows(&p, run, error));
    const carom_touches_source source = {
        .results = run,
        .spacing = p.n_seen > 1 ? (p.last_t - p.first_t) / (double)(p.n_seen - 1) : 0,
        .most = LONG_MAX / 4};
    CAROM_TRY(carom_touches_gather(&scene->touches, &scene->frames, &source, error));
    if (!add_cells(scene)) return no_memory(error);
    scene->every = scene->n_point * scene->frames.n_frame / MOST_POINTS + 1;
    return CAROM_OK;
}

static void free_cells(carom_vtk_cells *cells)
{
    free(cells->offset);
    free(cells->corner);
    free(cells->body);
}

void carom_vtk_scene_close(carom_vtk_scene *scene)
{
    free_cells(&scene->lines);
    free_cells(&scene->polygons);
    free(scene->lasting);
    free(scene->force);
    carom_touches_free(&scene->touches);
    carom_frames_close(&scene->frames);
}

// ---- frames ----

long carom_vtk_scene_n_frame(const carom_vtk_scene *scene)
{
    return (scene->frames.n_frame + scene->every - 1) / scene->every;
}

double carom_vtk_scene_time(const carom_vtk_scene *scene, long frame)
{
    return scene->frames.t[frame * scene->every];
}

long carom_vtk_scene_n_contact(const carom_vtk_scene *s, long frame)
{
    const long k = frame * s->every;
    long n = s->touches.first[k + 1] - s->touches.first[k];
    for (int i = 0; i < s->n_lasting; i++) n += s->force[k * s->n_lasting + i] > 0;
    return n;
}

static float *put_point(float *to, double x, double y, double z)
{
    to[0] = (float)x;
    to[1] = (float)y;
    to[2] = (float)z;
    return to + 3;
}

// pose: as carom_shown_gather tells it
static float *fill_look(const carom_vtk_scene *s, const carom_shape_facts *look, const double *pose,
                        float *to)
{
    for (int i = 0; i < look->n_point; i++) {
        const double *x = look->point + 3 * (ptrdiff_t)i, *R = pose + 3;
        if (s->frames.is_space)
            to = put_point(to, pose[0] + R[0] * x[0] + R[1] * x[1] + R[2] * x[2],
                           pose[1] + R[3] * x[0] + R[4] * x[1] + R[5] * x[2],
                           pose[2] + R[6] * x[0] + R[7] * x[1] + R[8] * x[2]);
        else
            to = put_point(to, pose[0] + pose[2] * x[0] - pose[3] * x[1],
                           pose[1] + pose[3] * x[0] + pose[2] * x[1], 0);
    }
    return to;
}

static float *fill_drawing(const carom_drawing *d, const double *x, float *to)
{
    if (points_of(d) == 0) return to;
    for (int k = 0; !is_disc(d) && k < d->n_point; k++, x += d->dim)
        to = put_point(to, x[0], x[1], d->dim == 3 ? x[2] : 0);
    for (int k = 0; is_disc(d) && k < DISC_CORNERS; k++) {
        const double angle = whole_turn * k / DISC_CORNERS, radius = d->has_size ? x[2] : 0;
        to = put_point(to, x[0] + radius * cos(angle), x[1] + radius * sin(angle), 0);
    }
    return to;
}

static float *fill_bodies(const carom_vtk_scene *s, const double *number, float *to)
{
    const carom_frames *f = &s->frames;
    const int n_drawing = carom_model_sizes(f->model).n_drawing;
    const int width = f->is_space ? POSE_IN_SPACE : POSE_IN_PLANE;
    for (int i = 0; i < carom_model_shape_count(f->model); i++) {
        const carom_shape_facts *look = carom_model_shape(f->model, i);
        const int body = carom_shown_find(&f->shown, look->body);
        if (body >= 0) to = fill_look(s, look, number + f->n_draw + width * body, to);
    }
    for (int i = 0; i < n_drawing; i++) {
        const carom_drawing *d = carom_model_drawing(f->model, i);
        to = fill_drawing(d, number + d->first, to);
    }
    return to;
}

static void put_contact(const double *point, const double *normal, double force, float **at,
                        float **push)
{
    *at = put_point(*at, point[0], point[1], point[2]);
    *push = put_point(*push, force * normal[0], force * normal[1], force * normal[2]);
}

static void fill_lasting(const carom_vtk_scene *s, long k, const double *number, float **at,
                         float **push, int **body)
{
    const carom_frames *f = &s->frames;
    const double *place = number + f->n_draw + f->shown.n_number;
    for (int i = 0; i < s->n_lasting; i++) {
        const double force = s->force[k * s->n_lasting + i];
        const carom_contact_facts *facts = carom_model_contact(f->model, s->lasting[i]);
        if (!(force > 0)) continue;
        if (f->is_space) {
            const double *x = place + 6 * (ptrdiff_t)(facts->place - 1);
            put_contact(x, x + 3, force, at, push);
        } else {
            const double *x = place + 4 * (ptrdiff_t)(facts->place - 1);
            const double point[3] = {x[0], x[1], 0}, normal[3] = {x[2], x[3], 0};
            put_contact(point, normal, force, at, push);
        }
        *(*body)++ = facts->body[0];
    }
}

void carom_vtk_scene_fill(const carom_vtk_scene *s, long frame, float *point, float *force,
                          int *body)
{
    const carom_frames *f = &s->frames;
    const long k = frame * s->every;
    const double *number = f->value + k * f->n_number;
    float *at = fill_bodies(s, number, point), *push = force + 3 * s->n_point;
    memset(force, 0, sizeof *force * 3 * (size_t)s->n_point);
    fill_lasting(s, k, number, &at, &push, &body);
    for (int i = s->touches.first[k]; i < s->touches.first[k + 1]; i++) {
        const carom_touch_shown *touch = &s->touches.touch[i];
        put_contact(touch->point, touch->normal, touch->force, &at, &push);
        *body++ = touch->body[0] >= 0 ? f->shown.body[touch->body[0]] : -1;
    }
}
