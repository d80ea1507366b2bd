// SPDX-License-Identifier: Apache-2.0
// carom contact: contact problems as files: what is in them, solving them, and writing them in
// another form.
#include "commands/command_contact.h"

#include "guess.h"
#include "terminal/message.h"

#include <string.h>

bool carom_contact_reading_of(const carom_arguments *arguments, carom_contact_reading *how)
{
    const char *name = carom_arguments_value(arguments, "kind");
    *how = (carom_contact_reading){.kind = CAROM_FILE_ANY};
    if (!carom_limits_read(&how->limits, arguments)) return false;
    if (!name || carom_file_kind_find(name, &how->kind)) return true;
    carom_message_error("carom contact: --kind is local, global, lcp, mlcp or mixed, not '%s'",
                        name);
    return false;
}

carom_contact_file *carom_contact_open(const char *path, const carom_contact_reading *how)
{
    carom_contact_file *file = NULL;
    carom_error error = {0};
    if (carom_contact_file_read_with(path, (carom_file_reading){how->kind, &how->limits}, &file,
                                     &error) != CAROM_OK)
        carom_message_error("%s", error.message);
    return file;
}

typedef struct action {
    const char *name;
    int (*run)(const carom_arguments *arguments, int n, const char *const *path);
} action;

static const action actions[] = {
    {"info", carom_contact_info_files},
    {"solve", carom_contact_solve_files},
    {"convert", carom_contact_convert},
};
enum { N_ACTION = sizeof actions / sizeof *actions };

static int run(const carom_arguments *arguments)
{
    if (arguments->n_word == 0) {
        carom_message_error("carom contact: say what to do: info, solve or convert; see 'carom "
                            "contact --help'");
        return CAROM_EXIT_USAGE;
    }
    const char *word = arguments->word[0];
    carom_guess guess = carom_guess_start(word, strlen(word));
    for (int i = 0; i < N_ACTION; i++) {
        carom_guess_show(&guess, actions[i].name);
        if (strcmp(word, actions[i].name) == 0)
            return actions[i].run(arguments, arguments->n_word - 1, arguments->word + 1);
    }
    const char *meant = carom_guess_name(&guess);
    carom_message_error("carom contact: unknown action '%s'%s%s%s; it is info, solve or convert",
                        word, meant ? " (did you mean '" : "", meant ? meant : "",
                        meant ? "'?)" : "");
    return CAROM_EXIT_USAGE;
}

static const carom_argument rows[] = {
    {"solver", 0, "S", false, "contact solver ('carom list solvers'), auto if not given"},
    {"option", 0, "NAME=VALUE", true, "option of the solver"},
    {"tol", 0, "X", false, "largest err_rel and err_max of a solved problem, 1e-8 if not given"},
    {"kind", 0, "K", false, "local, global, lcp, mlcp or mixed; found out if not given"},
    {"storage", 0, "S", false, "convert: dense, blocks, csc, csr or triplet"},
    {"to", 0, "K", false, "convert: write this kind"},
    {"json", 0, "FILE|-", false, "write the result as JSON"},
    {"quiet", 'q', NULL, false, "no table"},
    {0},
};

const carom_command carom_command_contact = {
    .name = "contact",
    .usage = "info FILE... [--kind K] [--json FILE|-]\n"
             "solve FILE... [--solver S] [--tol X] [--json FILE|-]\n"
             "convert IN OUT [--to K] [--storage S]",
    .brief = "look at, solve and convert contact problem files",
    .about =
        "Contact problems as files: text (.dat: local and global friction problems, LCP, MLCP; "
        "dense,\n"
        "sparse block and sparse matrices; Carom's own for anything else) and FCLIB's HDF5, which "
        "is\n"
        "known by its content. 'carom run --save-contact' writes them.\n"
        "\n"
        "solve: err_rel is |r - proj(r - u~)| / |q|, err_max the same over max(|q|, |r|, |u|).\n"
        "\n"
        "exit code: 0 done, and every problem solved in both scalings; 1 a problem was not "
        "solved;\n"
        "2 wrong usage or file.",
    .argument = rows,
    .run = run,
};
