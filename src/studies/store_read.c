// SPDX-License-Identifier: Apache-2.0
// Stores as tables, without their models: to be looked at, written as other files, and put
// together.
#include "studies/store.h"

#include "base/need.h"

#ifdef CAROM_HAS_SQLITE

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static carom_status open_store(const char *path, carom_store **store, carom_error *error)
{
    carom_store *s = *store = calloc(1, sizeof *s);
    if (!s || !(s->path = strdup(path))) {
        free(s);
        *store = NULL;
        return carom_scan_no_memory(error);
    }
    carom_status status = CAROM_OK;
    if (access(path, R_OK) != 0) status = carom_fail(error, CAROM_IO, "'%s' cannot be read", path);
    if (status == CAROM_OK) status = carom_store_base(s, false, error);
    char *format = status == CAROM_OK ? carom_store_value(s, "format") : NULL;
    if (status == CAROM_OK && (!format || strcmp(format, CAROM_STORE_FORMAT) != 0))
        status = carom_fail(error, CAROM_BAD_INPUT, "'%s' is no store of a study", path);
    free(format);
    if (status == CAROM_OK) return CAROM_OK;
    carom_store_free(s);
    *store = NULL;
    return status;
}

static carom_status damaged(const carom_store *s, carom_error *error)
{
    return carom_fail(error, CAROM_BAD_INPUT, "store '%s' is damaged", s->path);
}

static carom_status read_columns(carom_store *s, carom_scan *scan, carom_error *error)
{
    char *text = carom_store_value(s, "columns"), *saved = NULL;
    carom_status status = text ? CAROM_OK : damaged(s, error);
    for (char *name = text ? strtok_r(text, "\n", &saved) : NULL; name && status == CAROM_OK;
         name = strtok_r(NULL, "\n", &saved))
        status = carom_scan_add_column(scan, error, "%s", name);
    free(text);
    if (status == CAROM_OK && scan->n_column == 0) status = damaged(s, error);
    return status;
}

static carom_status read_chains(carom_store *s, carom_scan *scan, carom_error *error)
{
    carom_scan_chains *c = &scan->chains;
    char *text = carom_store_value(s, "chains");
    c->first = CAROM_TAKE(scan->arena, long, c->n + 1);
    if (!c->first || !text) {
        free(text);
        return text || !c->is_followed ? CAROM_OK : damaged(s, error);
    }
    char *at = text;
    bool is_good = true;
    for (long i = 0; i <= c->n && is_good; i++) {
        c->first[i] = strtol(at, &at, 10);
        is_good = c->first[i] >= (i ? c->first[i - 1] : 0) && c->first[i] <= c->n_unit;
    }
    is_good = is_good && c->first[c->n] == c->n_unit;
    free(text);
    return is_good ? CAROM_OK : damaged(s, error);
}

static carom_status read_shape(carom_store *s, carom_scan *scan, carom_error *error)
{
    carom_scan_chains *c = &scan->chains;
    char *text = carom_store_value(s, "shape");
    int is_followed = 0, up = 0, down = 0, is_log = 0, n_axis = 0;
    const bool is_good =
        text &&
        sscanf(text, "%ld units, %ld chains, %d blocks, %d axes, %d %d %d, log %d", &c->n_unit,
               &c->n, &c->n_block, &n_axis, &is_followed, &up, &down, &is_log) == 8;
    free(text);
    if (!is_good || c->n_unit < 1 || c->n < 1 || c->n > c->n_unit || n_axis < 0 ||
        n_axis > CAROM_SCAN_AXES || n_axis > scan->n_column)
        return damaged(s, error);
    c->is_followed = is_followed;
    c->goes_up = up;
    c->goes_down = down;
    scan->design.n_axis = n_axis;
    for (int k = 0; k < n_axis; k++) scan->design.axis[k].name = scan->column[k];
    scan->design.axis[0].is_log = is_log;
    return c->is_followed ? read_chains(s, scan, error) : CAROM_OK;
}

static carom_status read_all(carom_store *s, carom_scan *scan, carom_error *error)
{
    char *kind = carom_store_value(s, "study");
    const carom_text what = {.text = kind ? kind : ""};
    const carom_status known = carom_scan_find_kind(scan, what, error);
    free(kind);
    CAROM_TRY(known);
    CAROM_TRY(read_columns(s, scan, error));
    CAROM_TRY(read_shape(s, scan, error));
    s->n_column = scan->n_column;
    scan->unit = calloc((size_t)scan->chains.n_unit, sizeof *scan->unit);
    if (!scan->unit) return carom_scan_no_memory(error);
    CAROM_TRY(carom_store_units(s, scan, error));
    for (long i = 0; i < scan->chains.n_unit; i++) {
        scan->n_done += scan->unit[i].is_done;
        scan->n_failed += scan->unit[i].has_failed;
    }
    return carom_scan_conclude(scan, error);
}

