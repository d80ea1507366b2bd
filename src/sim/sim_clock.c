// SPDX-License-Identifier: Apache-2.0
// Time of the machine, not of the model.
#include "sim/sim_clock.h"

#include <time.h>

static double read_clock(clockid_t id)
{
    struct timespec now = {0, 0};
    clock_gettime(id, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double carom_clock_processor(void)
{
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

double carom_clock_wall(void)
{
    return read_clock(CLOCK_MONOTONIC);
}
