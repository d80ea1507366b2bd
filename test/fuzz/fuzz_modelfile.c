// SPDX-License-Identifier: Apache-2.0
// Any bytes as a model file: read, finished, and its run section evaluated, without a crash or a
// hang. For libFuzzer.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "carom/carom.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    carom_modelfile *file = NULL;
    carom_model *model = NULL;
    carom_error error = {0};
    // no folder by this name, so that tables find no files
    const char *name = "/nonexistent/fuzz.yaml";
    carom_status status = carom_modelfile_read_text((const char *)data, size, name, &file, &error);
    // an error is always said, in one line
    if (status != CAROM_OK && (error.status != status || !error.message[0])) abort();
    if (status == CAROM_OK) {
        const carom_run_texts *run = carom_modelfile_run(file);
        const carom_builder *builder = carom_modelfile_builder(file);
        double value;
        if (run->step.text) carom_builder_number(builder, run->step, &value, NULL);
        if (run->end.text) carom_builder_number(builder, run->end, &value, NULL);
        status = carom_builder_finish(builder, &model, &error);
        if (status != CAROM_OK && (error.status != status || !error.message[0])) abort();
    }
    carom_model_free(model);
    carom_modelfile_free(file);
    return 0;
}
