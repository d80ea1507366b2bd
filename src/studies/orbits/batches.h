// SPDX-License-Identifier: Apache-2.0
// How sure a mean over points is: they are put into batches, and the error is that of the mean of
// these, wider where each is like the one before.
#ifndef CAROM_STUDIES_BATCHES_H
#define CAROM_STUDIES_BATCHES_H

enum { CAROM_BATCHES = 20 };

/// Of sums over batches (CAROM_BATCHES): the error of their mean.
double carom_batch_error(const double *batch);

#endif
