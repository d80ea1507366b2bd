// SPDX-License-Identifier: Apache-2.0
// Results as files: rows in the order of the units, whatever order they were found in. Nothing that
// differs from run to run (times, machines) goes into a file, so that the same study gives the same
// bytes.
#include "studies/basin/attractors.h"

#include "base/files/wholefile.h"
#include "base/need.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int carom_scan_n_axis(const carom_scan *scan)
{
    return scan ? scan->design.n_axis : 0;
}

carom_status carom_scan_unit_at(const carom_scan *scan, long unit, carom_scan_unit *found)
{
    if (!scan || !found || unit < 0 || unit >= scan->chains.n_unit) return CAROM_BUG;
    const carom_unit *of = &scan->unit[unit];
    *found = (carom_scan_unit){of->row, of->state, of->n_row, of->has_failed};
    return CAROM_OK;
}

int carom_scan_n_column(const carom_scan *scan)
{
    return scan ? scan->n_column : 0;
}

const char *carom_scan_column(const carom_scan *scan, int i)
{
    return scan && i >= 0 && i < scan->n_column ? scan->column[i] : NULL;
}

long carom_scan_n_row(const carom_scan *scan)
{
    long n = 0;
    for (long i = 0; scan && i < scan->chains.n_unit; i++) n += scan->unit[i].n_row;
    return n;
}

// rows are asked for one after the other: the unit of the last one is where the next is looked for
carom_status carom_scan_row(const carom_scan *scan, long row, double *value, carom_error *error)
{
    CAROM_NEED(error, scan);
    CAROM_NEED(error, value);
    carom_scan *own = (carom_scan *)scan;
    if (row < own->seek.first) own->seek = (carom_scan_seek){0};
    while (own->seek.unit < scan->chains.n_unit &&
           row >= own->seek.first + scan->unit[own->seek.unit].n_row)
        own->seek.first += scan->unit[own->seek.unit++].n_row;
    if (row < 0 || own->seek.unit >= scan->chains.n_unit)
        return carom_fail(error, CAROM_BUG, "carom_scan_row: row is %ld", row);
    const double *from =
        scan->unit[own->seek.unit].row + (size_t)(row - own->seek.first) * (size_t)scan->n_column;
    memcpy(value, from, sizeof *value * (size_t)scan->n_column);
    return CAROM_OK;
}

const char *carom_scan_failure(const carom_scan *scan, int i)
{
    carom_scan *own = (carom_scan *)scan;
    for (long u = 0; scan && i >= 0 && u < scan->chains.n_unit; u++) {
        const carom_unit *unit = &scan->unit[u];
        if (!unit->has_failed || i-- > 0) continue;
        size_t used = 0;
        own->failure[0] = 0;
        for (int k = 0; k < scan->design.n_axis && used < 200; k++)
            used += (size_t)snprintf(own->failure + used, 64, "%s%.40s = %.9g", k ? ", " : "",
                                     scan->column[k], unit->row[k]);
        snprintf(own->failure + used, sizeof own->failure - used, "%s%.800s", used ? ": " : "",
                 unit->message ? unit->message : "");
        return own->failure;
    }
    return NULL;
}

// ---- CSV ----

// a cell that needs quotes gets them
static bool put_name(const carom_text_sink *sink, const char *name)
{
    const bool is_plain = !strpbrk(name, ",\"\n");
    bool is_good = is_plain || sink->write(sink->self, "\"", 1);
    for (const char *c = name; *c && is_good; c++)
        is_good = (*c != '"' || sink->write(sink->self, "\"", 1)) && sink->write(sink->self, c, 1);
    return is_good && (is_plain || sink->write(sink->self, "\"", 1));
}

static bool put_row(const carom_scan *scan, const double *row, const carom_text_sink *sink)
{
    bool is_good = true;
    for (int k = 0; k < scan->n_column && is_good; k++) {
        char number[40];
        const char *text = isnan(row[k])      ? "nan"
                           : isfinite(row[k]) ? carom_number_text(row[k], number, sizeof number)
                           : row[k] < 0       ? "-inf"
                                              : "inf";
        if (k > 0) is_good = sink->write(sink->self, ",", 1);
        is_good = is_good && sink->write(sink->self, text, strlen(text));
    }
    return is_good && sink->write(sink->self, "\n", 1);
}

carom_status carom_scan_csv(const carom_scan *scan, carom_text_sink sink, carom_error *error)
{
    CAROM_NEED(error, scan);
    CAROM_NEED(error, sink.write);
    bool is_good = true;
    for (int k = 0; k < scan->n_column && is_good; k++)
        is_good = (k == 0 || sink.write(sink.self, ",", 1)) && put_name(&sink, scan->column[k]);
    is_good = is_good && sink.write(sink.self, "\n", 1);
    for (long u = 0; u < scan->chains.n_unit; u++)
        for (int i = 0; i < scan->unit[u].n_row && is_good; i++)
            is_good = put_row(scan, scan->unit[u].row + (size_t)i * (size_t)scan->n_column, &sink);
    return is_good ? CAROM_OK : carom_fail(error, CAROM_STOPPED, "the table could not be written");
}

