// SPDX-License-Identifier: Apache-2.0
// Model files (YAML): a builder plus how the file wants to be run. Every error has file, line and
// column.
#ifndef CAROM_MODELFILE_H
#define CAROM_MODELFILE_H

#include "carom/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct carom_modelfile carom_modelfile;
CAROM_API carom_status carom_modelfile_read(const char *path, carom_modelfile **file,
                                            carom_error *error);
/// The same from a text; name stands in messages, and its folder is where tables are looked for.
CAROM_API carom_status carom_modelfile_read_text(const char *text, size_t length, const char *name,
                                                 carom_modelfile **file, carom_error *error);
/// Both with limits of the caller, and files in folders that the caller names.
CAROM_API carom_status carom_modelfile_read_with(const char *path, const carom_access *access,
                                                 carom_modelfile **file, carom_error *error);
CAROM_API carom_status carom_modelfile_read_text_with(const char *text, size_t length,
                                                      const char *name, const carom_access *access,
                                                      carom_modelfile **file, carom_error *error);
CAROM_API void carom_modelfile_free(carom_modelfile *file);
/// The builder, for overrides (carom_builder_set, _start) before
/// carom_builder_finish; owned by the file.
CAROM_API carom_builder *carom_modelfile_builder(carom_modelfile *file);
/// Start values from a file of their own, as `carom equilibrium -o` writes them: a mapping of
/// coordinates and rates to values, given to carom_builder_start in its order. limits may be NULL.
CAROM_API carom_status carom_start_file_read(const char *path, const carom_limits *limits,
                                             carom_builder *builder, carom_error *error);
/// The whole text, as read; owned by the file.
CAROM_API const char *carom_modelfile_text(const carom_modelfile *file);

/// The file's run section: texts, absent where not given. step, tolerance and end are expressions
/// of parameters. native and save_contact are wishes: whoever runs the model asks its user first.
typedef struct carom_run_texts {
    carom_text scheme, solver, step, tolerance, end, save_contact;
    carom_text native;      ///< true or false
    bool allow_penetration; ///< yes in the file
    bool allow_unstable;    ///< likewise
    const carom_setting *setting;
    int n_setting;
} carom_run_texts;
CAROM_API const carom_run_texts *carom_modelfile_run(const carom_modelfile *file);

#ifdef __cplusplus
}
#endif
#endif
