// SPDX-License-Identifier: Apache-2.0
// Status, errors with a place, and option rows: what every other header stands on.
// The library never prints and never exits; it returns a status and fills a carom_error.
#ifndef CAROM_BASE_H
#define CAROM_BASE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CAROM_API __attribute__((visibility("default")))
#define CAROM_VERSION "0.1.0"

/// What a call came to. Everything except CAROM_OK also fills the carom_error given.
typedef enum carom_status {
    CAROM_OK = 0,
    /// The user's text, number or combination is wrong; the message says how to mend it.
    CAROM_BAD_INPUT,
    CAROM_NOT_FINITE,    ///< a number became infinite or undefined while running
    CAROM_NOT_CONVERGED, ///< an iteration did not reach its tolerance
    CAROM_NO_MEMORY,     ///< memory ran out
    CAROM_IO,            ///< a file could not be read or written
    CAROM_STOPPED,       ///< a callback of the caller asked to stop
    CAROM_BUG ///< the caller broke a contract of the interface: "carom_sim_new: options is NULL"
} carom_status;

/// Where a text stands: file name (borrowed, may be NULL), line and column from 1 (0 = unknown).
typedef struct carom_place {
    const char *file;
    int line;
    int column;
} carom_place;

/// A text with its place; text == NULL means that it was not given.
typedef struct carom_text {
    const char *text;
    carom_place place;
} carom_text;

/// The first error of a call; give it zeroed, because what it holds is kept. message holds one
/// line, "file:line:column: what (way out)"; where, for programs that show the place themselves.
typedef struct carom_error {
    carom_status status;
    char message[1024];
    int n_file;       ///< message begins with so many bytes of the file's name; 0 = none is known
    int line, column; ///< from 1; 0 = not known
    int n_place;      ///< what is wrong begins behind so many bytes of message
} carom_error;

/// Returns from the calling function with the status of a call that failed.
#define CAROM_TRY(call)                                                                            \
    do {                                                                                           \
        const carom_status carom_try_status = (call);                                              \
        if (carom_try_status != CAROM_OK) return carom_try_status;                                 \
    } while (0)

/// Fills error (may be NULL) with a formatted message without a place; returns status.
CAROM_API carom_status carom_fail(carom_error *error, carom_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/// The same with "file:line:column: " in front, as far as the place is known.
CAROM_API carom_status carom_fail_at(carom_error *error, carom_place place, carom_status status,
                                     const char *format, ...) __attribute__((format(printf, 4, 5)));

/// Makes a text harmless to print, in place: control characters (line breaks, escape sequences,
/// marks that turn the direction of writing) become spaces, bytes that are not UTF-8 become '?'.
/// Returns text.
CAROM_API char *carom_text_plain(char *text);

/// The version of the library, e.g. "0.1.0".
CAROM_API const char *carom_version(void);

/// The right to write a file: whoever holds it is the only one, in this process and all others, as
/// long as the process lives. Output files take theirs themselves; checkpoints do not.
typedef struct carom_lock carom_lock;
CAROM_API carom_status carom_lock_new(const char *path, carom_lock **lock, carom_error *error);
CAROM_API void carom_lock_free(carom_lock *lock);

/// How the name of a column is spelled in CSV files, where only letters, digits and underscores
/// stand: x[3] is x_3, crank.x is crank_x. Returns buffer; what does not fit is left out. Wherever
/// a column is asked for, both spellings will do.
CAROM_API const char *carom_csv_name(const char *name, char *buffer, size_t room);

/// How an option's value is read from text; every value is kept as a double
/// (choice: index of the word).
typedef enum carom_option_kind {
    CAROM_REAL,
    CAROM_INTEGER,
    CAROM_SWITCH,
    CAROM_CHOICE
} carom_option_kind;

/// One option of a scheme or solver. A method's rows end with a row whose name is NULL.
typedef struct carom_option {
    const char *name;
    carom_option_kind kind;
    double fallback;     ///< value unless given
    double low, high;    ///< allowed range, both ends included (real and integer)
    const char *choices; ///< "zero|full" for CAROM_CHOICE
    const char *help;    ///< one line, with the unit
} carom_option;

/// One "name = value" given by the user.
typedef struct carom_setting {
    carom_text name;
    carom_text value;
} carom_setting;

#ifdef __cplusplus
}
#endif
#endif
