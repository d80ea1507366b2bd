// SPDX-License-Identifier: Apache-2.0
// The table of limits: name, default, meaning. A default is far above what models of the field ask
// for, and low enough that a hostile file costs seconds and less than a gigabyte.
#include "base/limits.h"

#include "base/need.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

// clang-format off
#define LIMITS(X)                                                                                  \
    X(members, 1e6, "members of all families of a model together")                                 \
    X(terms, 2e6, "terms of all sums of a model together")                                         \
    X(nodes, 4e6, "distinct expressions of a model with all its derivatives")                      \
    X(seconds, 60, "processor time to make a model, or to reduce a contact problem [s]")           \
    X(model_bytes, 4e6, "size of a model file with all that it includes, or of a paper [bytes]")   \
    X(included_files, 100, "files that a model includes")                                          \
    X(include_levels, 16, "levels of files that include others")                                   \
    X(table_bytes, 20e6, "size of a table or matrix [bytes]")                                      \
    X(operations, 1e5, "operations of a model that is compiled; one with more runs as it is")      \
    X(compile_seconds, 60, "time that the compiler may take [s]")                                  \
    X(rows, 1e7, "rows recorded by a run, or in a file of results; its events likewise")           \
    X(result_bytes, 20e9, "size of a file of results [bytes]")                                     \
    X(problem_bytes, 256e6, "size of the file of a contact problem [bytes]")                       \
    X(problem_rows, 1e6, "rows or unknowns of a contact problem")                                  \
    X(bytes, 2e9, "memory for a contact problem, or for the compiler [bytes]")
// clang-format on

typedef struct row {
    size_t offset;
    carom_limit_facts facts;
} row;

#define ROW(name, fallback, about) {offsetof(carom_limits, name), {#name, fallback, about}},
static const row limits_table[] = {LIMITS(ROW)};
enum { N_LIMIT = sizeof limits_table / sizeof limits_table[0] };

#define FALLBACK(name, fallback, about) .name = fallback,
static const carom_limits fallback_limits = {LIMITS(FALLBACK)};

carom_limits carom_limits_default(void)
{
    return fallback_limits;
}

const carom_limits *carom_limits_or_default(const carom_limits *limits)
{
    return limits ? limits : &fallback_limits;
}

int carom_limit_count(void)
{
    return N_LIMIT;
}

carom_limit_facts carom_limit_at(int i)
{
    return i >= 0 && i < N_LIMIT ? limits_table[i].facts : (carom_limit_facts){0};
}

static carom_status refuse_unknown(const char *name, carom_error *error)
{
    carom_nearest nearest = carom_nearest_to(name);
    char hint[128], known[512] = "";
    size_t used = 0;
    for (int i = 0; i < N_LIMIT; i++) {
        carom_nearest_try(&nearest, limits_table[i].facts.name);
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "",
                                 limits_table[i].facts.name);
    }
    return carom_fail(error, CAROM_BAD_INPUT, "there is no limit '%.60s'%s; there are: %s", name,
                      carom_nearest_hint(&nearest, hint, sizeof hint), known);
}

carom_status carom_limits_set(carom_limits *limits, const char *name, const char *value,
                              carom_error *error)
{
    CAROM_NEED(error, limits);
    CAROM_NEED(error, name);
    CAROM_NEED(error, value);
    int i = 0;
    double x = INFINITY;
    while (i < N_LIMIT && strcmp(limits_table[i].facts.name, name) != 0) i++;
    if (i == N_LIMIT) return refuse_unknown(name, error);
    const bool is_none = strcmp(value, "none") == 0;
    if (!is_none && (!carom_text_number(value, &x) || !(x >= 0)))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "limit %s: must be a number from 0, or none, not '%.60s'", name, value);
    memcpy((char *)limits + limits_table[i].offset, &x, sizeof x);
    return CAROM_OK;
}

carom_status carom_limit_fail(carom_error *error, carom_place place, const char *what,
                              const char *name, double limit)
{
    const char *score = strrchr(name, '_'); // model_bytes: bytes
    return carom_fail_at(error, place, CAROM_BAD_INPUT,
                         "%s more than %.15g %s (--limit %s=N allows more)", what, limit,
                         score ? score + 1 : name, name);
}

static double processor_time(void)
{
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double carom_deadline_in(double seconds)
{
    return processor_time() + seconds;
}

bool carom_deadline_is_past(double deadline)
{
    return processor_time() > deadline;
}
