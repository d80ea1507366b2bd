// SPDX-License-Identifier: Apache-2.0
// What a run has sent, as a number: only the same rows and events in the same order give it.
#include "sim/saved/stream.h"
#include "sim/sim_rig.h"

static const carom_event sample = {.t = 1.5,
                                   .contact = 3,
                                   .kind = CAROM_SLIP,
                                   .rate_before = -2,
                                   .rate_after = 0.25,
                                   .P = 7,
                                   .energy_lost = 0.125};

static void an_event_comes_back_from_its_numbers(void **state)
{
    (void)state;
    double number[CAROM_EVENT_NUMBERS];
    for (int i = 0; i < CAROM_EVENT_NUMBERS; i++) number[i] = NAN;
    carom_event_numbers(&sample, number);
    const carom_event back = carom_event_from_numbers(number);
    assert_true(back.t == sample.t && back.contact == sample.contact && back.kind == sample.kind);
    assert_true(back.rate_before == sample.rate_before && back.rate_after == sample.rate_after);
    assert_true(back.P == sample.P && back.energy_lost == sample.energy_lost);
    // the order is that of files
    static const double order[] = {1.5, 3, CAROM_SLIP, -2, 0.25, 7, 0.125};
    for (int i = 0; i < CAROM_EVENT_NUMBERS; i++) assert_true(number[i] == order[i]);
}

static uint64_t hash_of(const double *value, int n_row, int n)
{
    carom_stream stream = {0};
    for (int i = 0; i < n_row; i++) carom_stream_add(&stream, value + i * n, n);
    assert_int_equal(stream.count, n_row);
    return stream.hash;
}

static void rows_and_their_order_count(void **state)
{
    (void)state;
    const double rows[6] = {1, 2, 3, 4, 5, 6}, nothing[6] = {0};
    const uint64_t hash = hash_of(rows, 3, 2);
    assert_true(hash == hash_of(rows, 3, 2));
    assert_true(hash != hash_of(rows, 2, 2) && hash_of(nothing, 1, 2) != hash_of(nothing, 2, 2));
    for (int i = 0; i < 6; i++) {
        double other[6];
        memcpy(other, rows, sizeof rows);
        other[i] = nextafter(other[i], 9); // the last bit
        assert_true(hash != hash_of(other, 3, 2));
        memcpy(other, rows, sizeof rows);
        other[i] = rows[(i + 1) % 6]; // two of them change places
        other[(i + 1) % 6] = rows[i];
        assert_true(hash != hash_of(other, 3, 2));
    }
    const double one = NAN, other = -NAN;
    assert_true(hash_of(&one, 1, 1) == hash_of(&other, 1, 1));
}

static void every_part_of_an_event_counts(void **state)
{
    (void)state;
    uint64_t hash[8];
    carom_event event[8];
    for (int i = 0; i < 8; i++) event[i] = sample;
    event[1].t = 2;
    event[2].contact = 2;
    event[3].kind = CAROM_STICK;
    event[4].rate_before = -1;
    event[5].rate_after = 1;
    event[6].P = 8;
    event[7].energy_lost = 0;
    for (int i = 0; i < 8; i++) {
        carom_stream stream = {0};
        carom_stream_add_event(&stream, &event[i]);
        assert_int_equal(stream.count, 1);
        hash[i] = stream.hash;
        for (int j = 0; j < i; j++) assert_true(hash[i] != hash[j]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_event_comes_back_from_its_numbers),
        cmocka_unit_test(rows_and_their_order_count),
        cmocka_unit_test(every_part_of_an_event_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
