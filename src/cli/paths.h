// SPDX-License-Identifier: Apache-2.0
// Where files are: models by path or by name, and results that must not overwrite each other.
#ifndef CAROM_CLI_PATHS_H
#define CAROM_CLI_PATHS_H

#include <stdbool.h>
#include <stdio.h>

enum { CAROM_PATH_ROOM = 4096 };

/// Calls visit for every *.yaml in the model folders, in order of folder and name; a name counts
/// once. Folders: $CAROM_MODELS, ./models, and models and share/carom/models beside the command.
/// false: memory ran out.
bool carom_paths_each_model(void (*visit)(void *self, const char *name, const char *path),
                            void *self);

/// The same for files of claims: those of folder, or (NULL) of $CAROM_PAPERS, ./papers, and papers
/// and share/carom/papers beside the command.
bool carom_paths_each_paper(const char *folder,
                            void (*visit)(void *self, const char *name, const char *path),
                            void *self);

/// The file meant by text: a path, or the name of a model in a model folder. false: said on stderr.
bool carom_paths_find_model(const char *text, char path[CAROM_PATH_ROOM]);

/// The folder of parts that is installed, or stands beside the command; $CAROM_PARTS goes before.
bool carom_paths_parts(char folder[CAROM_PATH_ROOM]);

/// The folder of templates, likewise; $CAROM_TEMPLATES goes before.
bool carom_paths_templates(char folder[CAROM_PATH_ROOM]);

/// True where both name one file, whether it exists already or not. Devices may be named twice.
bool carom_paths_are_same(const char *a, const char *b);

/// Opens a new file for writing; NULL where there is one of that name already, or a link.
FILE *carom_paths_create(const char *path);

/// Whether a file can be made or replaced there; says on stderr why not.
bool carom_paths_is_writable(const char *path);

#endif
