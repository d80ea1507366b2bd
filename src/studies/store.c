// SPDX-License-Identifier: Apache-2.0
// The store: one SQLite file that one process writes. Units are committed twice a second, so that a
// kill loses at most the last one; the file itself is never lost.
//
//     study  key, value                            what is asked, what the numbers mean
//     unit   id, seconds, message, rows, state     rows: little-endian doubles, row by row
//
// What is asked (identity), the model's fingerprint and the columns must be the same for a study
// that goes on; the first difference is said.
#include "studies/store.h"

#ifdef CAROM_HAS_SQLITE

#include "model/model.h"
#include "sim/sim_clock.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "stores hold little-endian numbers");

static const double between_commits = 0.5; // [s]

static const char schema[] =
    "CREATE TABLE IF NOT EXISTS study (key TEXT PRIMARY KEY, value TEXT);"
    "CREATE TABLE IF NOT EXISTS unit (id INTEGER PRIMARY KEY, seconds REAL, message TEXT,"
    " rows BLOB, state BLOB);";

carom_status carom_store_fail(const carom_store *s, carom_error *error)
{
    return carom_fail(error, CAROM_IO, "store '%s': %s", s->path, s->sql.errmsg(s->base));
}

carom_status carom_store_sql(carom_store *s, const char *sql, carom_error *error)
{
    return s->sql.exec(s->base, sql, NULL, NULL, NULL) == SQLITE_OK ? CAROM_OK
                                                                    : carom_store_fail(s, error);
}

// ---- what the study is ----

char *carom_store_value(carom_store *s, const char *key)
{
    sqlite3_stmt *ask = NULL;
    char *value = NULL;
    if (s->sql.prepare_v2(s->base, "SELECT value FROM study WHERE key = ?", -1, &ask, NULL) !=
        SQLITE_OK)
        return NULL;
    s->sql.bind_text(ask, 1, key, -1, SQLITE_STATIC);
    if (s->sql.step(ask) == SQLITE_ROW && s->sql.column_text(ask, 0))
        value = strdup((const char *)s->sql.column_text(ask, 0));
    s->sql.finalize(ask);
    return value;
}

static carom_status write_value(carom_store *s, const char *key, const char *value,
                                carom_error *error)
{
    sqlite3_stmt *put = NULL;
    if (s->sql.prepare_v2(s->base, "INSERT OR REPLACE INTO study VALUES (?, ?)", -1, &put, NULL) !=
        SQLITE_OK)
        return carom_store_fail(s, error);
    s->sql.bind_text(put, 1, key, -1, SQLITE_STATIC);
    s->sql.bind_text(put, 2, value, -1, SQLITE_STATIC);
    const bool is_good = s->sql.step(put) == SQLITE_DONE;
    s->sql.finalize(put);
    return is_good ? CAROM_OK : carom_store_fail(s, error);
}

// the first line that is another one
static carom_status compare_texts(const carom_store *s, const char *was, const char *is,
                                  carom_error *error)
{
    while (*was && *is) {
        const size_t a = strcspn(was, "\n"), b = strcspn(is, "\n");
        if (a != b || memcmp(was, is, a) != 0) break;
        was += a + (was[a] != 0);
        is += b + (is[b] != 0);
    }
    return carom_fail(error, CAROM_BAD_INPUT,
                      "'%s' holds another study: it was '%.*s', is '%.*s' (--fresh replaces it, -o "
                      "writes elsewhere)",
                      s->path, (int)strcspn(was, "\n"), was, (int)strcspn(is, "\n"), is);
}

static carom_status agree(carom_store *s, const char *key, const char *is, carom_error *error)
{
    char *was = carom_store_value(s, key);
    carom_status status = CAROM_OK;
    if (!was)
        status = write_value(s, key, is, error);
    else if (strcmp(was, is) != 0)
        status = compare_texts(s, was, is, error);
    free(was);
    return status;
}

static char *join_columns(const carom_scan *scan)
{
    char *text = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);
    if (!out) return NULL;
    for (int k = 0; k < scan->n_column; k++) fprintf(out, "%s\n", scan->column[k]);
    fclose(out);
    return text;
}

// where chains begin, of those that are longer than a unit
static carom_status agree_chains(carom_store *s, const carom_scan *scan, carom_error *error)
{
    char *text = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);
    if (!out) return carom_scan_no_memory(error);
    for (long i = 0; i <= scan->chains.n; i++) fprintf(out, "%ld ", scan->chains.first[i]);
    if (fclose(out) != 0) return carom_scan_no_memory(error);
    const carom_status status = agree(s, "chains", text, error);
    free(text);
    return status;
}

