// SPDX-License-Identifier: Apache-2.0
// Tables: functions given by points, in a comma-separated file beside the model or in the model.
// Their numbers are fixed when the file is read, so expressions in them use no parameters: a
// parameter that is changed later would not reach them.
#include "modelfile/reader.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "modelfile/csv_table.h"

enum { FILE_KEY, COLUMNS, POINTS, KIND, PERIOD };
static const carom_field field[] = {
    [FILE_KEY] = {"file", CAROM_FIELD_TEXT, false, "file: cam.csv"},
    [COLUMNS] = {"columns", CAROM_FIELD_LIST, false, "columns: [angle, lift]"},
    [POINTS] = {"points", CAROM_FIELD_LIST, false, "points: [[0, 0], [1, 2]]"},
    [KIND] = {"kind", CAROM_FIELD_TEXT, false, "kind: cubic"},
    [PERIOD] = {"period", CAROM_FIELD_TEXT, false, "period: 2*pi"},
    {.kind = CAROM_FIELD_END},
};

// a number, or an expression without names (an empty builder knows none)
static carom_status read_number(carom_modelfile *file, carom_text text, double *value,
                                carom_error *error)
{
    if (carom_text_number(text.text, value) && isfinite(*value)) return CAROM_OK;
    carom_builder *empty = carom_builder_new();
    if (!empty) return carom_fail(error, CAROM_NO_MEMORY, "memory ran out while reading a table");
    const carom_status status = carom_builder_number(empty, text, value, NULL);
    carom_builder_free(empty);
    if (status == CAROM_OK) return CAROM_OK;
    CAROM_TRY(carom_builder_number(file->builder, text, value, error));
    return carom_fail_at(error, text.place, CAROM_BAD_INPUT,
                         "'%.60s' uses parameters; the numbers of a table are fixed (scale the "
                         "table where it is used)",
                         text.text);
}

static carom_status read_points(carom_modelfile *file, const carom_node *node, carom_csv *table,
                                carom_error *error)
{
    table->x = CAROM_TAKE(file->arena, double, node->n);
    table->y = CAROM_TAKE(file->arena, double, node->n);
    if (!table->x || !table->y)
        return carom_fail(error, CAROM_NO_MEMORY, "memory ran out while reading a table");
    for (const carom_node *point = node->first; point; point = point->next) {
        carom_text xy[2];
        int n = 0;
        if (point->kind != CAROM_NODE_LIST || point->n != 2)
            return carom_fail_at(
                error, point->place, CAROM_BAD_INPUT,
                "a point of a table must be a pair (write points: [[0, 0], [1, 2]])");
        CAROM_TRY(carom_fields_texts(point, 2, xy, &n, error));
        CAROM_TRY(read_number(file, xy[0], &table->x[table->n], error));
        CAROM_TRY(read_number(file, xy[1], &table->y[table->n++], error));
    }
    return CAROM_OK;
}

static carom_status read_csv(carom_modelfile *file, const carom_node *const *value,
                             carom_csv *table, carom_error *error)
{
    carom_text column[2] = {{0}}, path;
    const carom_node *columns = value[COLUMNS];
    if (columns && columns->n != 2)
        return carom_fail_at(error, columns->place, CAROM_BAD_INPUT,
                             "'columns' must name two columns (write columns: [angle, lift])");
    int n = 0;
    if (columns) CAROM_TRY(carom_fields_texts(columns, 2, column, &n, error));
    CAROM_TRY(carom_fields_text(value[FILE_KEY], "file: cam.csv", &path, error));
    carom_found found;
    carom_source source;
    CAROM_TRY(carom_allowed_find(file->arena, &file->access, file->origin, path, &found, error));
    CAROM_TRY(carom_allowed_load(file->arena, &found, CAROM_SOURCE_TABLE, file->access.limits,
                                 &source, error));
    return carom_csv_read(file->arena, &source, column, table, error);
}

static carom_status read_form(carom_modelfile *file, const carom_node *const *value,
                              carom_table_points *points, carom_error *error)
{
    carom_text kind, period;
    CAROM_TRY(carom_fields_text(value[KIND], field[KIND].example, &kind, error));
    CAROM_TRY(carom_fields_text(value[PERIOD], field[PERIOD].example, &period, error));
    points->is_cubic = kind.text && strcmp(kind.text, "cubic") == 0;
    if (kind.text && !points->is_cubic && strcmp(kind.text, "linear") != 0)
        return carom_fail_at(error, kind.place, CAROM_BAD_INPUT,
                             "unknown kind '%.60s' of table; allowed: linear, cubic", kind.text);
    if (!period.text) return CAROM_OK;
    CAROM_TRY(read_number(file, period, &points->period, error));
    if (points->period > 0) return CAROM_OK;
    return carom_fail_at(error, period.place, CAROM_BAD_INPUT,
                         "the period must be > 0, not %g (leave it out for a table that is not "
                         "periodic)",
                         points->period);
}

static carom_status read_table(carom_modelfile *file, const carom_node *node, carom_error *error)
{
    const carom_node *value[CAROM_MOST_FIELDS];
    const char *example = "lift: {file: cam.csv, columns: [angle, lift], kind: cubic}";
    CAROM_TRY(carom_fields_kind(node, CAROM_NODE_MAPPING, example, error));
    CAROM_TRY(carom_fields_read(node, "a table", field, value, error));
    if (!value[FILE_KEY] == !value[POINTS])
        return carom_fail_at(error, node->place, CAROM_BAD_INPUT,
                             "a table needs either 'file' or 'points' (write %s)", example);
    if (value[POINTS] && value[COLUMNS])
        return carom_fail_at(error, value[COLUMNS]->key->place, CAROM_BAD_INPUT,
                             "'columns' belongs to 'file', not to 'points'");
    carom_csv table = {0};
    if (value[POINTS])
        CAROM_TRY(read_points(file, value[POINTS], &table, error));
    else
        CAROM_TRY(read_csv(file, value, &table, error));
    carom_table_points points = {.n = table.n, .x = table.x, .y = table.y};
    CAROM_TRY(read_form(file, value, &points, error));
    return carom_builder_table(file->builder, carom_fields_key(node), &points, error);
}

carom_status carom_read_tables(carom_modelfile *file, const carom_node *node, carom_error *error)
{
    CAROM_TRY(
        carom_fields_kind(node, CAROM_NODE_MAPPING, "tables: {lift: {file: cam.csv}}", error));
    for (const carom_node *entry = node->first; entry; entry = entry->next)
        CAROM_TRY(read_table(file, entry, error));
    return CAROM_OK;
}
