// SPDX-License-Identifier: Apache-2.0
// A study that several processes share: rank 0 hands out chains and writes the store, the others
// work. Messages are bytes, whoever carries them (MPI: src/mpi).
//
//     worker -> 0    units that are done, one behind the other; none = give me some
//     0 -> worker    which chains: the first, how many, the unit to start with, and the state
//                    before it; how many = 0: go home
//
// Blocks of chains are about half a second long, so that short units do not wait for messages. What
// a worker that dies had in hand is done when the study goes on from its store.
#include "studies/study_scan.h"

#include "base/grow.h"
#include "sim/sim_clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double block_seconds = 0.5, letter_seconds = 0.2, look_seconds = 0.05;
static const long most_chains = 100000;

typedef struct order {
    long chain, n_chain; ///< n_chain = 0: nothing more
    long start;          ///< unit to start with
    long has_state;      ///< its state stands behind
} order;

typedef struct letter {
    unsigned char *bytes;
    size_t n, room;
} letter;

/// A process that works.
typedef struct helper {
    carom_scan *scan;
    const carom_scan_post *post;
    carom_worker *worker;
    letter out;
} helper;

typedef struct unit_head {
    long index, n_row, has_failed, has_state, message; ///< message: bytes, with the 0; 0 = none
    double seconds;
} unit_head;

static size_t state_bytes(const carom_scan *scan)
{
    return sizeof(double) * (size_t)(1 + scan->size.nq + scan->size.nu);
}

static size_t row_bytes(const carom_scan *scan)
{
    return sizeof(double) * (size_t)scan->n_column;
}

static bool put(letter *l, const void *bytes, size_t n)
{
    if (l->n + n > l->room) {
        const size_t room = 2 * (l->n + n);
        if (!carom_grow(&l->bytes, 1, room)) return false;
        l->room = room;
    }
    if (n > 0) memcpy(l->bytes + l->n, bytes, n);
    l->n += n;
    return true;
}

static bool put_unit(const carom_scan *scan, long index, const carom_unit *unit, letter *l)
{
    const unit_head head = {.index = index,
                            .n_row = unit->n_row,
                            .has_failed = unit->has_failed,
                            .has_state = unit->state != NULL,
                            .message = unit->message ? (long)strlen(unit->message) + 1 : 0,
                            .seconds = unit->seconds};
    return put(l, &head, sizeof head) && put(l, unit->row, row_bytes(scan) * (size_t)unit->n_row) &&
           (!unit->state || put(l, unit->state, state_bytes(scan))) &&
           put(l, unit->message, (size_t)head.message);
}

// ---- a worker ----

static bool send_letter(const carom_scan_post *post, letter *l)
{
    const bool is_sent = post->send(post->self, 0, l->bytes, l->n);
    l->n = 0;
    return is_sent;
}

static carom_status lost(carom_error *error)
{
    return carom_fail(error, CAROM_IO, "a message between processes was lost");
}

static carom_status work_on_block(helper *h, const order *o, const carom_unit *given,
                                  carom_error *error)
{
    carom_scan *scan = h->scan;
    double last = carom_clock_wall();
    const long end = scan->chains.first[o->chain + o->n_chain];
    const carom_unit *before = given;
    for (long i = o->start; i < end; i++) {
        const bool is_first = scan->chains.first[carom_chain_of(scan, i)] == i;
        if (is_first) before = NULL;
        CAROM_TRY(carom_worker_do(h->worker, i, before, &scan->unit[i], error));
        if (scan->unit[i].state) before = &scan->unit[i];
        if (!put_unit(scan, i, &scan->unit[i], &h->out)) return carom_scan_no_memory(error);
        if (carom_clock_wall() - last < letter_seconds && i + 1 < end) continue;
        if (!send_letter(h->post, &h->out)) return lost(error);
        last = carom_clock_wall();
    }
    return CAROM_OK;
}

// asks for work, and does what it is given
static carom_status help(helper *h, bool *is_over, carom_error *error)
{
    const size_t n_state = state_bytes(h->scan);
    const void *bytes;
    size_t n;
    int from, got = 0;
    order o;
    carom_unit given = {0};
    if (!send_letter(h->post, &h->out)) return lost(error); // an empty one
    while (got == 0) got = h->post->receive(h->post->self, look_seconds, &from, &bytes, &n);
    if (got < 0 || n < sizeof o) return lost(error);
    memcpy(&o, bytes, sizeof o);
    *is_over = o.n_chain == 0;
    if (*is_over) return CAROM_OK;
    if (o.has_state && n == sizeof o + n_state) {
        given.state = malloc(n_state);
        if (!given.state) return carom_scan_no_memory(error);
        memcpy(given.state, (const unsigned char *)bytes + sizeof o, n_state);
    }
    const carom_status status = work_on_block(h, &o, given.state ? &given : NULL, error);
    free(given.state);
    return status;
}

carom_status carom_remote_work(carom_scan *scan, const carom_scan_post *post, carom_error *error)
{
    helper h = {.scan = scan, .post = post};
    bool is_over = false;
    CAROM_TRY(carom_worker_new(scan, &h.worker, error));
    carom_status status = CAROM_OK;
    while (status == CAROM_OK && !is_over) status = help(&h, &is_over, error);
    carom_worker_free(h.worker);
    free(h.out.bytes);
    return status;
}

// ---- rank 0 ----

typedef struct office {
    carom_scan *scan;
    const carom_scan_work *work;
    carom_store *store;
    long next;      ///< chain
    int n_working;  ///< that have not gone home
    double seconds; ///< that units took so far
    long n_unit;
    bool is_stopped;
} office;

