// SPDX-License-Identifier: Apache-2.0
// The drawing of a run. Model text, overrides and recorded coordinates are all that is needed, so
// that a run costs nothing more when it is recorded.
#include "report/frames.h"

#include "model/model.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { IN_PLANE = 4, IN_SPACE = 6 }; // numbers of a place

// one line "set NAME=VALUE" or "start NAME=VALUE" of the changes
static carom_status apply_change(carom_builder *builder, char *line, carom_error *error)
{
    const bool is_set = strncmp(line, "set ", 4) == 0;
    char *name = line + (is_set ? 4 : 6), *equals = strchr(name, '=');
    if (!equals || (!is_set && strncmp(line, "start ", 6) != 0))
        return carom_fail(error, CAROM_BAD_INPUT, "'%s' is no change of a model", line);
    *equals = 0;
    for (char *end = equals; end > name && end[-1] == ' ';) *--end = 0;
    const carom_place place = {.file = "changes"};
    const carom_text key = {name, place}, value = {equals + 1, place};
    return is_set ? carom_builder_set(builder, key, value, error)
                  : carom_builder_start(builder, key, value, error);
}

static carom_status apply_changes(carom_builder *builder, const char *changes, carom_error *error)
{
    carom_status status = CAROM_OK;
    char *copy = strdup(changes);
    if (!copy) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    for (char *line = copy; status == CAROM_OK && line && *line;) {
        char *end = strchr(line, '\n');
        if (end) *end = 0;
        status = apply_change(builder, line, error);
        line = end ? end + 1 : NULL;
    }
    free(copy);
    return status;
}

// whether the path that stands in the results still leads to the text that stands there too. If
// not, it may be anything, and the files beside it are none of the model's business.
static bool is_still_there(const carom_output_head *head)
{
    struct stat facts;
    const char *text = head->model_text;
    int c = EOF;
    const int opened = open(head->model_path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    const bool is_plain = opened >= 0 && fstat(opened, &facts) == 0 && S_ISREG(facts.st_mode);
    FILE *file = is_plain ? fdopen(opened, "rb") : NULL;
    if (!file && opened >= 0) close(opened);
    if (!file) return false;
    while ((c = fgetc(file)) != EOF && *text && c == (unsigned char)*text) text++;
    fclose(file);
    return c == EOF && !*text;
}

// files that the model names may have changed since the run; without such files its text is all
static carom_status check_files(const carom_frames *f, const carom_frames_source *source,
                                carom_error *error)
{
    char mine[32];
    const char *run = source->run;
    const bool is_known = strchr(run, '-') != NULL && // of this version: others derive otherwise
                          strcmp(source->head->version, carom_version()) == 0;
    const int n = snprintf(mine, sizeof mine, "%016llx-", carom_model_fingerprint(f->model));
    if (!is_known || strncmp(run, mine, (size_t)n) == 0) return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT,
                      "the files that the model includes, or its tables, are no longer what they "
                      "were in the run");
}

static carom_status read_text(carom_frames *f, const carom_output_head *head,
                              const carom_access *access, carom_error *error)
{
    return carom_modelfile_read_text_with(head->model_text, strlen(head->model_text),
                                          head->model_path, access, &f->file, error);
}

static carom_status make_model(carom_frames *f, const carom_frames_source *source,
                               carom_error *error)
{
    const carom_output_head *head = source->head;
    carom_access access = source->access ? *source->access : (carom_access){0};
    static const unsigned mask[] = {CAROM_FRAME_MASK};
    if (!*head->model_text)
        return carom_fail(error, CAROM_BAD_INPUT, "the results do not hold the model's text");
    access.no_files = true;
    const bool names_files = read_text(f, head, &access, NULL) != CAROM_OK;
    access.no_files = !is_still_there(head);
    if (names_files) CAROM_TRY(read_text(f, head, &access, error));
    carom_builder *builder = carom_modelfile_builder(f->file);
    CAROM_TRY(apply_changes(builder, head->changes, error));
    CAROM_TRY(carom_builder_finish(builder, &f->model, error));
    if (names_files) CAROM_TRY(check_files(f, source, error));
    f->n_draw = carom_model_n_draw(f->model);
    if (f->n_draw == 0) return carom_fail(error, CAROM_BAD_INPUT, "the model has no draw section");
    CAROM_TRY(carom_plan_new(f->model, mask, 1, &f->plan, error));
    f->eval = carom_plan_eval(f->plan);
    return f->eval ? CAROM_OK : carom_fail(error, CAROM_NO_MEMORY, "out of memory");
}

static int count_places(const carom_model *model)
{
    const int n_contact = carom_model_sizes(model).n_contact;
    int n = 0;
    for (int i = 0; i < n_contact; i++)
        if (carom_model_contact(model, i)->place > n) n = carom_model_contact(model, i)->place;
    return n;
}

