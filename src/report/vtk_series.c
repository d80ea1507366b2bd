// SPDX-License-Identifier: Apache-2.0
// A scene as a list of files, which every VTK reads: NAME.pvd, and NAME/NAME_00000.vtp, ... with
// raw numbers behind their XML heads.
#include "base/files/wholefile.h"
#include "report/vtk_scene.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_ROOM = 4096 };

/// One file: its head says where each array begins behind it.
typedef struct series_file {
    carom_wholefile file;
    size_t offset;
} series_file;

/// One array: bytes of n numbers.
typedef struct block {
    const char *type, *name;
    int components;
    size_t bytes;
    const void *data;
} block;

enum { MOST_BLOCKS = 12 };
typedef struct blocks {
    int n;
    block item[MOST_BLOCKS];
} blocks;

static void head_of_array(series_file *f, blocks *all, block b)
{
    fprintf(f->file.stream,
            "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" "
            "offset=\"%zu\"/>\n",
            b.type, b.name, b.components, f->offset);
    f->offset += sizeof(uint64_t) + b.bytes;
    all->item[all->n++] = b;
}

// what is read as offsets is the end of each cell
static void head_of_cells(series_file *f, blocks *all, const char *name,
                          const carom_vtk_cells *cells)
{
    const size_t number = sizeof(long long);
    fprintf(f->file.stream, "<%s>\n", name);
    head_of_array(
        f, all,
        (block){"Int64", "connectivity", 1, number * (size_t)cells->n_corner, cells->corner});
    head_of_array(f, all,
                  (block){"Int64", "offsets", 1, number * (size_t)cells->n,
                          cells->n > 0 ? cells->offset + 1 : NULL});
    fprintf(f->file.stream, "</%s>\n", name);
}

static void write_blocks(series_file *f, const blocks *all)
{
    fputs("<AppendedData encoding=\"raw\">\n_", f->file.stream);
    for (int i = 0; i < all->n; i++) {
        const uint64_t bytes = all->item[i].bytes;
        fwrite(&bytes, sizeof bytes, 1, f->file.stream);
        if (bytes > 0) fwrite(all->item[i].data, 1, bytes, f->file.stream);
    }
    fputs("\n</AppendedData>\n", f->file.stream);
}

/// All numbers of a frame; vertices are the contacts.
typedef struct frame_data {
    long n_point, n_cell;
    float *point, *force;
    int *body; // of all cells: contacts, lines, polygons
    carom_vtk_cells vertices;
} frame_data;

static bool read_frame(const carom_vtk_scene *s, long frame, frame_data *d)
{
    const long n = carom_vtk_scene_n_contact(s, frame);
    *d = (frame_data){.n_point = s->n_point + n, .n_cell = n + s->lines.n + s->polygons.n};
    d->vertices = (carom_vtk_cells){.n = n, .n_corner = n};
    d->point = malloc(3 * sizeof *d->point * (size_t)(d->n_point + 1));
    d->force = malloc(3 * sizeof *d->force * (size_t)(d->n_point + 1));
    d->body = malloc(sizeof *d->body * (size_t)(d->n_cell + 1));
    d->vertices.offset = malloc(sizeof *d->vertices.offset * (size_t)(n + 1));
    d->vertices.corner = malloc(sizeof *d->vertices.corner * (size_t)(n + 1));
    if (!d->point || !d->force || !d->body || !d->vertices.offset || !d->vertices.corner)
        return false;
    carom_vtk_scene_fill(s, frame, d->point, d->force, d->body);
    for (long i = 0; i <= n; i++) d->vertices.offset[i] = i;
    for (long i = 0; i < n; i++) d->vertices.corner[i] = s->n_point + i;
    if (s->lines.n > 0) memcpy(d->body + n, s->lines.body, sizeof(int) * (size_t)s->lines.n);
    if (s->polygons.n > 0)
        memcpy(d->body + n + s->lines.n, s->polygons.body, sizeof(int) * (size_t)s->polygons.n);
    return true;
}

static void free_frame(frame_data *d)
{
    free(d->point);
    free(d->force);
    free(d->body);
    free(d->vertices.offset);
    free(d->vertices.corner);
}

