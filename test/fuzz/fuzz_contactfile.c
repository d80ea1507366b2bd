// SPDX-License-Identifier: Apache-2.0
// Any bytes as a contact problem file: read as every kind, without a crash or a
// hang. For libFuzzer.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "carom/contact_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (int kind = CAROM_FILE_ANY; kind < CAROM_N_FILE_KIND; kind++) {
        carom_contact_file *file = NULL;
        carom_error error = {0};
        const carom_status status = carom_contact_file_parse("fuzz.dat", (const char *)data, size,
                                                             (carom_file_kind)kind, &file, &error);
        // an error is always said, and leaves nothing
        if (status == CAROM_OK ? !file : file || error.status != status || !error.message[0])
            abort();
        carom_contact_file_free(file);
    }
    return 0;
}