carom_status carom_frames_open(carom_frames *frames, const carom_frames_source *source,
                               long n_offered, long most_numbers, carom_error *error)
{
    carom_error why = {0};
    *frames = (carom_frames){.stride = 1, .axis = {0, 1}};
    if (make_model(frames, source, &why) != CAROM_OK) {
        carom_frames_close(frames);
        if (why.status == CAROM_NO_MEMORY) return carom_fail(error, why.status, "%s", why.message);
        snprintf(frames->why, sizeof frames->why, "%s", why.message);
        return CAROM_OK;
    }
    frames->is_space = carom_model_drawing(frames->model, 0)->dim == 3;
    if (carom_shown_open(&frames->shown, frames->model, frames->is_space, error) != CAROM_OK) {
        carom_frames_close(frames);
        return CAROM_NO_MEMORY;
    }
    frames->n_place = count_places(frames->model);
    frames->n_number = frames->n_draw + frames->shown.n_number +
                       frames->n_place * (frames->is_space ? IN_SPACE : IN_PLANE);
    const long most = most_numbers / frames->n_number + 2;
    frames->stride = n_offered / most + 1;
    frames->room = n_offered / frames->stride + 2;
    frames->t = malloc(sizeof(double) * (size_t)frames->room);
    frames->value = malloc(sizeof(double) * (size_t)frames->room * (size_t)frames->n_number);
    if (frames->t && frames->value) return CAROM_OK;
    carom_frames_close(frames);
    return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
}

void carom_frames_check(carom_frames *frames, int nq, int nu)
{
    if (!frames->model) return;
    const carom_sizes size = carom_model_sizes(frames->model);
    if (size.nq == nq && size.nu == nu) return;
    carom_frames_close(frames);
    snprintf(frames->why, sizeof frames->why,
             "the model's text does not go with the recorded coordinates");
}

void carom_frames_close(carom_frames *frames)
{
    carom_plan_free(frames->plan);
    carom_model_free(frames->model);
    carom_modelfile_free(frames->file);
    carom_shown_close(&frames->shown);
    free(frames->t);
    free(frames->value);
    free(frames->place);
    *frames = (carom_frames){0};
}

// point and normal of each
static void gather_places(const carom_frames *f, double *to)
{
    const double *place = f->eval->place;
    if (f->is_space) {
        memcpy(to, place, sizeof(double) * IN_SPACE * (size_t)f->n_place);
        return;
    }
    for (int i = 0; i < f->n_place; i++, place += 6, to += IN_PLANE) {
        const double flat[IN_PLANE] = {place[0], place[1], place[3], place[4]};
        memcpy(to, flat, sizeof flat);
    }
}

void carom_frames_add(carom_frames *frames, double t, const double *q, const double *u)
{
    carom_error error = {0};
    const carom_point point = {.t = t, .q = q, .u = u};
    if (!frames->model || frames->n_offered++ % frames->stride != 0) return;
    if (frames->n_frame == frames->room) return;
    if (carom_model_eval(frames->plan, &point, CAROM_FRAME_MASK, frames->eval, &error) != CAROM_OK)
        return;
    frames->t[frames->n_frame] = t;
    double *to = frames->value + frames->n_frame * frames->n_number;
    memcpy(to, frames->eval->draw, sizeof(double) * (size_t)frames->n_draw);
    to += frames->n_draw;
    carom_shown_gather(&frames->shown, frames->eval->pose, to);
    gather_places(frames, to + frames->shown.n_number);
    frames->n_frame++;
}

// how far all points of all frames reach along each axis of space
static void measure_reach(const carom_frames *f, double reach[3])
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    const int n_drawing = carom_model_sizes(f->model).n_drawing;
    for (long row = 0; row < f->n_frame; row++) {
        const double *number = f->value + row * f->n_number;
        for (int i = 0; i < n_drawing; i++) {
            const carom_drawing *d = carom_model_drawing(f->model, i);
            const double *x = number + d->first;
            for (int k = 0; k < 3 * d->n_point; k++) {
                low[k % 3] = fmin(low[k % 3], x[k]);
                high[k % 3] = fmax(high[k % 3], x[k]);
            }
        }
        carom_shown_widen(&f->shown, number + f->n_draw, low, high);
    }
    for (int k = 0; k < 3; k++) reach[k] = high[k] - low[k];
}

// z is up unless nearly nothing happens along it; of x and y the longer one is to the right
static void choose_axes(carom_frames *f)
{
    double reach[3];
    measure_reach(f, reach);
    const double least = fmin(reach[0], reach[1]);
    const bool is_from_above = reach[2] < 0.25 * least;
    f->axis[0] = !is_from_above && reach[1] > 1.001 * reach[0];
    f->axis[1] = is_from_above ? 1 : 2;
}

int carom_frames_first(const carom_frames *frames, int i)
{
    int first = 0;
    for (int k = 0; k < i; k++) {
        const carom_drawing *d = carom_model_drawing(frames->model, k);
        first += 2 * d->n_point + d->has_size;
    }
    return first;
}

int carom_frames_first_depth(const carom_frames *frames, int i)
{
    const int n_drawing = carom_model_sizes(frames->model).n_drawing;
    int first = frames->n_number;
    for (int k = n_drawing - 1; k >= i; k--)
        first -= carom_model_drawing(frames->model, k)->n_point;
    return first;
}