static void write_frame(series_file *f, const carom_vtk_scene *s, const frame_data *d)
{
    const uint16_t probe = 1;
    unsigned char first;
    blocks all = {.n = 0};
    memcpy(&first, &probe, 1);
    const size_t points = 3 * sizeof(float) * (size_t)d->n_point;
    fprintf(f->file.stream,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" "
            "byte_order=\"%s\" header_type=\"UInt64\">\n<PolyData>\n<Piece NumberOfPoints=\"%ld\" "
            "NumberOfVerts=\"%ld\" NumberOfLines=\"%ld\" NumberOfStrips=\"0\" "
            "NumberOfPolys=\"%ld\">\n<PointData Vectors=\"force\">\n",
            first ? "LittleEndian" : "BigEndian", d->n_point, d->vertices.n, s->lines.n,
            s->polygons.n);
    head_of_array(f, &all, (block){"Float32", "force", 3, points, d->force});
    fputs("</PointData>\n<CellData>\n", f->file.stream);
    head_of_array(f, &all, (block){"Int32", "body", 1, sizeof(int) * (size_t)d->n_cell, d->body});
    fputs("</CellData>\n<Points>\n", f->file.stream);
    head_of_array(f, &all, (block){"Float32", "Points", 3, points, d->point});
    fputs("</Points>\n", f->file.stream);
    head_of_cells(f, &all, "Verts", &d->vertices);
    head_of_cells(f, &all, "Lines", &s->lines);
    head_of_cells(f, &all, "Polys", &s->polygons);
    fputs("</Piece>\n</PolyData>\n", f->file.stream);
    write_blocks(f, &all);
    fputs("</VTKFile>\n", f->file.stream);
}

static carom_status write_one(const carom_vtk_scene *s, long frame, const char *path,
                              carom_error *error)
{
    series_file f = {.offset = 0};
    frame_data d;
    carom_status status = CAROM_OK;
    CAROM_TRY(carom_wholefile_open(&f.file, path, error));
    if (read_frame(s, frame, &d))
        write_frame(&f, s, &d);
    else
        status = carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    free_frame(&d);
    return carom_wholefile_close(&f.file, status, error);
}

// text as the value of an attribute
static void put_escaped(FILE *to, const char *text)
{
    for (; *text; text++) {
        const char *word = *text == '&'   ? "&amp;"
                           : *text == '<' ? "&lt;"
                           : *text == '"' ? "&quot;"
                                          : NULL;
        if (word)
            fputs(word, to);
        else
            putc(*text, to);
    }
}

static carom_status write_list(const carom_vtk_scene *s, const char *path, const char *name,
                               carom_error *error)
{
    carom_wholefile file;
    CAROM_TRY(carom_wholefile_open(&file, path, error));
    fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n",
          file.stream);
    for (long i = 0; i < carom_vtk_scene_n_frame(s); i++) {
        fprintf(file.stream, "<DataSet timestep=\"%.17g\" part=\"0\" file=\"",
                carom_vtk_scene_time(s, i));
        put_escaped(file.stream, name);
        fputs("/", file.stream);
        put_escaped(file.stream, name);
        fprintf(file.stream, "_%05ld.vtp\"/>\n", i);
    }
    fputs("</Collection>\n</VTKFile>\n", file.stream);
    return carom_wholefile_close(&file, CAROM_OK, error);
}

// the list comes last: what it names is there
carom_status carom_vtk_write_series(const carom_vtk_scene *scene, const char *path,
                                    carom_error *error)
{
    char folder[PATH_ROOM], file[2 * PATH_ROOM + 64];
    const size_t n = strlen(path) - strlen(".pvd");
    if (n + 1 > sizeof folder || n == 0 || path[n - 1] == '/')
        return carom_fail(error, CAROM_BAD_INPUT, "'%.200s' is no name for a list of files", path);
    memcpy(folder, path, n);
    folder[n] = 0;
    const char *slash = strrchr(folder, '/'), *name = slash ? slash + 1 : folder;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return carom_fail(error, CAROM_IO, "cannot make the folder '%s': %s", folder,
                          strerror(errno));
    for (long i = 0; i < carom_vtk_scene_n_frame(scene); i++) {
        snprintf(file, sizeof file, "%s/%s_%05ld.vtp", folder, name, i);
        CAROM_TRY(write_one(scene, i, file, error));
    }
    return write_list(scene, path, name, error);
}
