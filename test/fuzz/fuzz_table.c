// SPDX-License-Identifier: Apache-2.0
// Any bytes as a table of a model: read, made a spline and evaluated, without a crash or a hang.
// For libFuzzer.
#include "fuzz/fuzz_folder.h"

#include "carom/carom.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const form[] = {"cubic", "linear"};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_write(fuzz_path("table.csv"), data, size);
    for (int i = 0; i < 2; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "carom: 1\ncoordinates: {x: {start: 0.5}}\ntables: {road: {file: table.csv, "
                 "kind: %s}}\n"
                 "kinetic: der(x)^2/2\npotential: road(x)\nrun: {step: 0.01, end: 0.1}\n",
                 form[i]);
        carom_modelfile *file = NULL;
        carom_model *model = NULL;
        carom_error error = {0};
        carom_status status =
            carom_modelfile_read_text(text, strlen(text), fuzz_path("model.yaml"), &file, &error);
        if (status == CAROM_OK)
            status = carom_builder_finish(carom_modelfile_builder(file), &model, &error);
        if (status != CAROM_OK && (error.status != status || !error.message[0] || model)) abort();
        carom_model_free(model);
        carom_modelfile_free(file);
    }
    return 0;
}
