// SPDX-License-Identifier: Apache-2.0
// A scene as one VTKHDF file of type PolyData with steps, which ParaView 5.12 and later read. Each
// step is one part of its own: numbers of points and cells, then all of them behind those of the
// steps before.
//
//     offset of part i in Offsets   cells before + parts before, since each part has one more
//
// Cells that never change are written for every step too; the compression makes nothing of them.
// Room on the disk is taken before each write, because libhdf5 does not survive one that fails.
#include "base/files/wholefile.h"
#include "report/vtk_scene.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <hdf5.h>

enum { N_KIND = 4, MOST_CHUNK = 1 << 16, SPARE = 1 << 20, DEFLATE_LEVEL = 4 };

/// A list that grows, of so many numbers in each row.
typedef struct growing {
    hid_t set, type;
    int width;
    hsize_t done;
} growing;

/// Cells of one kind.
typedef struct kind_sets {
    growing n_id, n_cell, offset, corner;
} kind_sets;

typedef struct vtk_file {
    hid_t file, root;
    off_t reserved;
    growing n_point, point, force, body;
    kind_sets kind[N_KIND];
    growing time, part_offset, n_part, point_offset, cell_offset, id_offset, force_offset,
        body_offset;
    bool is_good;
} vtk_file;

static const char *const kind_name[N_KIND] = {"Vertices", "Lines", "Polygons", "Strips"};

static void reserve(vtk_file *f, size_t bytes)
{
    hsize_t size = 0;
    void *handle = NULL;
    if (!f->is_good || H5Fget_filesize(f->file, &size) < 0) return;
    const off_t wanted = (off_t)(size + bytes + bytes / 64 + SPARE);
    if (wanted <= f->reserved || H5Fget_vfd_handle(f->file, H5P_DEFAULT, &handle) < 0) return;
    const int cause = posix_fallocate(*(const int *)handle, 0, wanted);
    f->reserved = wanted;
    if (cause == 0 || cause == EINVAL || cause == EOPNOTSUPP) return;
    errno = cause;
    f->is_good = false;
}

static growing make_list(vtk_file *f, hid_t owner, const char *name, hid_t type, int width)
{
    growing list = {.type = type, .width = width, .set = -1};
    const int rank = width > 1 ? 2 : 1;
    const hsize_t size[2] = {0, (hsize_t)width}, most[2] = {H5S_UNLIMITED, (hsize_t)width};
    const hsize_t chunk[2] = {MOST_CHUNK / 16, (hsize_t)width};
    if (!f->is_good) return list;
    const hid_t space = H5Screate_simple(rank, size, most), form = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(form, 0);
    H5Pset_chunk(form, rank, chunk);
    H5Pset_shuffle(form);
    if (H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) H5Pset_deflate(form, DEFLATE_LEVEL);
    list.set = H5Dcreate2(owner, name, type, space, H5P_DEFAULT, form, H5P_DEFAULT);
    f->is_good = list.set >= 0;
    H5Pclose(form);
    H5Sclose(space);
    return list;
}

static void append(vtk_file *f, growing *list, long n, const void *data)
{
    const int rank = list->width > 1 ? 2 : 1;
    const hsize_t start[2] = {list->done, 0}, count[2] = {(hsize_t)n, (hsize_t)list->width};
    const hsize_t size[2] = {list->done + (hsize_t)n, (hsize_t)list->width};
    if (n == 0) return;
    reserve(f, (size_t)n * (size_t)list->width * H5Tget_size(list->type) + MOST_CHUNK * 8);
    if (!f->is_good) return;
    f->is_good = H5Dset_extent(list->set, size) >= 0;
    const hid_t space = H5Dget_space(list->set), memory = H5Screate_simple(rank, count, NULL);
    f->is_good = f->is_good &&
                 H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
                 H5Dwrite(list->set, list->type, memory, space, H5P_DEFAULT, data) >= 0;
    H5Sclose(memory);
    H5Sclose(space);
    list->done += (hsize_t)n;
}

static void append_number(vtk_file *f, growing *list, long long value)
{
    append(f, list, 1, &value);
}

static hid_t make_group(vtk_file *f, hid_t owner, const char *name)
{
    const hid_t form = H5Pcreate(H5P_GROUP_CREATE);
    H5Pset_obj_track_times(form, 0);
    const hid_t group = f->is_good ? H5Gcreate2(owner, name, H5P_DEFAULT, form, H5P_DEFAULT) : -1;
    H5Pclose(form);
    f->is_good = group >= 0;
    return group;
}

