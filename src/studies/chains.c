// SPDX-License-Identifier: Apache-2.0
// Which units follow each other. Where the first axis is followed a chain is one combination of the
// other axes: up the first axis, down, or up and then down; chains: N cuts the first axis into N
// pieces that start by themselves. Else each unit is a chain.
#include "studies/study_scan.h"

#include <string.h>

static carom_status read_way(carom_scan *scan, const carom_scan_texts *texts, carom_error *error)
{
    carom_scan_chains *c = &scan->chains;
    const char *way = texts->way.text, *direction = texts->direction.text;
    c->is_followed = scan->kind->follows;
    if (way && strcmp(way, "follow") != 0 && strcmp(way, "restart") != 0)
        return carom_fail_at(error, texts->way.place, CAROM_BAD_INPUT,
                             "values follow or restart, not '%s'", way);
    if (way) c->is_followed = strcmp(way, "follow") == 0;
    if (scan->design.sampling != CAROM_SAMPLE_GRID) {
        if (way && c->is_followed)
            return carom_fail_at(error, texts->way.place, CAROM_BAD_INPUT,
                                 "samples have no order in which they could follow each other");
        c->is_followed = false;
    }
    if (scan->design.n_axis == 0) c->is_followed = false;
    c->goes_up = !direction || strcmp(direction, "down") != 0;
    c->goes_down = direction && strcmp(direction, "up") != 0;
    if (direction && strcmp(direction, "up") != 0 && strcmp(direction, "down") != 0 &&
        strcmp(direction, "both") != 0)
        return carom_fail_at(error, texts->direction.place, CAROM_BAD_INPUT,
                             "the direction is up, down or both, not '%s'", direction);
    if (!c->is_followed && c->goes_down)
        return carom_fail_at(error, texts->direction.place, CAROM_BAD_INPUT,
                             "a direction is for values that follow each other (--follow)");
    return CAROM_OK;
}

static long combinations(const carom_scan *scan)
{
    return scan->design.n / scan->design.axis[0].n;
}

// the first value of a piece of the first axis
static long block_start(const carom_scan *scan, long block)
{
    return block * scan->design.axis[0].n / scan->chains.n_block;
}

carom_status carom_chains_make(carom_scan *scan, const carom_scan_texts *texts, carom_error *error)
{
    carom_scan_chains *c = &scan->chains;
    long n_block;
    CAROM_TRY(read_way(scan, texts, error));
    const long most = c->is_followed ? scan->design.axis[0].n : 1;
    CAROM_TRY(carom_scan_whole(texts->chains, "chains", (carom_scan_bounds){1, most, 1}, &n_block,
                               error));
    c->n_block = (int)n_block;
    c->n = c->is_followed ? combinations(scan) * n_block : scan->design.n;
    c->first = CAROM_TAKE(scan->arena, long, c->n + 1);
    if (!c->first) return carom_scan_no_memory(error);
    const int ways = c->is_followed ? c->goes_up + c->goes_down : 1;
    for (long i = 0; i < c->n; i++) {
        const long block = i % n_block;
        const long n = c->is_followed ? block_start(scan, block + 1) - block_start(scan, block) : 1;
        c->first[i + 1] = c->first[i] + ways * n;
    }
    c->n_unit = c->first[c->n];
    return CAROM_OK;
}

long carom_chain_of(const carom_scan *scan, long unit)
{
    long low = 0, high = scan->chains.n;
    while (high - low > 1) {
        const long middle = (low + high) / 2;
        if (scan->chains.first[middle] <= unit)
            low = middle;
        else
            high = middle;
    }
    return low;
}

bool carom_chain_values(const carom_scan *scan, long unit, double *value)
{
    const carom_scan_chains *c = &scan->chains;
    if (!c->is_followed) {
        carom_design_point(&scan->design, unit, value);
        return false;
    }
    const long chain = carom_chain_of(scan, unit), block = chain % c->n_block;
    const long start = block_start(scan, block), n = block_start(scan, block + 1) - start;
    const long k = unit - c->first[chain];
    const bool is_down = !c->goes_up || k >= n;
    const long at = is_down ? n - 1 - k % n : k;
    carom_design_point(&scan->design, (start + at) * combinations(scan) + chain / c->n_block,
                       value);
    return is_down;
}
