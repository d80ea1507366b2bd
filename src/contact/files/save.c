// SPDX-License-Identifier: Apache-2.0
// Writes the contact problems of a simulation for later study: every n-th, or those that a solver
// struggled with. Files go into one folder only, which has one writer at a time (FOLDER.lock);
// nothing is taken or done where no saver is set.
#define _XOPEN_SOURCE 700 // realpath
#include "contact/files/save.h"

#include "base/files/beside.h"
#include "base/files/filelock.h"
#include "base/need.h"
#include "contact/solver.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STRUGGLE = 50, PATH_ROOM = 1200 };

struct carom_contact_saver {
    carom_save_choice choice;
    carom_filelock lock;
    double *guess;
    int room;
    long n_seen, n_written;
};

static bool read_count(const char *text, int *count)
{
    char *end;
    errno = 0;
    const long n = strtol(text, &end, 10);
    if (errno || end == text || *end || n < 1 || n > 1000000000) return false;
    *count = (int)n;
    return true;
}

carom_status carom_save_choice_read(const char *text, carom_save_choice *choice, carom_error *error)
{
    CAROM_NEED(error, text);
    CAROM_NEED(error, choice);
    const char *colon = strrchr(text, ':'), *how = colon ? colon + 1 : NULL;
    bool is_good = true;
    *choice = (carom_save_choice){.every = 1};
    if (how && strncmp(how, "every=", 6) == 0)
        is_good = read_count(how + 6, &choice->every);
    else if (how && strncmp(how, "struggled=", 10) == 0)
        is_good = read_count(how + 10, &choice->iterations);
    else if (how && strcmp(how, "struggled") == 0)
        choice->iterations = STRUGGLE;
    else if (how && !strchr(how, '/'))
        is_good = false; // a slip of the pen must not become the folder's name
    else
        colon = NULL;
    const size_t n = colon ? (size_t)(colon - text) : strlen(text);
    if (!is_good || n == 0 || n >= sizeof choice->folder)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "'%.200s' must be FOLDER, FOLDER:every=N, FOLDER:struggled or "
                          "FOLDER:struggled=ITERATIONS, with whole numbers from 1 (a folder with a "
                          "colon in its name ends with /)",
                          text);
    memcpy(choice->folder, text, n);
    choice->folder[n] = 0;
    return CAROM_OK;
}

static carom_status check_folder(const char *folder, carom_error *error)
{
    struct stat facts;
    errno = 0;
    const bool is_there = mkdir(folder, 0777) == 0 || errno == EEXIST;
    if (is_there && stat(folder, &facts) == 0 && !S_ISDIR(facts.st_mode))
        errno = ENOTDIR;
    else if (is_there && access(folder, W_OK | X_OK) == 0)
        return CAROM_OK;
    return carom_fail(error, CAROM_IO, "%s: contact problems cannot be saved there: %s", folder,
                      strerror(errno));
}

// "contact-00001000.dat.31232.part": what a run that was killed was writing
static bool is_left_behind(const char *name)
{
    long number;
    int end = 0;
    const bool is_ours = sscanf(name, "contact-%ld.dat%n", &number, &end) == 1 && end > 0;
    return is_ours && carom_beside_target(name, "part") == (size_t)end;
}

// nobody else writes there now
static void remove_what_is_left(const char *folder)
{
    DIR *open_folder = opendir(folder);
    for (const struct dirent *entry; open_folder && (entry = readdir(open_folder));) {
        struct stat facts;
        const int in = dirfd(open_folder);
        const bool is_plain = is_left_behind(entry->d_name) &&
                              fstatat(in, entry->d_name, &facts, AT_SYMLINK_NOFOLLOW) == 0 &&
                              S_ISREG(facts.st_mode);
        if (is_plain) (void)unlinkat(in, entry->d_name, 0);
    }
    if (open_folder) closedir(open_folder);
}

carom_status carom_contact_saver_new(const carom_save_choice *choice, carom_contact_saver **saver,
                                     carom_error *error)
{
    CAROM_NEED(error, saver);
    *saver = NULL;
    CAROM_NEED(error, choice);
    CAROM_NEED_THAT(error, memchr(choice->folder, 0, sizeof choice->folder),
                    "choice->folder has no end");
    CAROM_TRY(check_folder(choice->folder, error));
    *saver = calloc(1, sizeof **saver);
    if (!*saver) return carom_fail(error, CAROM_NO_MEMORY, "no memory to save contact problems");
    (*saver)->choice = *choice;
    if (choice->every < 1) (*saver)->choice.every = 1;
    char *folder = realpath(choice->folder, NULL); // whatever link it is called by
    const carom_status status =
        carom_filelock_take(&(*saver)->lock, folder ? folder : choice->folder, error);
    free(folder);
    if (status == CAROM_OK) {
        remove_what_is_left(choice->folder);
        return CAROM_OK;
    }
    carom_contact_saver_free(*saver);
    *saver = NULL;
    return status;
}

void carom_contact_saver_free(carom_contact_saver *saver)
{
    if (!saver) return;
    carom_filelock_release(&saver->lock);
    free(saver->guess);
    free(saver);
}

void carom_saver_continue(carom_contact_saver *saver, long seen, long written)
{
    saver->n_seen = seen;
    saver->n_written = written;
}

long carom_contact_saver_seen(const carom_contact_saver *saver)
{
    return saver ? saver->n_seen : 0;
}

long carom_contact_saver_written(const carom_contact_saver *saver)
{
    return saver ? saver->n_written : 0;
}

static carom_status keep_guess(void *self, int n, const double *P, carom_error *error)
{
    carom_contact_saver *saver = self;
    if (n > saver->room) {
        double *larger = realloc(saver->guess, sizeof *larger * (size_t)n);
        if (!larger) return carom_fail(error, CAROM_NO_MEMORY, "no memory to save %d rows", n);
        saver->guess = larger;
        saver->room = n;
    }
    memcpy(saver->guess, P, sizeof *P * (size_t)n);
    return CAROM_OK;
}

static carom_status save_problem(void *self, const carom_problem *problem,
                                 const carom_contact_info *info, carom_error *error)
{
    carom_contact_saver *saver = self;
    const carom_save_choice *choice = &saver->choice;
    char path[PATH_ROOM];
    saver->n_seen++;
    const bool struggled = !info->is_converged || info->iterations > choice->iterations;
    if (choice->iterations > 0 ? !struggled : saver->n_seen % choice->every != 0) return CAROM_OK;
    snprintf(path, sizeof path, "%s/contact-%08ld.dat", choice->folder, saver->n_seen);
    const carom_file_form form = {.kind = CAROM_FILE_MIXED};
    CAROM_TRY(carom_contact_problem_write(problem, saver->guess, form, path, error));
    saver->n_written++;
    return CAROM_OK;
}

void carom_contact_solver_save(carom_contact_solver *solver, carom_contact_saver *saver)
{
    const carom_contact_witness saves = {saver, keep_guess, save_problem};
    if (solver) carom_contact_solver_show(solver, saver ? saves : (carom_contact_witness){0});
}
