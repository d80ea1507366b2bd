// SPDX-License-Identifier: Apache-2.0
// The watch on a running simulation, as the page keeps it: it hears how far the run is, and says
// when its time is over.
#include "terminal/progress.h"

#include <emscripten.h>

static const double between_looks = 0.05; // [s]

// clang-format off
EM_JS(int, tell_page, (double t, double end, double steps), {
    return Module.watch(t, end, steps) ? 1 : 0;
})
// clang-format on

double carom_progress_clock(void)
{
    return emscripten_get_now() / 1000;
}

bool carom_progress_has_terminal(void)
{
    return false;
}

void carom_progress_start(carom_progress *progress, const char *label, bool is_quiet)
{
    *progress = (carom_progress){.label = label, .is_shown = !is_quiet};
    progress->start = progress->last = carom_progress_clock();
}

static bool tick(void *self, double t, double end, long steps)
{
    carom_progress *p = self;
    const double clock = carom_progress_clock();
    if (clock - p->last < between_looks) return false;
    p->last = clock;
    return tell_page(t, end, (double)steps) != 0;
}

carom_watch carom_progress_watch(carom_progress *progress)
{
    return (carom_watch){.self = progress, .tick = tick};
}

void carom_progress_clear(carom_progress *progress)
{
    (void)progress;
}

int carom_progress_end(carom_progress *progress)
{
    (void)progress;
    return 0;
}
