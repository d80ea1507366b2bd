// SPDX-License-Identifier: Apache-2.0
// Runs a command and prints, on standard error, its wall time [ms], processor time [ms] and largest
// resident memory [kB]. Use: watch COMMAND [ARGUMENT...]
#include <stdio.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double milliseconds(struct timeval t)
{
    return 1e3 * (double)t.tv_sec + 1e-3 * (double)t.tv_usec;
}

int main(int n, char **argument)
{
    struct timespec start, end;
    struct rusage used;
    int status = 0;
    if (n < 2) return 2;
    clock_gettime(CLOCK_MONOTONIC, &start);
    const pid_t child = fork();
    if (child == 0) {
        execvp(argument[1], argument + 1);
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) < 0) return 2;
    clock_gettime(CLOCK_MONOTONIC, &end);
    getrusage(RUSAGE_CHILDREN, &used);
    fprintf(stderr, "watch %.3f %.3f %ld\n",
            1e3 * (double)(end.tv_sec - start.tv_sec) +
                1e-6 * (double)(end.tv_nsec - start.tv_nsec),
            milliseconds(used.ru_utime) + milliseconds(used.ru_stime), used.ru_maxrss);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
