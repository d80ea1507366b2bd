// SPDX-License-Identifier: Apache-2.0
#include "output/hdf5/hdf5_bodies.h"

#include "carom/bodies.h"
#include "math/rotation.h"
#include "sim/sim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { IN_PLANE = 3, IN_SPACE = 7, CHUNK_NUMBERS = 1 << 16, MOST_ROWS = 1024, DEFLATE_LEVEL = 1 };

static const double turn = 6.283185307179586;

/// Poses on their way into the file.
typedef struct {
    const carom_hdf5_target *to;
    carom_plan *plan;
    carom_eval *eval;
    int n_body, width; // numbers of one body
    int nq;
    hid_t set;
    double *block, *last; // (chunk x n_body x width), (n_body x width) of the row before
    int n, chunk;         // rows in the block, and room
    hsize_t done;
} writer;

static const unsigned pose_mask[] = {CAROM_DRAW};

static carom_status copy_parameters(const carom_sim *sim, carom_plan *plan, carom_error *error)
{
    const int n = carom_model_n_live(sim->model);
    if (n == 0) return CAROM_OK;
    carom_parameter *value = calloc((size_t)n, sizeof *value);
    if (!value) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    for (int i = 0; i < n; i++) {
        value[i] = carom_model_live(sim->model, i);
        value[i].value = carom_sim_parameter(sim, value[i].name);
    }
    const carom_status status = carom_plan_set(plan, value, n, error);
    free(value);
    return status;
}

carom_status carom_hdf5_pose_plan(const carom_sim *sim, carom_plan **plan, carom_error *error)
{
    *plan = NULL;
    if (carom_model_sizes(sim->model).n_body == 0) return CAROM_OK;
    CAROM_TRY(carom_plan_new(sim->model, pose_mask, 1, plan, error));
    const carom_status status = copy_parameters(sim, *plan, error);
    if (status != CAROM_OK) {
        carom_plan_free(*plan);
        *plan = NULL;
    }
    return status;
}

// an empty rows x bodies x numbers
static hid_t make_set(const writer *w)
{
    const hsize_t body = (hsize_t)w->n_body, width = (hsize_t)w->width;
    const hsize_t size[3] = {0, body, width}, most[3] = {H5S_UNLIMITED, body, width};
    const hsize_t chunk[3] = {(hsize_t)w->chunk, body, width};
    const hid_t space = H5Screate_simple(3, size, most), form = carom_hdf5_timeless();
    H5Pset_chunk(form, 3, chunk);
    H5Pset_shuffle(form);
    if (H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) H5Pset_deflate(form, DEFLATE_LEVEL);
    H5Pset_fletcher32(form);
    const hid_t set = H5Dcreate2(w->to->file, "bodies/poses", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT,
                                 form, H5P_DEFAULT);
    H5Pclose(form);
    H5Sclose(space);
    return set;
}

static bool write_block(writer *w)
{
    if (w->n == 0) return true;
    const hsize_t start[3] = {w->done, 0, 0};
    const hsize_t count[3] = {(hsize_t)w->n, (hsize_t)w->n_body, (hsize_t)w->width};
    const hsize_t size[3] = {w->done + (hsize_t)w->n, count[1], count[2]};
    if (!w->to->reserve(w->to->self, sizeof(double) * (size_t)(w->chunk * w->n_body * w->width)))
        return false;
    if (H5Dset_extent(w->set, size) < 0) return false;
    const hid_t space = H5Dget_space(w->set), memory = H5Screate_simple(3, count, NULL);
    const bool is_good =
        H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
        H5Dwrite(w->set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, w->block) >= 0;
    H5Sclose(memory);
    H5Sclose(space);
    w->done += (hsize_t)w->n;
    w->n = 0;
    return is_good;
}

// one body from r and R, near the pose of the row before
static void put_pose(const writer *w, const double *pose, double *last, double *to)
{
    const double *R = pose + 3;
    if (w->width == IN_PLANE) {
        const double angle = atan2(R[3], R[0]);
        to[0] = pose[0];
        to[1] = pose[1];
        to[2] = angle + turn * rint((last[2] - angle) / turn);
    } else {
        double p[4], dot = 0;
        carom_rotation_quaternion(R, p);
        for (int i = 0; i < 4; i++) dot += p[i] * last[3 + i];
        memcpy(to, pose, 3 * sizeof *to);
        for (int i = 0; i < 4; i++) to[3 + i] = dot < 0 ? -p[i] : p[i];
    }
    memcpy(last, to, sizeof *last * (size_t)w->width);
}

// numbers that are not known are not-a-number
static void put_row(writer *w, double t, const double *q)
{
    const carom_point at = {.t = t, .q = q};
    double *to = w->block + (size_t)w->n++ * (size_t)(w->n_body * w->width);
    const bool is_known = carom_model_eval(w->plan, &at, CAROM_DRAW, w->eval, NULL) == CAROM_OK;
    for (int i = 0; !is_known && i < w->n_body * w->width; i++) to[i] = NAN;
    for (int b = 0; is_known && b < w->n_body; b++)
        put_pose(w, w->eval->pose + 12 * (size_t)b, w->last + (size_t)b * (size_t)w->width,
                 to + (size_t)b * (size_t)w->width);
}