static void write_attribute(vtk_file *f, hid_t owner, const char *name, hid_t type, int n,
                            const void *value)
{
    const hsize_t count = (hsize_t)n;
    if (!f->is_good) return;
    const hid_t space = n > 1 ? H5Screate_simple(1, &count, NULL) : H5Screate(H5S_SCALAR);
    const hid_t attribute = H5Acreate2(owner, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    f->is_good = attribute >= 0 && H5Awrite(attribute, type, value) >= 0;
    if (attribute >= 0) H5Aclose(attribute);
    H5Sclose(space);
}

static void make_head(vtk_file *f)
{
    static const char type[] = "PolyData";
    static const long long version[2] = {2, 0};
    const hid_t text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, sizeof type - 1);
    H5Tset_strpad(text, H5T_STR_NULLPAD);
    f->root = make_group(f, f->file, "VTKHDF");
    write_attribute(f, f->root, "Version", H5T_NATIVE_LLONG, 2, version);
    write_attribute(f, f->root, "Type", text, 1, type);
    H5Tclose(text);
    f->n_point = make_list(f, f->root, "NumberOfPoints", H5T_NATIVE_LLONG, 1);
    f->point = make_list(f, f->root, "Points", H5T_NATIVE_FLOAT, 3);
    for (int k = 0; k < N_KIND; k++) {
        kind_sets *sets = &f->kind[k];
        const hid_t group = make_group(f, f->root, kind_name[k]);
        sets->n_id = make_list(f, group, "NumberOfConnectivityIds", H5T_NATIVE_LLONG, 1);
        sets->n_cell = make_list(f, group, "NumberOfCells", H5T_NATIVE_LLONG, 1);
        sets->offset = make_list(f, group, "Offsets", H5T_NATIVE_LLONG, 1);
        sets->corner = make_list(f, group, "Connectivity", H5T_NATIVE_LLONG, 1);
    }
    f->force = make_list(f, make_group(f, f->root, "PointData"), "force", H5T_NATIVE_FLOAT, 3);
    f->body = make_list(f, make_group(f, f->root, "CellData"), "body", H5T_NATIVE_INT, 1);
}

static void make_steps(vtk_file *f, long n_frame)
{
    const long long n = n_frame;
    const hid_t steps = make_group(f, f->root, "Steps");
    write_attribute(f, steps, "NSteps", H5T_NATIVE_LLONG, 1, &n);
    f->time = make_list(f, steps, "Values", H5T_NATIVE_DOUBLE, 1);
    f->part_offset = make_list(f, steps, "PartOffsets", H5T_NATIVE_LLONG, 1);
    f->n_part = make_list(f, steps, "NumberOfParts", H5T_NATIVE_LLONG, 1);
    f->point_offset = make_list(f, steps, "PointOffsets", H5T_NATIVE_LLONG, 1);
    f->cell_offset = make_list(f, steps, "CellOffsets", H5T_NATIVE_LLONG, N_KIND);
    f->id_offset = make_list(f, steps, "ConnectivityIdOffsets", H5T_NATIVE_LLONG, N_KIND);
    f->force_offset =
        make_list(f, make_group(f, steps, "PointDataOffsets"), "force", H5T_NATIVE_LLONG, 1);
    f->body_offset =
        make_list(f, make_group(f, steps, "CellDataOffsets"), "body", H5T_NATIVE_LLONG, 1);
}

// where the next step begins in the lists
static void begin_step(vtk_file *f, double t, long frame)
{
    long long cell[N_KIND], id[N_KIND];
    for (int k = 0; k < N_KIND; k++) {
        cell[k] = (long long)f->kind[k].offset.done - frame; // one more in each part
        id[k] = (long long)f->kind[k].corner.done;
    }
    append(f, &f->time, 1, &t);
    append_number(f, &f->part_offset, frame);
    append_number(f, &f->n_part, 1);
    append_number(f, &f->point_offset, (long long)f->point.done);
    append(f, &f->cell_offset, 1, cell);
    append(f, &f->id_offset, 1, id);
    append_number(f, &f->force_offset, (long long)f->force.done);
    append_number(f, &f->body_offset, (long long)f->body.done);
}