static carom_status describe(carom_store *s, const carom_scan *scan, const carom_scan_work *work,
                             carom_error *error)
{
    char model[64], shape[160];
    char *columns = join_columns(scan);
    if (!columns) return carom_scan_no_memory(error);
    snprintf(model, sizeof model, "the model %016llx", scan->model->fingerprint);
    const carom_scan_chains *c = &scan->chains;
    snprintf(shape, sizeof shape, "%ld units, %ld chains, %d blocks, %d axes, %d %d %d, log %d",
             c->n_unit, c->n, c->n_block, scan->design.n_axis, c->is_followed, c->goes_up,
             c->goes_down, scan->design.n_axis > 0 && scan->design.axis[0].is_log);
    carom_status status = agree(s, "format", CAROM_STORE_FORMAT, error);
    if (status == CAROM_OK) status = agree(s, "study", scan->kind->name, error);
    if (status == CAROM_OK && work->identity) status = agree(s, "identity", work->identity, error);
    if (status == CAROM_OK) status = agree(s, "columns", columns, error);
    if (status == CAROM_OK) status = agree(s, "shape", shape, error);
    if (status == CAROM_OK) status = agree(s, "model", model, error);
    if (status == CAROM_OK && c->is_followed) status = agree_chains(s, scan, error);
    if (status == CAROM_OK) status = write_value(s, "version", carom_version(), error);
    free(columns);
    return status;
}

// ---- units ----

static carom_status take_unit(carom_store *s, sqlite3_stmt *ask, carom_unit *unit,
                              carom_error *error)
{
    const size_t row = sizeof(double) * (size_t)s->n_column,
                 state = sizeof(double) * (size_t)s->n_state;
    const size_t n_bytes = (size_t)s->sql.column_bytes(ask, 3),
                 n_state = (size_t)s->sql.column_bytes(ask, 4);
    if (n_bytes % row != 0 || (n_state != 0 && s->n_state > 0 && n_state != state))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "store '%s': unit %lld is damaged (--fresh "
                          "starts anew)",
                          s->path, (long long)s->sql.column_int64(ask, 0));
    unit->row = malloc(n_bytes + 1);
    unit->state = n_state > 0 ? malloc(n_state) : NULL;
    const char *message = (const char *)s->sql.column_text(ask, 2);
    unit->message = message ? strdup(message) : NULL;
    if (!unit->row || (n_state > 0 && !unit->state) || (message && !unit->message))
        return carom_scan_no_memory(error);
    if (n_bytes > 0) memcpy(unit->row, s->sql.column_blob(ask, 3), n_bytes);
    if (n_state > 0) memcpy(unit->state, s->sql.column_blob(ask, 4), n_state);
    unit->n_row = (int)(n_bytes / row);
    unit->seconds = s->sql.column_double(ask, 1);
    unit->has_failed = message != NULL;
    unit->is_done = true;
    return CAROM_OK;
}

carom_status carom_store_units(carom_store *s, carom_scan *scan, carom_error *error)
{
    sqlite3_stmt *ask = NULL;
    if (s->sql.prepare_v2(s->base, "SELECT id, seconds, message, rows, state FROM unit", -1, &ask,
                          NULL) != SQLITE_OK)
        return carom_store_fail(s, error);
    carom_status status = CAROM_OK;
    int step = SQLITE_DONE;
    while (status == CAROM_OK && (step = s->sql.step(ask)) == SQLITE_ROW) {
        const sqlite3_int64 id = s->sql.column_int64(ask, 0);
        if (id < 0 || id >= scan->chains.n_unit || scan->unit[id].is_done) continue;
        status = take_unit(s, ask, &scan->unit[id], error);
    }
    if (status == CAROM_OK && step != SQLITE_DONE) status = carom_store_fail(s, error);
    s->sql.finalize(ask);
    return status;
}