static carom_status take_rows(void *self, const double *value, long n, carom_error *error)
{
    writer *w = self;
    for (long r = 0; r < n; r++, value += 1 + w->nq) {
        put_row(w, value[0], value + 1);
        if (w->n == w->chunk && !write_block(w))
            return carom_fail(error, CAROM_IO, "the write failed");
    }
    return CAROM_OK;
}

// texts of one length as a dataset or as an attribute of one
static bool write_list(hid_t owner, const char *name, const char *const *text, int n, bool is_set)
{
    size_t bytes = 1;
    for (int i = 0; i < n; i++)
        if (strlen(text[i]) + 1 > bytes) bytes = strlen(text[i]) + 1;
    char *all = calloc((size_t)n, bytes);
    if (!all) return false;
    for (int i = 0; i < n; i++) memcpy(all + bytes * (size_t)i, text[i], strlen(text[i]));
    const hsize_t count = (hsize_t)n;
    const hid_t type = carom_hdf5_utf8_type(bytes), space = H5Screate_simple(1, &count, NULL);
    const hid_t form = carom_hdf5_timeless();
    const hid_t made = is_set ? H5Dcreate2(owner, name, type, space, H5P_DEFAULT, form, H5P_DEFAULT)
                              : H5Acreate2(owner, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    const bool is_good =
        made >= 0 && (is_set ? H5Dwrite(made, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, all)
                             : H5Awrite(made, type, all)) >= 0;
    if (made >= 0) is_set ? H5Dclose(made) : H5Aclose(made);
    H5Pclose(form);
    H5Sclose(space);
    H5Tclose(type);
    free(all);
    return is_good;
}

static bool write_names(const writer *w)
{
    static const char *const in_space[] = {"x", "y", "z", "p0", "p1", "p2", "p3"};
    static const char *const space_unit[] = {"m", "m", "m", "", "", "", ""};
    static const char *const in_plane[] = {"x", "y", "angle"}, *const plane_unit[] = {"m", "m",
                                                                                      "rad"};
    const bool is_space = w->width == IN_SPACE;
    const char **name = calloc((size_t)w->n_body, sizeof *name);
    if (!name) return false;
    size_t bytes = 0;
    for (int b = 0; b < w->n_body; b++) {
        name[b] = carom_model_body_name(w->eval->model, b);
        bytes += strlen(name[b]) + 1;
    }
    const bool is_good =
        w->to->reserve(w->to->self, bytes * (size_t)w->n_body) &&
        write_list(w->to->file, "bodies/names", name, w->n_body, true) &&
        write_list(w->set, "columns", is_space ? in_space : in_plane, w->width, false) &&
        write_list(w->set, "units", is_space ? space_unit : plane_unit, w->width, false);
    free(name);
    return is_good;
}

// t and q of all rows
static bool write_poses(writer *w, carom_results *from, carom_error *error)
{
    int *column = calloc((size_t)from->n_column + 1, sizeof *column);
    bool is_good = column != NULL;
    if (column) column[0] = carom_results_find(from, "t");
    for (int i = 0; is_good && i < from->n_column; i++)
        if (strcmp(from->column[i].group, "q") == 0) column[1 + w->nq++] = i;
    is_good = is_good && w->nq == carom_model_sizes(w->eval->model).nq;
    const carom_rows_visitor visitor = {w, take_rows};
    is_good = is_good && carom_results_visit(from, column, 1 + w->nq, visitor, error) == CAROM_OK &&
              write_block(w);
    free(column);
    return is_good;
}

bool carom_hdf5_write_bodies(const carom_hdf5_target *to, carom_results *from, carom_plan *plan,
                             carom_error *error)
{
    if (!plan) return true;
    writer w = {.to = to, .plan = plan, .eval = carom_plan_eval(plan), .set = -1};
    if (!w.eval) return false;
    const carom_sizes size = carom_model_sizes(w.eval->model);
    w.n_body = size.n_body;
    w.width = size.dim == 3 ? IN_SPACE : IN_PLANE;
    const int numbers = w.n_body * w.width, rows = CHUNK_NUMBERS / numbers;
    w.chunk = rows < 1 ? 1 : rows > MOST_ROWS ? MOST_ROWS : rows;
    w.block = calloc((size_t)w.chunk * (size_t)numbers, sizeof *w.block);
    w.last = calloc((size_t)numbers, sizeof *w.last);
    for (int b = 0; w.last && w.width == IN_SPACE && b < w.n_body; b++)
        w.last[b * IN_SPACE + 3] = 1; // the first quaternions have p0 >= 0
    const hid_t group = H5Gcreate2(to->file, "bodies", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool is_good = w.block && w.last && group >= 0;
    if (is_good) w.set = make_set(&w);
    is_good = is_good && w.set >= 0 && write_names(&w) && write_poses(&w, from, error);
    if (w.set >= 0) H5Dclose(w.set);
    if (group >= 0) H5Gclose(group);
    free(w.block);
    free(w.last);
    return is_good;
}
