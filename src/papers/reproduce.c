// SPDX-License-Identifier: Apache-2.0
// All runs of all papers, several at a time: workers take the next job from a list, the longest
// first, while the calling thread looks after the progress. Runs whose processor time is measured
// come last and alone. Verdicts are given when everything is done, in the order of the papers.
#include "papers/paper.h"

#include "base/need.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct round round_of_jobs;

typedef struct job {
    round_of_jobs *round;
    carom_paper *paper;
    int run, study; // one of them, the other -1
    bool is_alone;
    double weight;    // steps, roughly
    atomic_int share; // done, of 1000
    carom_error error;
} job;

struct round {
    const carom_reproduce_options *options;
    job *job;
    int n, n_parallel; // the first n_parallel may run at a time
    atomic_int next, n_done;
    atomic_bool is_stopped;
};

// ---- the list ----

static void mark_needed(carom_paper *paper, bool is_quick)
{
    for (int i = 0; i < paper->run.n; i++) paper->run.item[i].is_needed = false;
    for (int i = 0; i < paper->study.n; i++) paper->study.item[i].is_needed = false;
    for (int c = 0; c < paper->claim.n; c++) {
        const carom_claim_plan *claim = &paper->claim.item[c];
        if (is_quick && claim->facts.is_slow) continue;
        for (int k = 0; k < claim->measure.n; k++) {
            const carom_paper_measure *m = &claim->measure.item[k];
            if (m->run >= 0) paper->run.item[m->run].is_needed = true;
            if (m->study >= 0) paper->study.item[m->study].is_needed = true;
        }
        for (int f = 0; claim->figure.text && f < paper->figure.n; f++) {
            const carom_paper_figure *figure = &paper->figure.item[f];
            if (strcmp(figure->id.text, claim->figure.text) != 0) continue;
            for (int k = 0; k < figure->curve.n; k++)
                if (figure->curve.item[k].run >= 0)
                    paper->run.item[figure->curve.item[k].run].is_needed = true;
        }
    }
}

// steps of a setup as far as its texts are plain numbers
static double weigh_steps(carom_text step, carom_text end)
{
    const double h = step.text ? strtod(step.text, NULL) : 0;
    const double T = end.text ? strtod(end.text, NULL) : 0;
    return h > 0 && T > 0 ? T / h : 1e4;
}

static int list_jobs(carom_paper *const *paper, int n, job *list)
{
    int n_job = 0;
    for (int p = 0; p < n; p++) {
        for (int i = 0; i < paper[p]->run.n; i++) {
            const carom_paper_run *run = &paper[p]->run.item[i];
            if (!run->is_needed) continue;
            if (list)
                list[n_job] =
                    (job){.paper = paper[p], .run = i, .study = -1, .is_alone = run->is_alone};
            if (list) list[n_job].weight = weigh_steps(run->setup.step, run->setup.end);
            n_job++;
        }
        for (int i = 0; i < paper[p]->study.n; i++) {
            const carom_paper_study *study = &paper[p]->study.item[i];
            if (!study->is_needed) continue;
            if (list) list[n_job] = (job){.paper = paper[p], .run = -1, .study = i};
            if (list) list[n_job].weight = weigh_steps(study->reference_step, study->setup.end);
            n_job++;
        }
    }
    return n_job;
}

// those that run alone last, else the longest first
static int by_length(const void *a, const void *b)
{
    const job *one = a, *other = b;
    if (one->is_alone != other->is_alone) return one->is_alone ? 1 : -1;
    if (one->weight != other->weight) return one->weight < other->weight ? 1 : -1;
    return 0;
}

static bool are_papers(carom_paper *const *paper, int n)
{
    for (int i = 0; i < n; i++)
        if (!paper || !paper[i]) return false;
    return true;
}

int carom_reproduce_count(carom_paper *const *paper, int n, bool is_quick)
{
    if (!are_papers(paper, n)) return 0;
    for (int p = 0; p < n; p++) mark_needed(paper[p], is_quick);
    return list_jobs(paper, n, NULL);
}

// ---- the work ----

static bool tick(void *self, double t, double end, long steps)
{
    job *j = self;
    (void)steps;
    if (end > 0) atomic_store(&j->share, (int)(1000 * fmin(fmax(t / end, 0), 1)));
    return atomic_load(&j->round->is_stopped);
}

static void perform_job(job *j, bool is_last)
{
    const carom_reproduce_options *options = j->round->options;
    const carom_watch watch = {j, tick};
    carom_status status;
    if (j->run >= 0)
        status = carom_paper_perform(j->paper, j->run, options, watch, &j->error);
    else
        status = carom_paper_perform_study(j->paper, j->study, options, watch, &j->error);
    if (status != CAROM_OK) atomic_store(&j->round->is_stopped, true);
    if (!is_last) return;
    atomic_store(&j->share, 1000);
    atomic_fetch_add(&j->round->n_done, 1);
}

