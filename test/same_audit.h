// SPDX-License-Identifier: Apache-2.0
// Two audits are the same: numbers bit for bit, texts letter by letter. Include after cmocka.
#ifndef CAROM_TEST_SAME_AUDIT_H
#define CAROM_TEST_SAME_AUDIT_H

#include "carom/sim.h"

#include <stddef.h>

static inline void expect_same_audit(const carom_audit *a, const carom_audit *b)
{
    assert_memory_equal(a, b, offsetof(carom_audit, min_gap_at)); // texts come last
    assert_string_equal(a->min_gap_at, b->min_gap_at);
    assert_string_equal(a->max_drift_at, b->max_drift_at);
    assert_string_equal(a->residual_at, b->residual_at);
    assert_string_equal(a->warnings, b->warnings);
}

#endif
