// SPDX-License-Identifier: Apache-2.0
// Counts calls of malloc and its kin; for tests that are linked with --wrap (their head says
// "counts allocations").
#ifndef CAROM_TEST_COUNT_ALLOCATIONS_H
#define CAROM_TEST_COUNT_ALLOCATIONS_H

#include <stddef.h>

static long n_allocation;

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t size);

void *__wrap_malloc(size_t size)
{
    n_allocation++;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
    n_allocation++;
    return __real_calloc(n, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    n_allocation++;
    return __real_realloc(old, size);
}

#endif
