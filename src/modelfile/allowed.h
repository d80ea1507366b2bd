// SPDX-License-Identifier: Apache-2.0
// Which files a model may name.
#ifndef CAROM_MODELFILE_ALLOWED_H
#define CAROM_MODELFILE_ALLOWED_H

#include "base/arena.h"
#include "carom/limits.h"

/// The real path of a file that the model in the file `model` names: from the model's folder, or
/// "carom:NAME" for a part that is installed. What lies elsewhere is refused, with the way out.
carom_status carom_allowed_path(carom_arena *arena, const carom_access *access, const char *model,
                                carom_text named, const char **path, carom_error *error);

#endif