static void *work_on_jobs(void *self)
{
    round_of_jobs *r = self;
    while (!atomic_load(&r->is_stopped)) {
        const int next = atomic_fetch_add(&r->next, 1);
        if (next >= r->n_parallel) break;
        perform_job(&r->job[next], true);
    }
    return NULL;
}

static void look_at_progress(round_of_jobs *r)
{
    const carom_watch *watch = &r->options->watch;
    double done = 0, all = 0;
    for (int i = 0; i < r->n; i++) {
        // a short run takes its time too: reading and deriving the model
        const double weight = r->job[i].weight + 1e4;
        done += weight * atomic_load(&r->job[i].share) / 1000;
        all += weight;
    }
    if (watch->tick &&
        watch->tick(watch->self, all > 0 ? done / all : 1, 1, atomic_load(&r->n_done)))
        atomic_store(&r->is_stopped, true);
}

static void wait_for(round_of_jobs *r, int n_done)
{
    const struct timespec pause = {0, 20 * 1000 * 1000};
    look_at_progress(r);
    while (atomic_load(&r->n_done) < n_done && !atomic_load(&r->is_stopped)) {
        nanosleep(&pause, NULL);
        look_at_progress(r);
    }
}

enum { MOST_THREADS = 64, TIMES = 3 /* that a timed run is made */ };

static int start_workers(round_of_jobs *r, pthread_t *thread, int n_thread)
{
    int n = 0;
    while (n < n_thread && n < r->n_parallel &&
           pthread_create(&thread[n], NULL, work_on_jobs, r) == 0)
        n++;
    return n;
}

static void run_all(round_of_jobs *r)
{
    pthread_t thread[MOST_THREADS];
    int wanted = r->options->n_thread;
    if (wanted < 1) wanted = (int)sysconf(_SC_NPROCESSORS_ONLN);
    if (wanted < 1) wanted = 1;
    const int n = start_workers(r, thread, wanted < MOST_THREADS ? wanted : MOST_THREADS);
    if (n == 0) work_on_jobs(r); // no thread could be made
    wait_for(r, r->n_parallel);
    for (int i = 0; i < n; i++) pthread_join(thread[i], NULL);
    // alone: one at a time in the same process, so that its processor time is theirs
    for (int k = 0; k < TIMES; k++)
        for (int i = r->n_parallel; i < r->n && !atomic_load(&r->is_stopped); i++) {
            perform_job(&r->job[i], k == TIMES - 1);
            look_at_progress(r);
        }
}

static carom_status first_error(const round_of_jobs *r, carom_error *error)
{
    for (int i = 0; i < r->n; i++)
        if (r->job[i].error.status != CAROM_OK && r->job[i].error.status != CAROM_STOPPED)
            return carom_fail(error, r->job[i].error.status, "%s", r->job[i].error.message);
    if (atomic_load(&r->is_stopped)) return carom_fail(error, CAROM_STOPPED, "stopped");
    return CAROM_OK;
}

static carom_status judge_all(carom_paper *const *paper, int n, bool is_quick, carom_error *error)
{
    for (int p = 0; p < n; p++)
        for (int c = 0; c < paper[p]->claim.n; c++) {
            carom_claim_plan *claim = &paper[p]->claim.item[c];
            claim->facts.verdict = CAROM_VERDICT_MISSING;
            if (is_quick && claim->facts.is_slow) continue;
            CAROM_TRY(carom_paper_judge(paper[p], claim, error));
        }
    return CAROM_OK;
}

carom_status carom_reproduce(carom_paper *const *paper, int n,
                             const carom_reproduce_options *options, carom_error *error)
{
    CAROM_NEED(error, options);
    CAROM_NEED_ARRAY(error, paper, n);
    CAROM_NEED_THAT(error, are_papers(paper, n), "paper[] has a NULL");
    round_of_jobs r = {.options = options};
    r.n = carom_reproduce_count(paper, n, options->is_quick);
    r.job = calloc((size_t)r.n + 1, sizeof *r.job);
    if (!r.job) return carom_fail(error, CAROM_NO_MEMORY, "memory ran out");
    list_jobs(paper, n, r.job);
    qsort(r.job, (size_t)r.n, sizeof *r.job, by_length);
    for (int i = 0; i < r.n; i++) {
        r.job[i].round = &r;
        r.n_parallel += !r.job[i].is_alone;
    }
    run_all(&r);
    carom_status status = first_error(&r, error);
    if (status == CAROM_OK) status = judge_all(paper, n, options->is_quick, error);
    free(r.job);
    return status;
}
