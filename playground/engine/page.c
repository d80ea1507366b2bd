// SPDX-License-Identifier: Apache-2.0
// What stands around the data of a report: here nothing, the page has its viewer.
#include "report/page.h"

const carom_page carom_page_flat = {(const unsigned char *)"", (const unsigned char *)"", 0, 0};
const carom_page carom_page_space = {(const unsigned char *)"", (const unsigned char *)"", 0, 0};
