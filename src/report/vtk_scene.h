// SPDX-License-Identifier: Apache-2.0
// A run as VTK sees it: points that move, cells between them that stay, and at each frame contacts
// that press, each a point with a force.
//
//     points    of shapes, by shapes; of discs and lines of drawings; then contacts
//     cells     vertices (contacts), lines, polygons; each with the number of its body, -1 = none
#ifndef CAROM_REPORT_VTK_SCENE_H
#define CAROM_REPORT_VTK_SCENE_H

#include "carom/report.h"
#include "report/touches.h"

/// Cells of one kind: cell i has corners offset[i] .. offset[i + 1] - 1.
typedef struct carom_vtk_cells {
    long n, n_corner, room, corner_room;
    long long *offset; ///< (n + 1)
    long long *corner; ///< (n_corner) points
    int *body;         ///< (n)
} carom_vtk_cells;

typedef struct carom_vtk_scene {
    carom_frames frames; ///< not flat
    carom_touches touches;
    carom_vtk_cells lines, polygons;
    long n_point;         ///< of shapes and drawings
    int n_lasting;        ///< contacts of shapes that last
    int *lasting;         ///< (n_lasting) their numbers
    double *force;        ///< (frames x n_lasting)
    long n_row, n_picked; ///< rows between the times asked for; those offered to frames
    long every;           ///< of the frames that are written
} carom_vtk_scene;

carom_status carom_vtk_scene_open(carom_vtk_scene *scene, carom_results *run,
                                  const carom_vtk_options *options, carom_error *error);
void carom_vtk_scene_close(carom_vtk_scene *scene);
/// How many frames are written, and the time of one.
long carom_vtk_scene_n_frame(const carom_vtk_scene *scene);
double carom_vtk_scene_time(const carom_vtk_scene *scene, long frame);
/// Contacts that press at a frame.
long carom_vtk_scene_n_contact(const carom_vtk_scene *scene, long frame);
/// Points and forces (3 each) of all points, contacts last; bodies of contacts (n_contact).
void carom_vtk_scene_fill(const carom_vtk_scene *scene, long frame, float *point, float *force,
                          int *body);

// the formats
carom_status carom_vtk_write_hdf5(const carom_vtk_scene *scene, const char *path,
                                  carom_error *error);
carom_status carom_vtk_write_series(const carom_vtk_scene *scene, const char *path,
                                    carom_error *error);

#endif