static carom_status export_csv(const carom_scan *scan, const char *path, carom_error *error)
{
    carom_wholefile file;
    CAROM_TRY(carom_wholefile_open(&file, path, error));
    const carom_text_sink sink = {&file, carom_wholefile_write};
    return carom_wholefile_close(&file, carom_scan_csv(scan, sink, NULL), error);
}

// ---- JSON ----

static void put_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\') fputc('\\', out);
        if ((unsigned char)*c < 0x20)
            fprintf(out, "\\u%04x", (unsigned)*c);
        else
            fputc(*c, out);
    }
    fputc('"', out);
}

static void put_number(FILE *out, double value)
{
    char number[40];
    fputs(isfinite(value) ? carom_number_text(value, number, sizeof number) : "null", out);
}

static void put_units(const carom_scan *scan, FILE *out)
{
    const char *lead = "\n  ";
    fputs("],\n \"rows\": [", out);
    for (long u = 0; u < scan->chains.n_unit; u++)
        for (int i = 0; i < scan->unit[u].n_row; i++) {
            fputs(lead, out);
            lead = ",\n  ";
            for (int k = 0; k < scan->n_column; k++) {
                fputc(k ? ',' : '[', out);
                put_number(out, scan->unit[u].row[(size_t)i * (size_t)scan->n_column + (size_t)k]);
            }
            fputc(']', out);
        }
    fputs("],\n \"failed\": [", out);
    for (int i = 0; carom_scan_failure(scan, i); i++) {
        fputs(i ? ",\n  " : "\n  ", out);
        put_text(out, carom_scan_failure(scan, i));
    }
}

// the attractors of a basin
static void put_classes(const carom_scan *scan, FILE *out)
{
    const int n_point = scan->n_column - scan->design.n_axis - CAROM_BASIN_POINT;
    fputs(",\n \"attractors\": [", out);
    for (int i = 0; i < scan->n_class; i++) {
        const carom_scan_class *c = &scan->class[i];
        fprintf(out, "%s\n  {\"label\": %d, \"starts\": %ld, \"period\": ", i ? "," : "", c->label,
                c->n);
        put_number(out, c->period);
        fputs(", \"impacts\": ", out);
        put_number(out, c->impacts);
        fputs(", \"point\": [", out);
        for (int k = 0; k < n_point; k++) {
            if (k) fputs(", ", out);
            put_number(out, c->point[k]);
        }
        fputs("]}", out);
    }
    fputs("]", out);
}

static void put_all(const carom_scan *scan, FILE *out)
{
    fputs("{\"study\": ", out);
    put_text(out, scan->kind->name);
    fprintf(out, ",\n \"units\": %ld, \"done\": %ld,\n \"columns\": [", scan->chains.n_unit,
            scan->n_done);
    for (int k = 0; k < scan->n_column; k++) {
        if (k) fputs(", ", out);
        put_text(out, scan->column[k]);
    }
    put_units(scan, out);
    fputs("],\n \"hysteresis\": ", out);
    put_text(out, carom_scan_hysteresis(scan));
    if (scan->n_class > 0) put_classes(scan, out);
    fputs("}\n", out);
}

carom_status carom_scan_export_json(const carom_scan *scan, const char *path, carom_error *error)
{
    carom_wholefile file;
    CAROM_NEED(error, scan);
    CAROM_NEED(error, path);
    CAROM_TRY(carom_wholefile_open(&file, path, error));
    put_all(scan, file.stream);
    return carom_wholefile_close(&file, CAROM_OK, error);
}

carom_status carom_scan_json(const carom_scan *scan, carom_text_sink sink, carom_error *error)
{
    char *text = NULL;
    size_t n = 0;
    CAROM_NEED(error, scan);
    CAROM_NEED(error, sink.write);
    FILE *out = open_memstream(&text, &n);
    if (!out) return carom_scan_no_memory(error);
    put_all(scan, out);
    const bool is_whole = fclose(out) == 0;
    const bool is_good = is_whole && sink.write(sink.self, text, n);
    free(text);
    if (!is_whole) return carom_scan_no_memory(error);
    return is_good ? CAROM_OK : carom_fail(error, CAROM_STOPPED, "the rows could not be written");
}

carom_status carom_scan_export(const carom_scan *scan, const char *path, carom_error *error)
{
    CAROM_NEED(error, scan);
    CAROM_NEED(error, path);
    if (carom_text_ends(path, ".csv")) return export_csv(scan, path, error);
    if (carom_text_ends(path, ".json")) return carom_scan_export_json(scan, path, error);
    if (carom_text_ends(path, ".h5")) return carom_export_hdf5(scan, path, error);
    if (carom_text_ends(path, ".svg") || carom_text_ends(path, ".png") ||
        carom_text_ends(path, ".pdf"))
        return scan->kind->draw(scan, path, error);
    return carom_fail(
        error, CAROM_BAD_INPUT,
        "'%s' has no known ending; it must end with .csv, .json, .h5, .svg, .pdf or .png", path);
}
