// SPDX-License-Identifier: Apache-2.0
// Each loop is a job with a number. Its shares stand in sections, one for each member, who begins
// with its own and then helps the next ones:
//
//     ticket of a section = (number of the job, shares that nobody has taken yet)
//
// A share is taken by counting the ticket down, which fails where another was faster or the job is
// an old one. A member that the machine has put aside has taken nothing and is not waited for.
// Sections make a member meet the same bodies in the next loop. Who finds no job looks again for a
// short while, because the next loop is near as a rule, and then sleeps until it is woken.
#include "base/team.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

enum { LINE = 64, SHARES_FOR_EACH = 4, LOOKS = 500 };

typedef struct section {
    _Alignas(LINE) _Atomic unsigned long long ticket;
    int first, n; // shares; written before the ticket is
} section;

typedef struct member {
    carom_team *team;
    int number;
    pthread_t thread;
} member;

struct carom_team {
    int n;                 ///< threads
    carom_team_work *work; // of the job
    void *self;
    int n_thing, n_share;
    _Alignas(LINE) _Atomic unsigned job;
    _Alignas(LINE) atomic_int n_done;
    _Alignas(LINE) atomic_int n_asleep;
    atomic_bool is_over;
    pthread_mutex_t lock;
    pthread_cond_t wakes, is_done; // others, the caller
    atomic_bool is_awaited;        // the caller sleeps
    section section[CAROM_MOST_MEMBERS];
    member member[CAROM_MOST_MEMBERS];
};

static void pause_briefly(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

// the next share of a section of this job; -1 = none left
static int take_share(section *s, unsigned job)
{
    unsigned long long ticket = atomic_load_explicit(&s->ticket, memory_order_acquire);
    while (ticket >> 32 == job && (unsigned)ticket > 0)
        if (atomic_compare_exchange_weak_explicit(&s->ticket, &ticket, ticket - 1,
                                                  memory_order_acquire, memory_order_acquire))
            return s->first + s->n - (int)(unsigned)ticket;
    return -1;
}

static void tell_caller(carom_team *team)
{
    if (!atomic_load(&team->is_awaited)) return;
    pthread_mutex_lock(&team->lock);
    pthread_cond_signal(&team->is_done);
    pthread_mutex_unlock(&team->lock);
}

static void do_shares(carom_team *team, int number, unsigned job)
{
    for (int k = 0; k < team->n; k++) {
        section *s = &team->section[(number + k) % team->n];
        for (int share; (share = take_share(s, job)) >= 0;) {
            const long long n = team->n_thing, m = team->n_share;
            team->work(team->self, number, (int)(n * share / m), (int)(n * (share + 1) / m));
            if (atomic_fetch_add(&team->n_done, 1) + 1 == (int)m) tell_caller(team);
        }
    }
}

// waits for a job other than the last one; false when the team is over
static bool await_job(carom_team *team, unsigned *job)
{
    for (int i = 0; i < LOOKS; i++) {
        const unsigned now = atomic_load_explicit(&team->job, memory_order_acquire);
        if (now != *job) {
            *job = now;
            return !atomic_load(&team->is_over);
        }
        pause_briefly();
    }
    pthread_mutex_lock(&team->lock);
    atomic_fetch_add(&team->n_asleep, 1);
    while (atomic_load(&team->job) == *job) pthread_cond_wait(&team->wakes, &team->lock);
    atomic_fetch_sub(&team->n_asleep, 1);
    *job = atomic_load(&team->job);
    pthread_mutex_unlock(&team->lock);
    return !atomic_load(&team->is_over);
}

static void *serve(void *self)
{
    const member *m = self;
    unsigned job = 0;
    while (await_job(m->team, &job)) do_shares(m->team, m->number, job);
    return NULL;
}

static void announce(carom_team *team, unsigned job)
{
    atomic_store(&team->job, job);
    if (atomic_load(&team->n_asleep) == 0) return;
    pthread_mutex_lock(&team->lock);
    pthread_cond_broadcast(&team->wakes);
    pthread_mutex_unlock(&team->lock);
}

carom_team *carom_team_new(int n)
{
    carom_team *team = n > 1 ? aligned_alloc(LINE, (sizeof *team + LINE - 1) / LINE * LINE) : NULL;
    if (!team) return NULL;
    *team = (carom_team){.n = 1};
    if (n > CAROM_MOST_MEMBERS) n = CAROM_MOST_MEMBERS;
    pthread_mutex_init(&team->lock, NULL);
    pthread_cond_init(&team->wakes, NULL);
    pthread_cond_init(&team->is_done, NULL);
    for (int i = 1; i < n; i++) {
        member *m = &team->member[i];
        *m = (member){.team = team, .number = i};
        if (pthread_create(&m->thread, NULL, serve, m) != 0) break;
        team->n++; // seen by others with the first job
    }
    if (team->n > 1) return team;
    carom_team_free(team);
    return NULL;
}

void carom_team_free(carom_team *team)
{
    if (!team) return;
    atomic_store(&team->is_over, true);
    announce(team, atomic_load(&team->job) + 1);
    for (int i = 1; i < team->n; i++) pthread_join(team->member[i].thread, NULL);
    pthread_cond_destroy(&team->wakes);
    pthread_cond_destroy(&team->is_done);
    pthread_mutex_destroy(&team->lock);
    free(team);
}

int carom_team_size(const carom_team *team)
{
    return team ? team->n : 1;
}

// waits for what others have taken
static void await_shares(carom_team *team, int n_share)
{
    for (int i = 0; i < LOOKS; i++) {
        if (atomic_load_explicit(&team->n_done, memory_order_acquire) == n_share) return;
        pause_briefly();
    }
    pthread_mutex_lock(&team->lock);
    atomic_store(&team->is_awaited, true);
    while (atomic_load(&team->n_done) < n_share) pthread_cond_wait(&team->is_done, &team->lock);
    atomic_store(&team->is_awaited, false);
    pthread_mutex_unlock(&team->lock);
}

// cuts the loop, tells the others, works and waits for the shares that they have taken
static void share_loop(carom_team *team, int n, int n_share, carom_team_work *work, void *self)
{
    const unsigned job = atomic_load_explicit(&team->job, memory_order_relaxed) + 1;
    team->work = work;
    team->self = self;
    team->n_thing = n;
    team->n_share = n_share;
    atomic_store_explicit(&team->n_done, 0, memory_order_relaxed);
    for (int i = 0; i < team->n; i++) {
        section *s = &team->section[i];
        s->first = (int)((long long)n_share * i / team->n);
        s->n = (int)((long long)n_share * (i + 1) / team->n) - s->first;
        atomic_store_explicit(&s->ticket, (unsigned long long)job << 32 | (unsigned)s->n,
                              memory_order_release);
    }
    announce(team, job);
    do_shares(team, 0, job);
    await_shares(team, n_share);
}

void carom_team_run(carom_team *team, int n, int least, carom_team_work *work, void *self)
{
    int n_share = least > 1 ? n / least : n;
    if (team && n_share > SHARES_FOR_EACH * team->n) n_share = SHARES_FOR_EACH * team->n;
    if (!team || n_share < 2) {
        if (n > 0) work(self, 0, 0, n);
        return;
    }
    share_loop(team, n, n_share, work, self);
}
