// SPDX-License-Identifier: Apache-2.0
// Checkpoints of a running simulation; see the header.
#include "saving.h"

#include "terminal/message.h"

#include <time.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

bool carom_saving_open(carom_saving *saving)
{
    carom_error error = {0};
    if (!saving->path || carom_lock_new(saving->path, &saving->lock, &error) == CAROM_OK)
        return true;
    carom_message_error("%s", error.message);
    return false;
}

static carom_status write_all(carom_saving *saving, carom_error *error)
{
    for (int i = 0; i < CAROM_SAVING_OUTPUTS; i++)
        if (saving->output[i]) CAROM_TRY(carom_output_sync(saving->output[i], error));
    CAROM_TRY(carom_sim_checkpoint(saving->sim, saving->path, error));
    carom_sim_forget_parts(saving->path);
    return CAROM_OK;
}

bool carom_saving_write(carom_saving *saving)
{
    carom_error error = {0};
    if (!saving->path) return true;
    const carom_status status = write_all(saving, &error);
    saving->last = now();
    // a disk that is full is told once
    if (status != CAROM_OK && !saving->has_failed)
        carom_message_error("no checkpoint at t = %.9g: %s", carom_sim_state(saving->sim)->t,
                            error.message);
    saving->has_failed = status != CAROM_OK;
    return status == CAROM_OK;
}

static bool tick(void *self, double t, double end, long steps)
{
    carom_saving *saving = self;
    if (saving->path && now() - saving->last >= saving->every) (void)carom_saving_write(saving);
    return saving->inner.tick(saving->inner.self, t, end, steps);
}

carom_watch carom_saving_watch(carom_saving *saving, carom_watch inner)
{
    saving->inner = inner;
    (void)carom_saving_write(saving);
    return (carom_watch){.self = saving, .tick = tick};
}

void carom_saving_close(carom_saving *saving)
{
    carom_lock_free(saving->lock);
    saving->lock = NULL;
}
