// SPDX-License-Identifier: Apache-2.0
// The pages that viewer/ is built into: HTML with one place for the data. Pages of spatial models
// carry a scene in space and are larger for it.
#ifndef CAROM_REPORT_PAGE_H
#define CAROM_REPORT_PAGE_H

#include <stddef.h>

typedef struct carom_page {
    const unsigned char *head, *tail; ///< before and after the data
    size_t head_length, tail_length;
} carom_page;

extern const carom_page carom_page_flat, carom_page_space;

#endif
