// SPDX-License-Identifier: Apache-2.0
// Which rows of a run are shown one by one, and which are drawn together.
#ifndef CAROM_REPORT_BUCKETS_H
#define CAROM_REPORT_BUCKETS_H

#include "carom/output.h"

/// Rows in groups that follow each other. A bucket of one row becomes one point, a larger one two.
typedef struct carom_buckets {
    long n_row, n_bucket, n_point;
    unsigned char *starts; ///< (n_row) 1 where a bucket starts
} carom_buckets;

/// At most about most_point points: all rows where that is enough; else every row near the
/// strongest impacts, and buckets of equal share in time and rows elsewhere. event is sorted from
/// strong to weak.
carom_status carom_buckets_make(carom_buckets *buckets, carom_results *results, long most_point,
                                const carom_logged_event *event, long n_event, carom_error *error);
void carom_buckets_free(carom_buckets *buckets);

#endif
