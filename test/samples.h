// SPDX-License-Identifier: Apache-2.0
// How many random problems a test draws. Sanitizers make it ten times slower and look at memory,
// for which the first few of each kind do; numbers and rates are judged on all, without them.
#ifndef TEST_SAMPLES_H
#define TEST_SAMPLES_H

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define UNDER_SANITIZERS
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) && !defined(UNDER_SANITIZERS)
#define UNDER_SANITIZERS
#endif

#ifdef UNDER_SANITIZERS
#define SAMPLES(n) (((n) + 4) / 5)
enum { DRAWS_ALL = 0 };
#else
#define SAMPLES(n) (n)
enum { DRAWS_ALL = 1 };
#endif

#endif
