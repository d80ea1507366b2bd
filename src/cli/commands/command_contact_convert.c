// SPDX-License-Identifier: Apache-2.0
// carom contact convert: writes a contact problem file in another form.
#include "commands/command_contact.h"
#include "paths.h"
#include "terminal/message.h"

static bool read_form(const carom_arguments *arguments, carom_file_form *form)
{
    const char *kind = carom_arguments_value(arguments, "to");
    const char *storage = carom_arguments_value(arguments, "storage");
    *form = (carom_file_form){0};
    if (kind && !carom_file_kind_find(kind, &form->kind)) {
        carom_message_error("carom contact: --to is local, global, lcp, mlcp or mixed, not '%s'",
                            kind);
        return false;
    }
    if (storage && !carom_file_storage_find(storage, &form->storage)) {
        carom_message_error(
            "carom contact: --storage is dense, blocks, csc, csr or triplet, not '%s'", storage);
        return false;
    }
    return true;
}

int carom_contact_convert(const carom_arguments *arguments, int n, const char *const *path)
{
    carom_contact_reading how;
    carom_file_form form;
    carom_error error = {0};
    if (n != 2) {
        carom_message_error("carom contact convert: give two files, IN and OUT");
        return CAROM_EXIT_USAGE;
    }
    if (!carom_contact_reading_of(arguments, &how) || !read_form(arguments, &form))
        return CAROM_EXIT_USAGE;
    if (carom_paths_are_same(path[0], path[1])) {
        carom_message_error("carom contact convert: IN and OUT are one file, '%s'", path[0]);
        return CAROM_EXIT_USAGE;
    }
    if (!carom_paths_is_writable(path[1])) return CAROM_EXIT_USAGE;
    carom_contact_file *file = carom_contact_open(path[0], &how);
    if (!file) return CAROM_EXIT_USAGE;
    const carom_status status = carom_contact_file_write(file, form, path[1], &error);
    carom_contact_file_free(file);
    if (status == CAROM_OK) return CAROM_EXIT_DONE;
    carom_message_error("%s", error.message);
    return status == CAROM_IO ? CAROM_EXIT_AUDIT : CAROM_EXIT_USAGE; // a disk that is full
}
