// SPDX-License-Identifier: Apache-2.0
// The system's compiler.
#ifndef CAROM_EXPR_NATIVE_COMPILE_H
#define CAROM_EXPR_NATIVE_COMPILE_H

#include "carom/limits.h"

enum { CAROM_COMPILER_WORDS = 32, CAROM_COMPILER_TEXT = 512 };

/// The compiler's command: its words, then options.
typedef struct carom_compiler {
    char text[CAROM_COMPILER_TEXT]; ///< the words, cut by zeros
    const char *word[CAROM_COMPILER_WORDS];
    int n_word;
} carom_compiler;

/// $CC (its words, cut at spaces) or cc, with the options for a library.
carom_status carom_compiler_choose(carom_compiler *compiler, carom_error *error);
/// Compiles model.c in the folder to model.so there, within limits. No shell takes part.
carom_status carom_compiler_run(const carom_compiler *compiler, const char *folder,
                                const carom_limits *limits, carom_error *error);

#endif
