// SPDX-License-Identifier: Apache-2.0
// carom new: a file to begin with. Templates are files of the folder templates, which is installed;
// each runs as it is, and its comments say what to change.
#include "arguments.h"
#include "guess.h"
#include "paths.h"
#include "terminal/message.h"
#include "terminal/plain.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_ROOM = 512 };

// the name of a template is that of its file without the ending
static size_t name_length(const char *file)
{
    return strcspn(file, ".");
}

static int is_template(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && strchr(entry->d_name, '.') != NULL;
}

static int find_templates(char folder[CAROM_PATH_ROOM], struct dirent ***found)
{
    *found = NULL;
    const int n =
        carom_paths_templates(folder) ? scandir(folder, found, is_template, alphasort) : -1;
    if (n < 0) carom_message_error("carom new: there is no folder of templates beside the command");
    return n;
}

static void free_templates(struct dirent **found, int n)
{
    for (int i = 0; i < n; i++) free(found[i]);
    free(found);
}

static FILE *open_template(const char *folder, const char *file)
{
    char path[CAROM_PATH_ROOM + 256];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    return fopen(path, "r");
}

// the first line of a template says what it is: "# about" or "// about"
static void print_template(const char *folder, const char *file)
{
    char line[LINE_ROOM] = "";
    FILE *from = open_template(folder, file);
    if (from && !fgets(line, sizeof line, from)) line[0] = 0;
    if (from) fclose(from);
    line[strcspn(line, "\n")] = 0;
    printf("%-10.*s %s\n", (int)name_length(file), file, CAROM_PLAIN(line + strspn(line, "#/ ")));
}

static const char *choose(struct dirent **found, int n, const char *name)
{
    carom_guess guess = carom_guess_start(name, strlen(name));
    for (int i = 0; i < n; i++) {
        char known[CAROM_GUESS_ROOM];
        const size_t length = name_length(found[i]->d_name);
        if (strlen(name) == length && memcmp(found[i]->d_name, name, length) == 0)
            return found[i]->d_name;
        if (length >= sizeof known) continue;
        memcpy(known, found[i]->d_name, length);
        known[length] = 0;
        carom_guess_show(&guess, known);
        if (guess.best == known) guess.best = found[i]->d_name;
        if (guess.longer == known) guess.longer = found[i]->d_name;
    }
    const char *meant = carom_guess_name(&guess);
    carom_message_error("carom new: there is no template '%s'%s%.*s%s; 'carom new' lists them",
                        name, meant ? " (did you mean '" : "", meant ? (int)name_length(meant) : 0,
                        meant ? meant : "", meant ? "'?)" : "");
    return NULL;
}

static bool copy_text(FILE *from, FILE *to)
{
    char block[4096];
    size_t n;
    while ((n = fread(block, 1, sizeof block, from)) > 0)
        if (fwrite(block, 1, n, to) != n) return false;
    return !ferror(from);
}

static int write_new(const char *folder, const char *file, const char *path)
{
    FILE *from = open_template(folder, file), *to = NULL;
    errno = 0;
    if (from) to = carom_paths_create(path);
    if (!from || !to) {
        carom_message_error(errno == EEXIST
                                ? "%s: is there already; name another file: carom new %.*s FILE"
                                : "%s: cannot be written",
                            from ? path : file, (int)name_length(file), file);
        if (from) fclose(from);
        return CAROM_EXIT_USAGE;
    }
    bool is_good = copy_text(from, to);
    is_good = fclose(to) == 0 && is_good;
    fclose(from);
    if (!is_good) {
        carom_message_error("%s: cannot be written: %s", path, strerror(errno));
        return CAROM_EXIT_AUDIT;
    }
    printf("%s\n", CAROM_PLAIN(path));
    return CAROM_EXIT_DONE;
}

static int new (const carom_arguments *arguments)
{
    char folder[CAROM_PATH_ROOM];
    struct dirent **found;
    if (arguments->n_word > 2) {
        carom_message_error("carom new: one template and one file, but '%s' is given too",
                            arguments->word[2]);
        return CAROM_EXIT_USAGE;
    }
    const int n = find_templates(folder, &found);
    int code = n < 0 ? CAROM_EXIT_USAGE : CAROM_EXIT_DONE;
    if (n >= 0 && arguments->n_word == 0)
        for (int i = 0; i < n; i++) print_template(folder, found[i]->d_name);
    else if (n >= 0) {
        const char *file = choose(found, n, arguments->word[0]);
        const char *path = arguments->n_word == 2 ? arguments->word[1] : file;
        code = file ? write_new(folder, file, path) : CAROM_EXIT_USAGE;
    }
    free_templates(found, n);
    return code;
}

static const carom_argument rows[] = {{0}};

const carom_command carom_command_new = {
    .name = "new",
    .usage = "[TEMPLATE [FILE]]",
    .brief = "write a file to begin with: a model, a C or a Python program",
    .about =
        "Writes a copy of a template, which runs as it is, to FILE (a file of the template's name "
        "here).\n"
        "Without a template lists them. A file that is there already stays as it is.",
    .argument = rows,
    .run = new,
};
