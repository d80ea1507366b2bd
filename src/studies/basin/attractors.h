// SPDX-License-Identifier: Apache-2.0
// Basins of attraction: what starts end on. Points of a section y_0, y_1, ... (the columns shown,
// each over its scale s) belong to a cycle of p points if y_i = y_(i-p); a motion is
//
//     known      once three points in a row follow an attractor z:   |y_i - z_j| <= match s
//     settled    once |y_i - y_(i-p)| <= match s/1000  for the last 2 p (>= 3) points, p <= 16
//                and the times between points do too (impacts that accumulate do not settle)
//     at rest    for the section, once no point comes any more: a cycle of 0 points
//     away       once a column is a thousand times as far out as the farthest start
//
// and else, after the most points allowed, not settled (chaos too).
#ifndef CAROM_STUDIES_ATTRACTORS_H
#define CAROM_STUDIES_ATTRACTORS_H

#include "studies/study_scan.h"

enum { CAROM_CYCLE_MOST = 16 };

/// A cycle; its points begin with the one whose first column is smallest.
typedef struct carom_attractor {
    int period;     ///< points in it; 0 = no points come any more
    double impacts; ///< in it
    double *point;  ///< (period n_show)
} carom_attractor;

/// What the first look has found, in the order of period, impacts and first point.
struct carom_attractors {
    carom_attractor *item; ///< (n)
    int n;
    double *low, *high; ///< (n_show) where the first look has been
    double *scale;      ///< (n_show)
    double *reach;      ///< (n_show) farthest start; 0 = all start at 0
};

/// How a start ended.
typedef struct carom_basin_end {
    int label;          ///< from 1: attractor label - 1; 0 = none that is known; -1 = away
    long points;        ///< of the section until that was seen
    carom_attractor on; ///< where it has settled: its points are the walker's
    bool has_settled;
} carom_basin_end;

/// What a worker needs to follow a start.
typedef struct carom_basin_walk {
    double *trail; ///< (room n_show) the last points
    long trail_impacts[CAROM_CYCLE_MOST * 4];
    double trail_time[CAROM_CYCLE_MOST * 4];
    int *place, *in_a_row; ///< (n) of each attractor: point met last, and how many
    double *cycle;         ///< (CAROM_CYCLE_MOST n_show)
} carom_basin_walk;

carom_basin_walk *carom_basin_walk_new(const carom_scan *scan);
/// Follows the start that the worker stands at. bounds: of the first look, widened; else NULL.
carom_status carom_basin_follow(carom_worker *w, carom_basin_walk *walk, carom_attractors *bounds,
                                carom_basin_end *end, carom_error *error);

/// The first look: finds attractors from starts spread over the ranges.
carom_status carom_basin_survey(carom_scan *scan, const carom_scan_work *work, carom_error *error);

/// -1, 0, 1: the order of two attractors, as far as their points do not matter.
int carom_attractor_compare(const carom_attractor *a, const carom_attractor *b);

/// Columns of a row, behind the axes.
enum {
    CAROM_BASIN_LABEL,
    CAROM_BASIN_POINTS,
    CAROM_BASIN_PERIOD,
    CAROM_BASIN_IMPACTS,
    CAROM_BASIN_POINT
};
/// Gives those starts labels that have settled where the first look had found nothing, counts what
/// each has, and says it. Only the rows are asked, so that a store gives the same.
carom_status carom_basin_conclude(carom_scan *scan, carom_error *error);
/// A cell for each start, coloured by where it ends.
carom_status carom_basin_draw(const carom_scan *scan, const char *path, carom_error *error);

#endif
