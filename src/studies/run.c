// SPDX-License-Identifier: Apache-2.0
// Workers, one thread each: they take chains one after the other and work on their units; the
// thread that called writes what is done into the store and listens. Who has done what when leaves
// no trace in the results: a unit stands in its place.
#define _DEFAULT_SOURCE // processors
#include "studies/study_scan.h"

#include "base/need.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { ROOM = 1024, MOST_THREADS = 1024 };

typedef struct crew {
    carom_scan *scan;
    const carom_scan_work *work;
    pthread_mutex_t lock;
    pthread_cond_t is_done, has_room;
    long next;        ///< chain to be taken
    long queue[ROOM]; ///< units that are done and not yet written
    int first, n;
    int n_busy;
    bool is_stopped;
    carom_error error; ///< the first that ends it all
} crew;

static bool is_mine(const crew *c, long chain)
{
    return c->work->n_part <= 0 || chain % c->work->n_part == c->work->part - 1;
}

// the next chain, or -1
static long take_chain(crew *c)
{
    pthread_mutex_lock(&c->lock);
    while (c->next < c->scan->chains.n && !is_mine(c, c->next)) c->next++;
    const long taken = c->is_stopped || c->next >= c->scan->chains.n ? -1 : c->next++;
    pthread_mutex_unlock(&c->lock);
    return taken;
}

static bool hand_over(crew *c, long unit)
{
    pthread_mutex_lock(&c->lock);
    while (c->n == ROOM && !c->is_stopped) pthread_cond_wait(&c->has_room, &c->lock);
    if (c->n < ROOM) c->queue[(c->first + c->n++) % ROOM] = unit;
    pthread_cond_signal(&c->is_done);
    const bool goes_on = !c->is_stopped;
    pthread_mutex_unlock(&c->lock);
    return goes_on;
}

static carom_status work_on_chain(crew *c, carom_worker *worker, long chain, carom_error *error)
{
    carom_scan *scan = c->scan;
    const carom_unit *before = NULL;
    for (long i = scan->chains.first[chain]; i < scan->chains.first[chain + 1]; i++) {
        if (!scan->unit[i].is_done) {
            CAROM_TRY(carom_worker_do(worker, i, before, &scan->unit[i], error));
            if (!hand_over(c, i)) return CAROM_STOPPED;
        }
        if (scan->unit[i].state) before = &scan->unit[i];
    }
    return CAROM_OK;
}

static void give_up(crew *c, const carom_error *error)
{
    pthread_mutex_lock(&c->lock);
    if (c->error.status == CAROM_OK) c->error = *error;
    c->is_stopped = true;
    pthread_cond_broadcast(&c->has_room);
    pthread_mutex_unlock(&c->lock);
}

