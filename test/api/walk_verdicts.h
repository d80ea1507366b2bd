// SPDX-License-Identifier: Apache-2.0
// What a call has come to, and what it should have; walk_rig.h includes it behind its type.
#ifndef CAROM_TEST_WALK_VERDICTS_H
#define CAROM_TEST_WALK_VERDICTS_H

static int walk_n_failed; // all that went wrong is told at once
static inline void walk_failed(const walk_rig *r, const char *how)
{
    walk_n_failed++;
    print_error("%s: %s; message '%s'\n", r->what, how, r->error.message);
}

static inline void walk_is_good(const walk_rig *r, carom_status got)
{
    if (got != CAROM_OK) walk_failed(r, "is refused");
}

static inline void walk_is_bug(const walk_rig *r, carom_status got, const char *says)
{
    if (got != CAROM_BUG)
        walk_failed(r, "is not CAROM_BUG");
    else if (says &&
             (strncmp(r->error.message, "carom_", 6) != 0 || !strstr(r->error.message, says)))
        walk_failed(r, "is not told");
}

static inline void walk_no_text(const walk_rig *r, const char *got)
{
    if (got && got[0]) walk_failed(r, "returns a text");
}

static inline void walk_null(const walk_rig *r, const void *got)
{
    if (got) walk_failed(r, "returns something");
}

static inline void walk_nan(const walk_rig *r, double got)
{
    if (!isnan(got)) walk_failed(r, "returns a number");
}

#endif