static long first_undone(const carom_scan *scan, long chain)
{
    long i = scan->chains.first[chain];
    while (i < scan->chains.first[chain + 1] && scan->unit[i].is_done) i++;
    return i;
}

static bool is_to_do(const office *o, long chain)
{
    const carom_scan_work *work = o->work;
    return (work->n_part <= 0 || chain % work->n_part == work->part - 1) &&
           first_undone(o->scan, chain) < o->scan->chains.first[chain + 1];
}

// the next chains that nothing is known of, or one that was begun
static order next_order(office *o)
{
    const carom_scan_chains *c = &o->scan->chains;
    order given = {0};
    while (o->next < c->n && !is_to_do(o, o->next)) o->next++;
    if (o->is_stopped || o->next >= c->n) return given;
    given = (order){.chain = o->next, .n_chain = 1, .start = first_undone(o->scan, o->next)};
    const bool is_whole = given.start == c->first[o->next];
    const double mean = o->n_unit > 0 ? o->seconds / (double)o->n_unit : block_seconds;
    const long share = (c->n - o->next) / (2 * o->n_working) + 1; // the end comes for all at once
    o->next++;
    while (is_whole && o->next < c->n && given.n_chain < most_chains && given.n_chain < share &&
           (double)(c->first[o->next + 1] - given.start) * mean < block_seconds &&
           is_to_do(o, o->next) && first_undone(o->scan, o->next) == c->first[o->next]) {
        given.n_chain++;
        o->next++;
    }
    return given;
}

static bool give_order(office *o, int to)
{
    order given = next_order(o);
    letter l = {0};
    const double *state = NULL;
    for (long i = given.start - 1; given.n_chain > 0 && i >= o->scan->chains.first[given.chain];
         i--)
        if ((state = o->scan->unit[i].state)) break;
    given.has_state = state != NULL;
    o->n_working -= given.n_chain == 0;
    const bool is_sent = put(&l, &given, sizeof given) &&
                         (!state || put(&l, state, state_bytes(o->scan))) &&
                         o->work->post->send(o->work->post->self, to, l.bytes, l.n);
    free(l.bytes);
    return is_sent;
}

static carom_status take_unit(office *o, const unsigned char **at, const unsigned char *end,
                              carom_error *error)
{
    carom_scan *scan = o->scan;
    unit_head head;
    if ((size_t)(end - *at) < sizeof head) return lost(error);
    memcpy(&head, *at, sizeof head);
    *at += sizeof head;
    const size_t rows = row_bytes(scan) * (size_t)head.n_row,
                 state = head.has_state ? state_bytes(scan) : 0;
    if (head.index < 0 || head.index >= scan->chains.n_unit || head.n_row < 0 || head.message < 0 ||
        (size_t)(end - *at) < rows + state + (size_t)head.message)
        return lost(error);
    carom_unit *unit = &scan->unit[head.index];
    *unit = (carom_unit){.is_done = true,
                         .has_failed = head.has_failed != 0,
                         .seconds = head.seconds,
                         .n_row = (int)head.n_row,
                         .row = malloc(rows + 1),
                         .state = state > 0 ? malloc(state) : NULL,
                         .message = head.message > 0 ? malloc((size_t)head.message) : NULL};
    if (!unit->row || (state > 0 && !unit->state) || (head.message > 0 && !unit->message))
        return carom_scan_no_memory(error);
    memcpy(unit->row, *at, rows);
    if (state > 0) memcpy(unit->state, *at + rows, state);
    if (head.message > 0) memcpy(unit->message, *at + rows + state, (size_t)head.message);
    *at += rows + state + (size_t)head.message;
    o->seconds += head.seconds;
    o->n_unit++;
    carom_scan_count_unit(scan, unit);
    return o->store ? carom_store_put(o->store, head.index, unit, error) : CAROM_OK;
}

static carom_status take_letter(office *o, int from, const void *bytes, size_t n,
                                carom_error *error)
{
    if (n == 0) return give_order(o, from) ? CAROM_OK : lost(error);
    const unsigned char *at = bytes, *end = at + n;
    while (at < end) CAROM_TRY(take_unit(o, &at, end, error));
    return CAROM_OK;
}

// all go home, those that are at work when they come back; what went wrong first is what is said
static carom_status run_office(office *o, carom_error *error)
{
    const carom_scan_post *post = o->work->post;
    carom_status status = CAROM_OK;
    double look = 0;
    while (o->n_working > 0) {
        const void *bytes;
        size_t n;
        int from;
        const int got = post->receive(post->self, look_seconds, &from, &bytes, &n);
        if (got < 0) return status == CAROM_OK ? lost(error) : status;
        carom_error late = {0};
        if (got > 0) {
            const carom_status taken =
                take_letter(o, from, bytes, n, status == CAROM_OK ? error : &late);
            if (status == CAROM_OK) status = taken;
        }
        if (carom_clock_wall() - look > look_seconds) {
            look = carom_clock_wall();
            if (o->store && status == CAROM_OK) status = carom_store_tick(o->store, error);
            o->is_stopped |= carom_scan_is_stop_wanted(o->scan, o->work);
        }
        o->is_stopped |= status != CAROM_OK;
    }
    if (status == CAROM_OK && o->is_stopped)
        return carom_fail(error, CAROM_STOPPED, "stopped after %ld of %ld runs", o->scan->n_done,
                          o->scan->chains.n_unit);
    return status;
}

carom_status carom_remote_lead(carom_scan *scan, const carom_scan_work *work, carom_store *store,
                               bool is_off, carom_error *error)
{
    office o = {.scan = scan,
                .work = work,
                .store = store,
                .n_working = work->post->n_rank - 1,
                .is_stopped = is_off};
    const carom_status status = run_office(&o, is_off ? NULL : error);
    return is_off ? CAROM_OK : status;
}
