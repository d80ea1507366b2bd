// SPDX-License-Identifier: Apache-2.0
// Where files are: models by path or by name, papers, and results that must not overwrite each
// other.
#include "paths.h"

#include "guess.h"
#include "terminal/message.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct models {
    char **name; // without .yaml
    char **path;
    int n;
    bool is_out_of_memory;
} models;

static void free_models(models *m)
{
    for (int i = 0; i < m->n; i++) {
        free(m->name[i]);
        free(m->path[i]);
    }
    free(m->name);
    free(m->path);
}

static void add_model(models *m, const char *folder, const char *file)
{
    char path[CAROM_PATH_ROOM];
    const size_t length = strlen(file) - strlen(".yaml");
    for (int i = 0; i < m->n; i++)
        if (strlen(m->name[i]) == length && memcmp(m->name[i], file, length) == 0) return;
    if (snprintf(path, sizeof path, "%s/%s", folder, file) >= (int)sizeof path) return;
    char **names = realloc(m->name, sizeof *names * (size_t)(m->n + 1));
    if (names) m->name = names;
    char **paths = realloc(m->path, sizeof *paths * (size_t)(m->n + 1));
    if (paths) m->path = paths;
    char *name = strndup(file, length), *copy = strdup(path);
    if (!names || !paths || !name || !copy) {
        free(name);
        free(copy);
        m->is_out_of_memory = true;
        return;
    }
    m->name[m->n] = name;
    m->path[m->n++] = copy;
}

static int is_yaml(const struct dirent *entry)
{
    const size_t n = strlen(entry->d_name);
    return n > 5 && entry->d_name[0] != '.' && strcmp(entry->d_name + n - 5, ".yaml") == 0;
}

static void add_folder(models *m, const char *folder)
{
    struct dirent **entry;
    const int n = scandir(folder, &entry, is_yaml, alphasort);
    for (int i = 0; i < n; i++) {
        add_model(m, folder, entry[i]->d_name);
        free(entry[i]);
    }
    if (n >= 0) free(entry);
}

// $CAROM_MODELS and $CAROM_PAPERS may name several folders, with colons between them
static void add_environment(models *m, const char *variable)
{
    const char *text = getenv(variable);
    while (text && *text) {
        char folder[CAROM_PATH_ROOM];
        const size_t length = strcspn(text, ":");
        if (length > 0 && length < sizeof folder) {
            memcpy(folder, text, length);
            folder[length] = 0;
            add_folder(m, folder);
        }
        text += length + (text[length] == ':');
    }
}

// models or papers: the folder of that name here, beside the command, and where it is installed
static models find_kind(const char *variable, const char *kind)
{
    models m = {0};
    char command[CAROM_PATH_ROOM - 64], folder[CAROM_PATH_ROOM];
    add_environment(&m, variable);
    add_folder(&m, kind);
    const ssize_t length = readlink("/proc/self/exe", command, sizeof command - 1);
    if (length <= 0) return m;
    command[length] = 0;
    char *slash = strrchr(command, '/');
    if (slash) *slash = 0;
    snprintf(folder, sizeof folder, "%s/../%s", command, kind);
    add_folder(&m, folder);
    snprintf(folder, sizeof folder, "%s/../share/carom/%s", command, kind);
    add_folder(&m, folder);
    return m;
}

static bool is_folder(const char *path)
{
    struct stat facts;
    return stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}

// a folder of that name that is installed, or stands beside the command; the variable goes before
static bool find_folder(const char *variable, const char *kind, char folder[CAROM_PATH_ROOM])
{
    char command[CAROM_PATH_ROOM - 64];
    const char *given = getenv(variable);
    if (given && *given) {
        snprintf(folder, CAROM_PATH_ROOM, "%s", given);
        return is_folder(folder);
    }
    const ssize_t length = readlink("/proc/self/exe", command, sizeof command - 1);
    command[length > 0 ? length : 0] = 0;
    char *slash = strrchr(command, '/');
    if (!slash) return false;
    *slash = 0;
    snprintf(folder, CAROM_PATH_ROOM, "%s/../share/carom/%s", command, kind);
    if (is_folder(folder)) return true;
    snprintf(folder, CAROM_PATH_ROOM, "%s/../%s", command, kind);
    return is_folder(folder);
}

bool carom_paths_parts(char folder[CAROM_PATH_ROOM])
{
    return find_folder("CAROM_PARTS", "parts", folder);
}