static void append_cells(vtk_file *f, kind_sets *sets, const carom_vtk_cells *cells)
{
    static const long long none = 0;
    append_number(f, &sets->n_id, cells->n_corner);
    append_number(f, &sets->n_cell, cells->n);
    append(f, &sets->offset, cells->n + 1, cells->n > 0 ? cells->offset : &none);
    append(f, &sets->corner, cells->n_corner, cells->corner);
    append(f, &f->body, cells->n, cells->body);
}

/// Room for one frame.
typedef struct frame_room {
    float *point, *force;
    long long *count; // 0, 1, 2, ...
    int *body;
} frame_room;

static void write_frame(vtk_file *f, const carom_vtk_scene *scene, long frame, frame_room *room)
{
    const long n_contact = carom_vtk_scene_n_contact(scene, frame), n = scene->n_point + n_contact;
    carom_vtk_scene_fill(scene, frame, room->point, room->force, room->body);
    for (long i = 0; i <= n_contact; i++) room->count[i] = i;
    const carom_vtk_cells none = {.n = 0};
    kind_sets *vertices = &f->kind[0];
    begin_step(f, carom_vtk_scene_time(scene, frame), frame);
    append_number(f, &f->n_point, n);
    append(f, &f->point, n, room->point);
    append(f, &f->force, n, room->force);
    append_number(f, &vertices->n_id, n_contact);
    append_number(f, &vertices->n_cell, n_contact);
    append(f, &vertices->offset, n_contact + 1, room->count);
    for (long i = 0; i < n_contact; i++) room->count[i] = scene->n_point + i;
    append(f, &vertices->corner, n_contact, room->count);
    append(f, &f->body, n_contact, room->body);
    append_cells(f, &f->kind[1], &scene->lines);
    append_cells(f, &f->kind[2], &scene->polygons);
    append_cells(f, &f->kind[3], &none);
}

static bool take_room(const carom_vtk_scene *scene, frame_room *room)
{
    long most = 0;
    for (long i = 0; i < carom_vtk_scene_n_frame(scene); i++)
        if (carom_vtk_scene_n_contact(scene, i) > most) most = carom_vtk_scene_n_contact(scene, i);
    const size_t n = 3 * (size_t)(scene->n_point + most) + 3;
    room->point = malloc(sizeof *room->point * n);
    room->force = malloc(sizeof *room->force * n);
    room->count = malloc(sizeof *room->count * ((size_t)most + 2));
    room->body = malloc(sizeof *room->body * ((size_t)most + 1));
    return room->point && room->force && room->count && room->body;
}

static bool write_file(vtk_file *f, const carom_vtk_scene *scene, const char *path)
{
    frame_room room = {.point = NULL};
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG); // lists and groups are closed with it
    f->file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    f->is_good = f->file >= 0 && take_room(scene, &room);
    reserve(f, 0);
    make_head(f);
    make_steps(f, carom_vtk_scene_n_frame(scene));
    for (long i = 0; f->is_good && i < carom_vtk_scene_n_frame(scene); i++)
        write_frame(f, scene, i, &room);
    free(room.point);
    free(room.force);
    free(room.count);
    free(room.body);
    hsize_t size = 0;
    if (f->file >= 0) {
        f->is_good &= H5Fflush(f->file, H5F_SCOPE_GLOBAL) >= 0;
        f->is_good &= H5Fget_filesize(f->file, &size) >= 0;
        f->is_good &= H5Fclose(f->file) >= 0;
    }
    return f->is_good && truncate(path, (off_t)size) == 0;
}

carom_status carom_vtk_write_hdf5(const carom_vtk_scene *scene, const char *path,
                                  carom_error *error)
{
    carom_wholefile file;
    vtk_file f = {.file = -1};
    H5E_auto2_t print;
    void *data;
    CAROM_TRY(carom_wholefile_open(&file, path, error));
    carom_status status = CAROM_OK;
    if (!file.beside)
        status =
            carom_fail(error, CAROM_BAD_INPUT, "cannot write '%s': it is not a plain file", path);
    H5Eget_auto2(H5E_DEFAULT, &print, &data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    errno = 0;
    if (status == CAROM_OK && !write_file(&f, scene, file.beside))
        status = carom_fail(error, CAROM_IO, "cannot write '%s': %s", path,
                            errno ? strerror(errno) : "the write failed");
    H5Eset_auto2(H5E_DEFAULT, print, data);
    return carom_wholefile_close(&file, status, error);
}
