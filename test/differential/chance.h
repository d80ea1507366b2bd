// SPDX-License-Identifier: Apache-2.0
// Random numbers that depend on the seed and the number of the mechanism alone, so that any one of
// them can be made again without the others. They have four digits: texts of models stay short, and
// say exactly what was run.
#ifndef CAROM_TEST_DIFFERENTIAL_CHANCE_H
#define CAROM_TEST_DIFFERENTIAL_CHANCE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct chance {
    uint64_t s;
} chance;

static inline uint64_t chance_bits(chance *c)
{
    // splitmix64
    uint64_t z = c->s += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static inline chance chance_of(unsigned long seed, int index)
{
    chance c = {.s = seed * 0x2545f4914f6cdd1du + (uint64_t)index};
    chance_bits(&c);
    return c;
}

static inline double chance_share(chance *c)
{
    return (double)(chance_bits(c) >> 11) / 9007199254740992.0;
}

static inline bool chance_is(chance *c, double share)
{
    return chance_share(c) < share;
}

static inline int chance_below(chance *c, int n)
{
    return (int)(chance_bits(c) % (uint64_t)n);
}

static inline double chance_between(chance *c, double low, double high)
{
    return round(1e4 * (low + (high - low) * chance_share(c))) / 1e4;
}

/// 0, or with this probability a number between the two.
static inline double chance_some(chance *c, double share, double low, double high)
{
    const double x = chance_between(c, low, high);
    return chance_is(c, share) ? x : 0;
}

static inline double chance_sign(chance *c)
{
    return chance_is(c, 0.5) ? 1 : -1;
}

#endif