static void *work(void *self)
{
    crew *c = self;
    carom_worker *worker = NULL;
    carom_error error = {0};
    carom_status status = carom_worker_new(c->scan, &worker, &error);
    for (long chain; status == CAROM_OK && (chain = take_chain(c)) >= 0;)
        status = work_on_chain(c, worker, chain, &error);
    if (status != CAROM_OK && status != CAROM_STOPPED) give_up(c, &error);
    carom_worker_free(worker);
    pthread_mutex_lock(&c->lock);
    c->n_busy--;
    pthread_cond_signal(&c->is_done);
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

void carom_scan_count_unit(carom_scan *scan, const carom_unit *unit)
{
    scan->n_done++;
    scan->n_failed += unit->has_failed;
}

static carom_status write_one(crew *c, carom_store *store, long index)
{
    const carom_unit *unit = &c->scan->unit[index];
    carom_scan_count_unit(c->scan, unit);
    return store ? carom_store_put(store, index, unit, &c->error) : CAROM_OK;
}

bool carom_scan_is_stop_wanted(const carom_scan *scan, const carom_scan_work *work)
{
    const carom_watch *watch = &work->watch;
    return watch->tick && watch->tick(watch->self, (double)scan->n_done,
                                      (double)scan->chains.n_unit, scan->n_done);
}

static struct timespec soon(void)
{
    struct timespec at;
    clock_gettime(CLOCK_REALTIME, &at);
    at.tv_nsec += 50000000;
    at.tv_sec += at.tv_nsec / 1000000000;
    at.tv_nsec %= 1000000000;
    return at;
}

// a second without a unit must not keep those that are done out of the store
static carom_status write_units(crew *c, carom_store *store)
{
    carom_status status = CAROM_OK;
    struct timespec look = soon();
    pthread_mutex_lock(&c->lock);
    while (c->n_busy > 0 || c->n > 0) {
        if (c->n == 0) pthread_cond_timedwait(&c->is_done, &c->lock, &look);
        long unit = -1;
        if (c->n > 0) {
            unit = c->queue[c->first];
            c->first = (c->first + 1) % ROOM;
            c->n--;
            pthread_cond_signal(&c->has_room);
        }
        pthread_mutex_unlock(&c->lock);
        if (unit >= 0 && status == CAROM_OK) status = write_one(c, store, unit);
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        const bool is_due =
            now.tv_sec > look.tv_sec || (now.tv_sec == look.tv_sec && now.tv_nsec >= look.tv_nsec);
        bool is_over = status != CAROM_OK;
        if (is_due) {
            look = soon();
            if (store && status == CAROM_OK) status = carom_store_tick(store, &c->error);
            is_over |= status != CAROM_OK || carom_scan_is_stop_wanted(c->scan, c->work);
        }
        pthread_mutex_lock(&c->lock);
        if (is_over && !c->is_stopped) {
            c->is_stopped = true;
            pthread_cond_broadcast(&c->has_room);
        }
    }
    pthread_mutex_unlock(&c->lock);
    return status;
}

static int count_threads(const carom_scan *scan, int asked)
{
    long n = asked > 0 ? asked : sysconf(_SC_NPROCESSORS_ONLN);
    if (n > scan->chains.n) n = scan->chains.n;
    return n < 1 ? 1 : n > MOST_THREADS ? MOST_THREADS : (int)n;
}

static carom_status run_crew(crew *c, carom_store *store, carom_error *error)
{
    pthread_t thread[MOST_THREADS];
    const int wanted = count_threads(c->scan, c->work->n_thread);
    int n = 0;
    pthread_mutex_lock(&c->lock); // nobody is done before all are counted
    while (n < wanted && pthread_create(&thread[n], NULL, work, c) == 0) n++;
    c->n_busy = n;
    pthread_mutex_unlock(&c->lock);
    if (n == 0) return carom_fail(error, CAROM_NO_MEMORY, "no thread could be started");
    carom_status status = write_units(c, store);
    for (int i = 0; i < n; i++) pthread_join(thread[i], NULL);
    if (c->error.status != CAROM_OK) {
        if (error) *error = c->error;
        return c->error.status;
    }
    if (status == CAROM_OK && c->is_stopped)
        status = carom_fail(error, CAROM_STOPPED, "stopped after %ld of %ld runs", c->scan->n_done,
                            c->scan->chains.n_unit);
    return status;
}

static carom_status run_threads(carom_scan *scan, const carom_scan_work *work, carom_store *store,
                                carom_error *error)
{
    crew c = {.scan = scan, .work = work};
    pthread_mutex_init(&c.lock, NULL);
    pthread_cond_init(&c.is_done, NULL);
    pthread_cond_init(&c.has_room, NULL);
    const carom_status status = run_crew(&c, store, error);
    pthread_cond_destroy(&c.has_room);
    pthread_cond_destroy(&c.is_done);
    pthread_mutex_destroy(&c.lock);
    return status;
}

static carom_status work_alone(carom_scan *scan, const carom_scan_work *work, carom_store *store,
                               carom_error *error)
{
    const bool has_work = scan->n_done < scan->chains.n_unit;
    if (scan->kind->survey && has_work) CAROM_TRY(scan->kind->survey(scan, work, error));
    return run_threads(scan, work, store, error);
}

carom_status carom_scan_run(carom_scan *scan, const carom_scan_work *work, carom_error *error)
{
    carom_store *store = NULL;
    CAROM_NEED(error, scan);
    CAROM_NEED(error, work);
    CAROM_NEED_THAT(error, scan->model, "the scan is a store that was read: it cannot be run");
    CAROM_NEED_THAT(error, work->n_part <= 0 || (work->part >= 1 && work->part <= work->n_part),
                    "part %d of %d", work->part, work->n_part);
    const bool is_shared = work->post && work->post->n_rank > 1;
    if (is_shared && work->post->rank > 0) {
        if (scan->kind->survey) CAROM_TRY(scan->kind->survey(scan, work, error));
        return carom_remote_work(scan, work->post, error);
    }
    carom_status status =
        work->store ? carom_store_open(work->store, scan, work, &store, error) : CAROM_OK;
    if (status != CAROM_OK) {
        if (is_shared) (void)carom_remote_lead(scan, work, NULL, true, NULL);
        return status;
    }
    scan->n_done = scan->n_failed = 0;
    for (long i = 0; i < scan->chains.n_unit; i++)
        if (scan->unit[i].is_done) carom_scan_count_unit(scan, &scan->unit[i]);
    status = is_shared ? carom_remote_lead(scan, work, store, false, error)
                       : work_alone(scan, work, store, error);
    if (store) {
        const carom_status closed = carom_store_close(store, status == CAROM_OK ? error : NULL);
        if (status == CAROM_OK) status = closed;
    }
    return status == CAROM_OK ? carom_scan_conclude(scan, error) : status;
}

carom_scan_count carom_scan_counted(const carom_scan *scan)
{
    if (!scan) return (carom_scan_count){0};
    return (carom_scan_count){scan->chains.n_unit, scan->n_done, scan->n_failed};
}
