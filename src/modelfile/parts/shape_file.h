// SPDX-License-Identifier: Apache-2.0
// Shapes from files: triangles (OBJ, STL), heights and points (CSV). A file is read as a table is:
// below the model's folder, up to limits->table_bytes.
#ifndef CAROM_MODELFILE_SHAPE_FILE_H
#define CAROM_MODELFILE_SHAPE_FILE_H

#include "carom/shapes.h"
#include "modelfile/reader.h"

/// The numbers of the file that a shape of this kind names.
carom_status carom_shape_file_read(carom_modelfile *file, carom_text kind, carom_text path,
                                   const carom_shape_points **points, carom_error *error);

#endif