carom_status carom_scan_read(const char *store, carom_scan **scan, carom_error *error)
{
    carom_store *s = NULL;
    CAROM_NEED(error, scan);
    *scan = NULL;
    CAROM_NEED(error, store);
    CAROM_TRY(open_store(store, &s, error));
    carom_scan *made = calloc(1, sizeof *made);
    if (made) made->arena = carom_arena_new();
    carom_status status =
        made && made->arena ? read_all(s, made, error) : carom_scan_no_memory(error);
    carom_store_free(s);
    if (status == CAROM_OK)
        *scan = made;
    else
        carom_scan_free(made);
    return status;
}

// ---- putting together ----

// what two stores must have in common
static const char *const common[] = {"study", "identity", "columns", "shape", "model"};

static carom_status check_alike(carom_store *to, const char *from, carom_error *error)
{
    carom_store *s = NULL;
    carom_status status = open_store(from, &s, error);
    for (size_t i = 0; i < sizeof common / sizeof *common && status == CAROM_OK; i++) {
        char *a = carom_store_value(to, common[i]), *b = carom_store_value(s, common[i]);
        if (a && b && strcmp(a, b) != 0)
            status = carom_fail(error, CAROM_BAD_INPUT, "'%s' holds another study than '%s'", from,
                                to->path);
        free(a);
        free(b);
    }
    carom_store_free(s);
    return status;
}

static carom_status copy_from(carom_store *to, const char *from, carom_error *error)
{
    sqlite3_stmt *attach = NULL;
    if (to->sql.prepare_v2(to->base, "ATTACH ? AS other", -1, &attach, NULL) != SQLITE_OK)
        return carom_store_fail(to, error);
    to->sql.bind_text(attach, 1, from, -1, SQLITE_STATIC);
    const bool is_there = to->sql.step(attach) == SQLITE_DONE;
    to->sql.finalize(attach);
    if (!is_there) return carom_store_fail(to, error);
    carom_status status = carom_store_sql(
        to,
        "BEGIN; INSERT OR IGNORE INTO study SELECT key, value FROM other.study;"
        "INSERT OR IGNORE INTO unit SELECT id, seconds, message, rows, state FROM other.unit;"
        "COMMIT",
        error);
    const carom_status detached =
        carom_store_sql(to, "DETACH other", status == CAROM_OK ? error : NULL);
    return status == CAROM_OK ? detached : status;
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat one, other;
    return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_ino == other.st_ino &&
           one.st_dev == other.st_dev;
}

carom_status carom_scan_merge(const char *store, const char *const *from, int n, carom_error *error)
{
    CAROM_NEED(error, store);
    CAROM_NEED_ARRAY(error, from, n);
    for (int i = 0; i < n; i++) CAROM_NEED(error, from[i]);
    carom_store *s = calloc(1, sizeof *s);
    if (!s || !(s->path = strdup(store))) {
        free(s);
        return carom_scan_no_memory(error);
    }
    carom_status status = carom_filelock_take(&s->lock, store, error);
    if (status == CAROM_OK) status = carom_store_base(s, true, error);
    for (int i = 0; i < n && status == CAROM_OK; i++) {
        if (is_same_file(store, from[i])) continue; // it is there already
        status = check_alike(s, from[i], error);
        if (status == CAROM_OK) status = copy_from(s, from[i], error);
    }
    carom_store_free(s);
    return status;
}

#else

carom_status carom_scan_read(const char *store, carom_scan **scan, carom_error *error)
{
    CAROM_NEED(error, scan);
    *scan = NULL;
    CAROM_NEED(error, store);
    return carom_fail(error, CAROM_BAD_INPUT, "'%s': this carom was built without SQLite", store);
}

carom_status carom_scan_merge(const char *store, const char *const *from, int n, carom_error *error)
{
    CAROM_NEED(error, store);
    CAROM_NEED_ARRAY(error, from, n);
    for (int i = 0; i < n; i++) CAROM_NEED(error, from[i]);
    return carom_fail(error, CAROM_BAD_INPUT, "'%s': this carom was built without SQLite", store);
}

#endif
