// SPDX-License-Identifier: Apache-2.0
// Samples in the unit cube. Random numbers come from a counter, number (seed, point, axis), so that
// a sample does not depend on how many there are, nor on who asks for it when.
//
//     random   x = U(i, k)
//     latin    x = (pi_k(i) + U(i, k))/n      pi_k a random permutation of 0 .. n-1: depends on n
//     sobol    x = sum of direction numbers v_kj over the bits j of the Gray code of i
//
// J. Salmon et al., Parallel random numbers: as easy as 1, 2, 3, SC 2011 (Philox 4x32-10).
// S. Joe, F. Kuo, Constructing Sobol sequences with better two-dimensional projections, SIAM J.
// Sci. Comput. 30, 2008 (initial direction numbers of the first dimensions).
#include "studies/study_scan.h"

#include "studies/samples.h"

#include <stdint.h>

enum { BITS = 32, ROUNDS = 10, PERMUTATION = 1 << 16 };

void carom_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
    uint32_t c[4] = {counter[0], counter[1], counter[2], counter[3]}, k[2] = {key[0], key[1]};
    for (int r = 0; r < ROUNDS; r++) {
        const uint64_t a = (uint64_t)0xD2511F53u * c[0], b = (uint64_t)0xCD9E8D57u * c[2];
        const uint32_t was = c[1];
        c[0] = (uint32_t)(b >> 32) ^ was ^ k[0];
        c[1] = (uint32_t)b;
        const uint32_t third = c[3];
        c[2] = (uint32_t)(a >> 32) ^ third ^ k[1];
        c[3] = (uint32_t)a;
        k[0] += 0x9E3779B9u;
        k[1] += 0xBB67AE85u;
    }
    for (int i = 0; i < 4; i++) out[i] = c[i];
}

// 53 random bits
static uint64_t random_bits(const carom_scan_design *design, long i, int k)
{
    const uint64_t at = (uint64_t)i;
    const uint32_t counter[4] = {(uint32_t)at, (uint32_t)(at >> 32), (uint32_t)k, 0};
    const uint32_t key[2] = {(uint32_t)design->seed, (uint32_t)(design->seed >> 32)};
    uint32_t out[4];
    carom_philox(counter, key, out);
    return ((uint64_t)out[0] << 21) ^ (out[1] >> 11);
}

static double uniform(const carom_scan_design *design, long i, int k)
{
    return (double)random_bits(design, i, k) * 0x1p-53;
}

// the random permutation of each axis (Fisher and Yates)
static carom_status prepare_latin(carom_arena *arena, carom_scan_design *design, carom_error *error)
{
    const long n = design->n;
    design->rank = CAROM_TAKE(arena, long, n * design->n_axis);
    if (!design->rank) return carom_scan_no_memory(error);
    for (int k = 0; k < design->n_axis; k++) {
        long *rank = design->rank + (size_t)k * (size_t)n;
        for (long i = 0; i < n; i++) rank[i] = i;
        for (long i = n - 1; i > 0; i--) {
            const long j = (long)(uniform(design, i, k + PERMUTATION) * (double)(i + 1));
            const long kept = rank[i];
            rank[i] = rank[j];
            rank[j] = kept;
        }
    }
    return CAROM_OK;
}

// degree, polynomial, initial numbers of dimensions 2, 3, ...
static const unsigned first_number[CAROM_SCAN_AXES - 1][8] = {
    {1, 0, 1},
    {2, 1, 1, 3},
    {3, 1, 1, 3, 1},
    {3, 2, 1, 1, 1},
    {4, 1, 1, 1, 3, 3},
    {4, 4, 1, 3, 5, 13},
    {5, 2, 1, 1, 5, 5, 17},
    {5, 4, 1, 1, 5, 5, 5},
    {5, 7, 1, 1, 7, 11, 19},
    {5, 11, 1, 1, 5, 1, 1},
    {5, 13, 1, 1, 1, 3, 11},
    {5, 14, 1, 3, 5, 5, 31},
    {6, 1, 1, 3, 3, 9, 7, 49},
    {6, 13, 1, 1, 1, 15, 21, 21},
    {6, 16, 1, 3, 1, 13, 27, 49},
};

static void fill_direction(int k, unsigned *v)
{
    if (k == 0) {
        for (int j = 0; j < BITS; j++) v[j] = 1u << (BITS - 1 - j);
        return;
    }
    const unsigned *first = first_number[k - 1];
    const int degree = (int)first[0];
    for (int j = 0; j < BITS; j++) {
        if (j < degree) {
            v[j] = first[2 + j] << (BITS - 1 - j);
            continue;
        }
        v[j] = v[j - degree] ^ (v[j - degree] >> degree);
        for (int i = 1; i < degree; i++)
            if (first[1] >> (degree - 1 - i) & 1) v[j] ^= v[j - i];
    }
}

static carom_status prepare_sobol(carom_arena *arena, carom_scan_design *design, carom_error *error)
{
    design->direction = CAROM_TAKE(arena, unsigned, design->n_axis *BITS);
    if (!design->direction) return carom_scan_no_memory(error);
    for (int k = 0; k < design->n_axis; k++) fill_direction(k, design->direction + k * BITS);
    return CAROM_OK;
}

carom_status carom_samples_prepare(carom_arena *arena, carom_scan_design *design,
                                   carom_error *error)
{
    if (design->sampling == CAROM_SAMPLE_LATIN) return prepare_latin(arena, design, error);
    if (design->sampling == CAROM_SAMPLE_SOBOL) return prepare_sobol(arena, design, error);
    return CAROM_OK;
}

double carom_sample(const carom_scan_design *design, long i, int k)
{
    if (design->sampling == CAROM_SAMPLE_LATIN) {
        const long rank = design->rank[(size_t)k * (size_t)design->n + (size_t)i];
        return ((double)rank + uniform(design, i, k)) / (double)design->n;
    }
    if (design->sampling == CAROM_SAMPLE_SOBOL) {
        const unsigned gray = (unsigned)i ^ ((unsigned)i >> 1);
        unsigned x = 0;
        for (int j = 0; j < BITS; j++)
            if (gray >> j & 1) x ^= design->direction[k * BITS + j];
        return (double)x * 0x1p-32;
    }
    return uniform(design, i, k);
}
