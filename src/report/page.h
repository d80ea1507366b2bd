// SPDX-License-Identifier: Apache-2.0
// The page that viewer/ is built into: HTML with one place for the data.
#ifndef CAROM_REPORT_PAGE_H
#define CAROM_REPORT_PAGE_H

#include <stddef.h>

extern const unsigned char carom_page_head[], carom_page_tail[]; ///< before and after the data
extern const size_t carom_page_head_length, carom_page_tail_length;

#endif