int carom_frames_first_place(const carom_frames *frames, int i)
{
    const int n = frames->is_space ? IN_SPACE : IN_PLANE;
    if (frames->place[i] < 0) return -1;
    return frames->n_draw + frames->shown.n_number + n * frames->place[i];
}

void carom_frames_turn(const carom_frames *frames, const double from[3], double to[3])
{
    int third = 2;
    const int sign = frames->is_space ? carom_shown_depth(frames->axis, &third) : 1;
    const double turned[3] = {from[frames->axis[0]], from[frames->axis[1]], sign * from[third]};
    memcpy(to, turned, sizeof turned);
}

// points of drawings from x to flat, which may begin at the same place; returns how many numbers
// that are
static int flatten_drawings(const carom_frames *f, const double *x, double *flat)
{
    const int n_drawing = carom_model_sizes(f->model).n_drawing;
    int n = 0;
    for (int i = 0; i < n_drawing; i++) {
        const carom_drawing *d = carom_model_drawing(f->model, i);
        for (int k = 0; k < d->n_point; k++) {
            const double *p = x + d->first + 3 * k, right = p[f->axis[0]], up = p[f->axis[1]];
            flat[n++] = right;
            flat[n++] = up;
        }
        if (d->has_size) flat[n++] = x[d->first + 3 * d->n_point];
    }
    return n;
}

static int list_depths(const carom_frames *f, const double *x, double *depth)
{
    const int n_drawing = carom_model_sizes(f->model).n_drawing;
    int n = 0;
    for (int i = 0; i < n_drawing; i++) {
        const carom_drawing *d = carom_model_drawing(f->model, i);
        for (int k = 0; k < d->n_point; k++) {
            double turned[3];
            carom_frames_turn(f, x + d->first + 3 * k, turned);
            depth[n++] = turned[2];
        }
    }
    return n;
}

// which places are kept, by their old numbers; returns how many
static int choose_places(carom_frames *f, const bool *presses, int *kept)
{
    const int n_contact = carom_model_sizes(f->model).n_contact;
    int n = 0;
    for (int i = 0; i < n_contact; i++) {
        const int place = carom_model_contact(f->model, i)->place;
        f->place[i] = place > 0 && presses[i] ? n : -1;
        if (f->place[i] >= 0) kept[n++] = place - 1;
    }
    return n;
}

// one frame from x to flat, which has numbers of its own; returns how many numbers that are
static int flatten_row(carom_frames *f, const double *x, const int *kept, int n_kept, double *flat)
{
    const double *place = x + f->n_draw + f->shown.n_number;
    int n = f->n_draw + f->shown.n_number;
    if (!f->is_space) {
        memcpy(flat, x, sizeof *flat * (size_t)n);
        for (int i = 0; i < n_kept; i++, n += IN_PLANE)
            memcpy(flat + n, place + (ptrdiff_t)IN_PLANE * kept[i], sizeof *flat * IN_PLANE);
        return n;
    }
    n = flatten_drawings(f, x, flat);
    n += carom_shown_flatten(&f->shown, f->axis, x + f->n_draw, flat + n);
    for (int i = 0; i < 2 * n_kept; i++, n += 3)
        carom_frames_turn(f, place + (ptrdiff_t)IN_SPACE * kept[i / 2] + 3 * (i % 2), flat + n);
    return n + list_depths(f, x, flat + n);
}

// numbers of drawings with two axes
static int count_flat(const carom_frames *f)
{
    return carom_frames_first(f, carom_model_sizes(f->model).n_drawing);
}

carom_status carom_frames_flatten(carom_frames *frames, const bool *presses, carom_error *error)
{
    if (!frames->model || frames->n_frame == 0) return CAROM_OK;
    const int n_raw = frames->n_number, n_contact = carom_model_sizes(frames->model).n_contact;
    double *flat = malloc(sizeof *flat * (size_t)n_raw); // a flat frame is no longer
    int *kept = malloc(sizeof *kept * ((size_t)frames->n_place + 1)), n = n_raw;
    frames->place = malloc(sizeof *frames->place * ((size_t)n_contact + 1));
    if (flat && kept && frames->place) {
        const int n_kept = choose_places(frames, presses, kept);
        if (frames->is_space) choose_axes(frames);
        for (long row = 0; row < frames->n_frame; row++) {
            n = flatten_row(frames, frames->value + row * n_raw, kept, n_kept, flat);
            memcpy(frames->value + row * n, flat, sizeof *flat * (size_t)n);
        }
        frames->n_place = n_kept;
        frames->n_number = n;
        if (frames->is_space) frames->n_draw = count_flat(frames);
        if (frames->is_space) frames->shown.n_number = carom_shown_flat(&frames->shown);
    }
    const bool is_made = flat && kept && frames->place;
    free(flat);
    free(kept);
    return is_made ? CAROM_OK : carom_fail(error, CAROM_NO_MEMORY, "out of memory");
}
