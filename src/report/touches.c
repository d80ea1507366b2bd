// SPDX-License-Identifier: Apache-2.0
#include "report/touches.h"

#include <math.h>
#include <stdlib.h>

/// What goes through the table.
typedef struct gathering {
    carom_touches *to;
    const carom_frames *frames;
    double spacing; // of rows [s]
    long frame;     // whose lines are coming
    long most;      // of one frame
} gathering;

static int by_force(const void *a, const void *b)
{
    const carom_touch_shown *x = a, *y = b;
    if (x->force != y->force) return x->force > y->force ? -1 : 1;
    for (int k = 0; k < 3; k++)
        if (x->point[k] != y->point[k]) return x->point[k] < y->point[k] ? -1 : 1;
    return 0;
}

// the lines of a frame are complete
static void finish_frame(gathering *g)
{
    carom_touches *to = g->to;
    const long first = to->first[g->frame], n = to->n - first;
    if (n > 0) qsort(to->touch + first, (size_t)n, sizeof *to->touch, by_force);
    if (n > g->most) {
        to->n = first + g->most;
        if (n - g->most > to->most_left_out) to->most_left_out = (int)(n - g->most);
    }
    to->first[++g->frame] = (int)to->n;
}

static bool add_touch(gathering *g, const carom_contact_line *line, double force)
{
    carom_touches *to = g->to;
    if (to->n == to->room) {
        const long room = 2 * to->room + 256;
        carom_touch_shown *more = realloc(to->touch, sizeof *more * (size_t)room);
        if (!more) return false;
        to->touch = more;
        to->room = room;
    }
    carom_touch_shown *touch = &to->touch[to->n++];
    *touch = (carom_touch_shown){.force = force};
    carom_frames_turn(g->frames, line->point, touch->point);
    carom_frames_turn(g->frames, line->normal, touch->normal);
    for (int k = 0; k < 2; k++) touch->body[k] = carom_shown_find(&g->frames->shown, line->body[k]);
    return true;
}

static carom_status take_lines(void *self, const carom_contact_line *line, long n,
                               carom_error *error)
{
    gathering *g = self;
    const carom_frames *f = g->frames;
    for (long i = 0; i < n; i++) {
        while (g->frame < f->n_frame && f->t[g->frame] < line[i].t) finish_frame(g);
        if (g->frame == f->n_frame) return CAROM_OK;
        const double force = fmax(line[i].la, g->spacing > 0 ? line[i].P / g->spacing : 0);
        double sum = force;
        for (int k = 0; k < 3; k++) sum += line[i].point[k] + line[i].normal[k];
        if (f->t[g->frame] != line[i].t || !(force > 0) || !isfinite(sum)) continue;
        if (!add_touch(g, &line[i], force))
            return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    }
    return CAROM_OK;
}

carom_status carom_touches_gather(carom_touches *touches, const carom_frames *frames,
                                  const carom_touches_source *source, carom_error *error)
{
    *touches = (carom_touches){.n = 0};
    if (!frames->model || frames->n_frame == 0) return CAROM_OK;
    gathering g = {.to = touches,
                   .frames = frames,
                   .spacing = source->spacing,
                   .most = source->most / frames->n_frame + 1};
    touches->first = calloc((size_t)frames->n_frame + 1, sizeof *touches->first);
    if (!touches->first) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    const carom_lines_visitor visitor = {&g, take_lines};
    if (carom_results_n_contact_line(source->results) > 0)
        CAROM_TRY(carom_results_visit_contacts(source->results, visitor, error));
    while (g.frame < frames->n_frame) finish_frame(&g);
    return CAROM_OK;
}

void carom_touches_free(carom_touches *touches)
{
    free(touches->touch);
    free(touches->first);
    *touches = (carom_touches){.n = 0};
}

static void find_box(const carom_touches *t, double low[3], double high[3])
{
    for (int k = 0; k < 3; k++) {
        low[k] = high[k] = t->touch[0].point[k];
        for (long i = 1; i < t->n; i++) {
            low[k] = fmin(low[k], t->touch[i].point[k]);
            high[k] = fmax(high[k], t->touch[i].point[k]);
        }
    }
}

static unsigned short level(double x, double low, double high)
{
    return high > low ? (unsigned short)lrint(65535 * fmin(1, fmax(0, (x - low) / (high - low))))
                      : 0;
}

static void encode_box(carom_encoder *e, const char *name, const double x[3])
{
    carom_encode_begin(e, name, '[');
    for (int k = 0; k < 3; k++) carom_encode_number(e, NULL, x[k]);
    carom_encode_end(e, ']');
}

static void encode_places(const carom_touches *t, carom_encoder *e, unsigned short *scratch)
{
    double low[3], high[3];
    find_box(t, low, high);
    encode_box(e, "low", low);
    encode_box(e, "high", high);
    for (long i = 0; i < 3 * t->n; i++)
        scratch[i] = level(t->touch[i / 3].point[i % 3], low[i % 3], high[i % 3]);
    carom_encode_shorts(e, "points", scratch, 3 * t->n);
    for (long i = 0; i < 3 * t->n; i++) scratch[i] = level(t->touch[i / 3].normal[i % 3], -1, 1);
    carom_encode_shorts(e, "normals", scratch, 3 * t->n);
    for (long i = 0; i < 2 * t->n; i++) scratch[i] = (unsigned short)t->touch[i / 2].body[i % 2];
    carom_encode_shorts(e, "bodies", scratch, 2 * t->n);
}

carom_status carom_touches_encode(const carom_touches *t, carom_encoder *e, long n_frame,
                                  carom_error *error)
{
    if (t->n == 0) return CAROM_OK;
    unsigned short *scratch = malloc(3 * sizeof *scratch * (size_t)t->n);
    float *force = malloc(sizeof *force * (size_t)t->n);
    if (scratch && force) {
        carom_encode_begin(e, "touches", '{');
        carom_encode_integers(e, "first", t->first, n_frame + 1);
        encode_places(t, e, scratch);
        for (long i = 0; i < t->n; i++) force[i] = (float)t->touch[i].force;
        carom_encode_floats(e, "forces", force, t->n);
        carom_encode_number(e, "left_out", t->most_left_out);
        carom_encode_end(e, '}');
    }
    const bool is_made = scratch && force;
    free(scratch);
    free(force);
    return is_made ? CAROM_OK : carom_fail(error, CAROM_NO_MEMORY, "out of memory");
}