// the library stays loaded
static bool load_sqlite(carom_store_calls *sql)
{
    void *library = dlopen("libsqlite3.so.0", RTLD_NOW | RTLD_LOCAL), *symbol;
    bool is_whole = library != NULL;
#define X(name)                                                                                    \
    symbol = is_whole ? dlsym(library, "sqlite3_" #name) : NULL;                                   \
    memcpy(&sql->name, &symbol, sizeof symbol);                                                    \
    is_whole = symbol != NULL;
    CAROM_STORE_CALLS(X)
#undef X
    return is_whole;
}

carom_status carom_store_base(carom_store *s, bool is_written, carom_error *error)
{
    if (!load_sqlite(&s->sql))
        return carom_fail(error, CAROM_IO,
                          "'%s': libsqlite3.so.0, which reads and writes stores, cannot be loaded "
                          "(install the package libsqlite3-0)",
                          s->path);
    const int flags =
        is_written ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
    if (s->sql.open_v2(s->path, &s->base, flags | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
        return s->base ? carom_store_fail(s, error) : carom_scan_no_memory(error);
    s->sql.busy_timeout(s->base, 2000);
    s->sql.db_config(s->base, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    s->sql.db_config(s->base, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    if (!is_written) return CAROM_OK;
    CAROM_TRY(carom_store_sql(s, "PRAGMA journal_mode = TRUNCATE", error));
    return carom_store_sql(s, schema, error);
}

void carom_store_free(carom_store *s)
{
    if (s->put) s->sql.finalize(s->put);
    if (s->base) s->sql.close(s->base);
    carom_filelock_release(&s->lock);
    free(s->path);
    free(s);
}

static carom_status open_all(carom_store *s, carom_scan *scan, const carom_scan_work *work,
                             carom_error *error)
{
    CAROM_TRY(carom_filelock_take(&s->lock, s->path, error));
    CAROM_TRY(carom_store_base(s, true, error));
    CAROM_TRY(carom_store_sql(s, "BEGIN", error));
    if (work->is_fresh) CAROM_TRY(carom_store_sql(s, "DELETE FROM unit; DELETE FROM study", error));
    CAROM_TRY(describe(s, scan, work, error));
    CAROM_TRY(carom_store_sql(s, "COMMIT", error));
    CAROM_TRY(carom_store_units(s, scan, error));
    static const char put[] = "INSERT OR REPLACE INTO unit VALUES (?, ?, ?, ?, ?)";
    return s->sql.prepare_v2(s->base, put, -1, &s->put, NULL) == SQLITE_OK
               ? CAROM_OK
               : carom_store_fail(s, error);
}

carom_status carom_store_open(const char *path, carom_scan *scan, const carom_scan_work *work,
                              carom_store **store, carom_error *error)
{
    carom_store *s = *store = calloc(1, sizeof *s);
    if (!s || !(s->path = strdup(path))) {
        free(s);
        *store = NULL;
        return carom_scan_no_memory(error);
    }
    s->n_column = scan->n_column;
    s->n_state = 1 + scan->size.nq + scan->size.nu;
    s->last = carom_clock_wall();
    const carom_status status = open_all(s, scan, work, error);
    if (status == CAROM_OK) return CAROM_OK;
    carom_store_free(s);
    *store = NULL;
    return status;
}

static carom_status commit(carom_store *s, carom_error *error)
{
    s->last = carom_clock_wall();
    if (!s->is_open) return CAROM_OK;
    s->is_open = false;
    return carom_store_sql(s, "COMMIT", error);
}

carom_status carom_store_tick(carom_store *s, carom_error *error)
{
    return carom_clock_wall() - s->last > between_commits ? commit(s, error) : CAROM_OK;
}

carom_status carom_store_put(carom_store *s, long index, const carom_unit *unit, carom_error *error)
{
    const int row = (int)sizeof(double) * s->n_column, state = (int)sizeof(double) * s->n_state;
    if (!s->is_open) CAROM_TRY(carom_store_sql(s, "BEGIN", error));
    s->is_open = true;
    s->sql.reset(s->put);
    s->sql.bind_int64(s->put, 1, index);
    s->sql.bind_double(s->put, 2, unit->seconds);
    s->sql.bind_text(s->put, 3, unit->message, -1, SQLITE_STATIC);
    s->sql.bind_blob64(s->put, 4, unit->row, (sqlite3_uint64)row * (sqlite3_uint64)unit->n_row,
                       SQLITE_STATIC);
    if (unit->state)
        s->sql.bind_blob(s->put, 5, unit->state, state, SQLITE_STATIC);
    else
        s->sql.bind_null(s->put, 5);
    if (s->sql.step(s->put) != SQLITE_DONE) return carom_store_fail(s, error);
    return carom_store_tick(s, error);
}

carom_status carom_store_close(carom_store *s, carom_error *error)
{
    const carom_status status = commit(s, error);
    carom_store_free(s);
    return status;
}

#else

static const char absent[] = "this carom was built without SQLite: there are no stores";

carom_status carom_store_open(const char *path, carom_scan *scan, const carom_scan_work *work,
                              carom_store **store, carom_error *error)
{
    (void)scan, (void)work;
    *store = NULL;
    return carom_fail(error, CAROM_BAD_INPUT, "'%s': %s", path, absent);
}

carom_status carom_store_put(carom_store *s, long index, const carom_unit *unit, carom_error *error)
{
    (void)s, (void)index, (void)unit;
    return carom_fail(error, CAROM_BAD_INPUT, "%s", absent);
}

carom_status carom_store_tick(carom_store *s, carom_error *error)
{
    (void)s;
    return carom_fail(error, CAROM_BAD_INPUT, "%s", absent);
}

carom_status carom_store_close(carom_store *s, carom_error *error)
{
    (void)s;
    return carom_fail(error, CAROM_BAD_INPUT, "%s", absent);
}

#endif
