// SPDX-License-Identifier: Apache-2.0
// Shapes from files: triangles (OBJ, STL), heights and points (CSV). A file is read as a table is:
// below the model's folder, up to limits->table_bytes. Errors say file and line.
#ifndef CAROM_MODELFILE_GEOMETRY_H
#define CAROM_MODELFILE_GEOMETRY_H

#include "base/list.h"
#include "carom/shapes.h"
#include "modelfile/reader.h"

/// Numbers as they are read.
typedef struct carom_geometry {
    carom_arena *arena;
    const carom_source *source;
    CAROM_LIST(double) number;
    CAROM_LIST(int) face;
    int n_row, n_column;
    int line; ///< that is being read, from 1
} carom_geometry;

/// The numbers of the file that a shape of this kind names.
carom_status carom_geometry_read(carom_modelfile *file, carom_text kind, carom_text path,
                                 const carom_shape_points **points, carom_error *error);

// one for each format
carom_status carom_geometry_obj(carom_geometry *geometry, carom_error *error);
carom_status carom_geometry_stl(carom_geometry *geometry, carom_error *error);
/// Rows of numbers, all of one length (csv): a header line of names is left out.
carom_status carom_geometry_rows(carom_geometry *geometry, carom_error *error);

/// Refuses what stands in the line at hand.
carom_status carom_geometry_refuse(const carom_geometry *geometry, const char *what,
                                   carom_error *error);
/// Three more coordinates; false where memory runs out.
bool carom_geometry_add_point(carom_geometry *geometry, const double *p);
bool carom_geometry_add_face(carom_geometry *geometry, int a, int b, int c);

#endif