bool carom_paths_templates(char folder[CAROM_PATH_ROOM])
{
    return find_folder("CAROM_TEMPLATES", "templates", folder);
}

static models find_models(void)
{
    return find_kind("CAROM_MODELS", "models");
}

bool carom_paths_each_model(void (*visit)(void *self, const char *name, const char *path),
                            void *self)
{
    models m = find_models();
    for (int i = 0; i < m.n; i++) visit(self, m.name[i], m.path[i]);
    free_models(&m);
    return !m.is_out_of_memory;
}

bool carom_paths_each_paper(const char *folder,
                            void (*visit)(void *self, const char *name, const char *path),
                            void *self)
{
    models m = {0};
    if (folder)
        add_folder(&m, folder);
    else
        m = find_kind("CAROM_PAPERS", "papers");
    for (int i = 0; i < m.n; i++) visit(self, m.name[i], m.path[i]);
    free_models(&m);
    return !m.is_out_of_memory;
}

static void complain(const char *text, const models *m)
{
    const char *slash = strrchr(text, '/'), *name = slash ? slash + 1 : text;
    carom_guess guess = carom_guess_start(name, strcspn(name, "."));
    for (int i = 0; i < m->n; i++) carom_guess_show(&guess, m->name[i]);
    const char *meant = carom_guess_name(&guess);
    if (meant)
        carom_message_error("%s: no such file (did you mean the model '%s'?)", text, meant);
    else
        carom_message_error("%s: no such file, and no model of that name; 'carom list models' "
                            "shows all",
                            text);
}

bool carom_paths_find_model(const char *text, char path[CAROM_PATH_ROOM])
{
    struct stat facts;
    if (strlen(text) >= CAROM_PATH_ROOM) {
        carom_message_error("the path of the model has more than %d letters", CAROM_PATH_ROOM - 1);
        return false;
    }
    const bool is_there = stat(text, &facts) == 0;
    if (is_there && !S_ISDIR(facts.st_mode)) {
        memcpy(path, text, strlen(text) + 1);
        return true;
    }
    models m = find_models();
    bool is_found = false;
    for (int i = 0; i < m.n && !is_found; i++) {
        is_found = strcmp(text, m.name[i]) == 0;
        if (is_found) memcpy(path, m.path[i], strlen(m.path[i]) + 1);
    }
    if (!is_found && is_there)
        carom_message_error("%s: is a folder, not a model file", text);
    else if (!is_found)
        complain(text, &m);
    free_models(&m);
    return is_found;
}

// splits a path; the folder of a bare name is "."
static const char *split(const char *path, char folder[CAROM_PATH_ROOM])
{
    const char *slash = strrchr(path, '/');
    const size_t length = slash ? (size_t)(slash - path) : 1;
    snprintf(folder, CAROM_PATH_ROOM, "%.*s", (int)(length ? length : 1),
             slash ? (length ? path : "/") : ".");
    return slash ? slash + 1 : path;
}

bool carom_paths_are_same(const char *a, const char *b)
{
    struct stat one, other;
    char folder[CAROM_PATH_ROOM];
    const bool is_one = stat(a, &one) == 0, is_other = stat(b, &other) == 0;
    if (is_one && is_other)
        return one.st_dev == other.st_dev && one.st_ino == other.st_ino && S_ISREG(one.st_mode);
    if (is_one || is_other) return false;
    const char *name_a = split(a, folder);
    const bool has_one = stat(folder, &one) == 0;
    const char *name_b = split(b, folder);
    if (strcmp(name_a, name_b) != 0) return false;
    if (!has_one || stat(folder, &other) != 0) return strcmp(a, b) == 0;
    return one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

FILE *carom_paths_create(const char *path)
{
    const int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    if (!file && descriptor >= 0) close(descriptor);
    return file;
}

bool carom_paths_is_writable(const char *path)
{
    struct stat facts;
    char folder[CAROM_PATH_ROOM];
    const bool is_there = stat(path, &facts) == 0;
    if (is_there && S_ISDIR(facts.st_mode)) {
        carom_message_error("%s: cannot be written: it is a folder", path);
        return false;
    }
    split(path, folder);
    const bool is_plain = !is_there || S_ISREG(facts.st_mode);
    const bool is_in_file = is_plain && stat(folder, &facts) == 0 && !S_ISDIR(facts.st_mode);
    if (!is_in_file && access(is_plain ? folder : path, W_OK) == 0) return true;
    if (is_in_file) errno = ENOTDIR;
    carom_message_error("%s: cannot be written: %s", path, strerror(errno));
    return false;
}
