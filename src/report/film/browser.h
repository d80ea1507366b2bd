// SPDX-License-Identifier: Apache-2.0
// A browser without a window that shows one page and takes pictures of it: Chromium, spoken to
// through a socket pair in the DevTools protocol. It listens on no port, and ends with its caller.
#ifndef CAROM_REPORT_BROWSER_H
#define CAROM_REPORT_BROWSER_H

#include "carom/base.h"

typedef struct carom_browser carom_browser;

/// Starts it. carom_browser_nest is a folder for the page, which goes with the browser.
carom_status carom_browser_open(const char *program, carom_browser **browser, carom_error *error);
void carom_browser_free(carom_browser *browser);
const char *carom_browser_nest(const carom_browser *browser);

/// Shows a file of the nest, with a fragment ("page.html#film").
carom_status carom_browser_show(carom_browser *browser, const char *page, int width, int height,
                                bool is_dark, carom_error *error);
/// Evaluates an expression (without quotes or backslashes), waits for it where it is a promise, and
/// returns whether it is true.
carom_status carom_browser_ask(carom_browser *browser, const char *expression, bool *is_true,
                               carom_error *error);
/// The page as PNG: n bytes, valid until the next call.
carom_status carom_browser_picture(carom_browser *browser, const void **png, size_t *n,
                                   carom_error *error);

#endif
