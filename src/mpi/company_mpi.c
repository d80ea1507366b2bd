// SPDX-License-Identifier: Apache-2.0
// carom-mpi: the command carom whose studies are shared by the processes of an MPI job. Rank 0
// hands out the work, writes and speaks; it sleeps between two looks for messages, so that it costs
// the others no core. The command carom itself knows nothing of MPI.
#include "studies/scan_job.h"

#include <mpi.h>
#include <stdlib.h>
#include <time.h>

enum { TAG = 1, MOST_BYTES = 1 << 30 };
static const double first_nap = 2e-4, longest_nap = 5e-3; // [s] between two looks

/// The last message.
typedef struct mailbox {
    void *bytes;
    int room;
} mailbox;

static bool send(void *self, int to, const void *bytes, size_t n)
{
    (void)self;
    return n <= MOST_BYTES &&
           MPI_Send(bytes, (int)n, MPI_BYTE, to, TAG, MPI_COMM_WORLD) == MPI_SUCCESS;
}

static int receive(void *self, double seconds, int *from, const void **bytes, size_t *n)
{
    mailbox *box = self;
    MPI_Status status;
    int is_there = 0, count = 0;
    double nap = first_nap;
    for (double waited = 0; !is_there && waited <= seconds; waited += nap) {
        if (MPI_Iprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &is_there, &status) != MPI_SUCCESS)
            return -1;
        if (is_there) break;
        nap = 2 * nap < longest_nap ? 2 * nap : longest_nap;
        const struct timespec pause = {0, (long)(nap * 1e9)};
        nanosleep(&pause, NULL);
    }
    if (!is_there) return 0;
    MPI_Get_count(&status, MPI_BYTE, &count);
    if (count > box->room) {
        void *grown = realloc(box->bytes, (size_t)count);
        if (!grown) return -1;
        box->bytes = grown;
        box->room = count;
    }
    if (MPI_Recv(box->bytes, count, MPI_BYTE, status.MPI_SOURCE, TAG, MPI_COMM_WORLD, &status) !=
        MPI_SUCCESS)
        return -1;
    *from = status.MPI_SOURCE;
    *bytes = box->bytes;
    *n = (size_t)count;
    return 1;
}

static bool agree(bool is_well)
{
    int mine = is_well, all = 0;
    return MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD) == MPI_SUCCESS && all;
}

static void finish(void)
{
    MPI_Finalize();
}

carom_company carom_company_find(void)
{
    static mailbox box;
    static carom_scan_post post = {.self = &box, .send = send, .receive = receive};
    int is_begun = 0;
    MPI_Initialized(&is_begun);
    if (!is_begun) {
        if (MPI_Init(NULL, NULL) != MPI_SUCCESS) return (carom_company){0};
        atexit(finish);
        MPI_Comm_rank(MPI_COMM_WORLD, &post.rank);
        MPI_Comm_size(MPI_COMM_WORLD, &post.n_rank);
        if (post.rank > 0 &&
            (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)))
            return (carom_company){0};
    }
    return (carom_company){&post, post.rank > 0, agree};
}
