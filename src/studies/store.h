// SPDX-License-Identifier: Apache-2.0
// The inside of a store, for those who write and read it.
#ifndef CAROM_STUDIES_STORE_H
#define CAROM_STUDIES_STORE_H

#include "studies/study_scan.h"

#ifdef CAROM_HAS_SQLITE

#include "base/files/filelock.h"

#include <sqlite3.h>

#define CAROM_STORE_FORMAT "carom study 1"

// The functions of SQLite in use. It is loaded with the first store: loading it takes a tenth of
// the start-up of `carom run`.
// clang-format off
#define CAROM_STORE_CALLS(X) \
    X(open_v2) X(close) X(exec) X(errmsg) X(busy_timeout) X(db_config) X(prepare_v2) \
    X(step) X(reset) X(finalize) X(bind_int64) X(bind_double) X(bind_text) X(bind_blob) \
    X(bind_blob64) X(bind_null) X(column_int64) X(column_double) X(column_text) X(column_blob) X(column_bytes)
// clang-format on

typedef struct carom_store_calls {
#define X(name) __typeof__(&sqlite3_##name) name;
    CAROM_STORE_CALLS(X)
#undef X
} carom_store_calls;

struct carom_store {
    carom_store_calls sql;
    sqlite3 *base;
    sqlite3_stmt *put;
    carom_filelock lock;
    char *path;
    int n_column, n_state;
    double last;  ///< wall time of the last commit
    bool is_open; ///< a transaction
};

carom_status carom_store_fail(const carom_store *store, carom_error *error);
carom_status carom_store_sql(carom_store *store, const char *sql, carom_error *error);
/// The value of a key, to be freed; NULL where there is none.
char *carom_store_value(carom_store *store, const char *key);
/// Opens the file, to be read or written.
carom_status carom_store_base(carom_store *store, bool is_written, carom_error *error);
/// Reads all units that the scan does not have yet.
carom_status carom_store_units(carom_store *store, carom_scan *scan, carom_error *error);
void carom_store_free(carom_store *store);

#endif
#endif
