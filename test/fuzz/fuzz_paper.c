// SPDX-License-Identifier: Apache-2.0
// Any bytes as a file of claims: read without a crash or a hang. For libFuzzer.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "carom/carom.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    carom_paper *paper = NULL;
    carom_error error = {0};
    const char *name = "/nonexistent/fuzz.yaml";
    const carom_status status =
        carom_paper_read_text((const char *)data, size, name, &paper, &error);
    // an error is always said, in one line
    if (status != CAROM_OK && (error.status != status || !error.message[0] || paper)) abort();
    if (status == CAROM_OK) (void)carom_reproduce_count(&paper, 1, true);
    carom_paper_free(paper);
    return 0;
}
