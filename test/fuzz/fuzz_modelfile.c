// SPDX-License-Identifier: Apache-2.0
// Any bytes as a model file: read, finished, and its run section evaluated, without a crash or a
// hang. What follows a line "----" is the file part.yaml, which the model may include. For
// libFuzzer.
#include "fuzz/fuzz_folder.h"

#include "carom/carom.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    carom_modelfile *file = NULL;
    carom_model *model = NULL;
    carom_error error = {0};
    size_t second;
    const size_t first = fuzz_cut((const char *)data, size, &second);
    const bool has_part = second > first;
    if (has_part) fuzz_write(fuzz_path("part.yaml"), data + second, size - second);
    // else no folder by this name, so that no files are found
    const char *name = has_part ? fuzz_path("model.yaml") : "/nonexistent/fuzz.yaml";
    const carom_access access = {.parts = has_part ? fuzz_folder_name : NULL};
    carom_status status =
        carom_modelfile_read_text_with((const char *)data, first, name, &access, &file, &error);
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
