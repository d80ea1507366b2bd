// SPDX-License-Identifier: Apache-2.0
// Any changes of a checkpoint, under the right checksum: it is refused, or the run goes on,
// without a crash or a hang. An input chooses the run, then lists changes: place (2 bytes)
// and 8 bytes. For libFuzzer.
#include "fuzz/fuzz_folder.h"
#include "sim/checkpoint_rig.h"
#include "sim/sim.h"

#include "carom/carom.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { N_RUN = 5, N_STEP = 3 };
static const char *const text[2] = {
    "carom: 1\ncoordinates: {x: {start: 0, rate: 2}, y: {start: 0.1}}\nkinetic: (der(x)^2 + "
    "der(y)^2)/2\n"
    "potential: 9.81*y\ncontacts: [{name: floor, gap: y, slip: x, restitution: 0.3, friction: "
    "0.4}]\n",
    "carom: 1\ncoordinates: {x: {start: 1}, y: {start: 0}}\nkinetic: (der(x)^2 + der(y)^2)/2\n"
    "potential: 9.81*y\nconstraints: [{name: rod, equation: x^2 + y^2 - 1}]\n"};

typedef struct run {
    carom_sim *sim;
    unsigned char *good;
    size_t n, first;
} run;

static carom_sim *make_sim(int which)
{
    static const char *const scheme[N_RUN] = {"moreau_midpoint", "moreau_jean", "event_driven",
                                              "rkf45", "gen_alpha"};
    carom_modelfile *file = NULL;
    carom_model *model = NULL;
    carom_sim *sim = NULL;
    carom_sim_options options = carom_sim_default();
    const char *source = text[which >= 3];
    options.scheme = scheme[which];
    options.end = 0.5;
    options.is_auto_step = which == 1;
    options.output_step = which == 2 ? 0.05 : 0;
    options.step = which == 0 ? 1e-2 : 0;
    options.tolerance = which >= 2 ? 1e-6 : 0;
    if (carom_modelfile_read_text(source, strlen(source), "m.yaml", &file, NULL) != CAROM_OK ||
        carom_builder_finish(carom_modelfile_builder(file), &model, NULL) != CAROM_OK ||
        carom_sim_new(model, &options, &sim, NULL) != CAROM_OK)
        abort();
    carom_model_free(model);
    carom_modelfile_free(file);
    return sim;
}

static run *make_run(int which)
{
    static run runs[N_RUN];
    run *r = &runs[which];
    if (r->sim) return r;
    r->sim = make_sim(which);
    const char *path = fuzz_path("good");
    for (int k = 0; k < 12; k++)
        if (carom_sim_step(r->sim, NULL) != CAROM_OK) abort();
    if (carom_sim_checkpoint(r->sim, path, NULL) != CAROM_OK) abort();
    r->good = checkpoint_read(path, &r->n);
    r->first = checkpoint_numbers(r->good, r->sim->identity.n);
    return r;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static unsigned char bad[1 << 16];
    if (size < 1) return 0;
    run *r = make_run(data[0] % N_RUN);
    memcpy(bad, r->good, r->n);
    for (size_t at = 1; at + 10 <= size; at += 10) {
        const size_t room = r->n - 16 - r->first;
        const size_t place = r->first + (data[at] + 256u * data[at + 1]) % (room + 1);
        memcpy(bad + place, data + at + 2, 8);
    }
    checkpoint_seal(bad, r->n);
    const char *path = fuzz_path("bad");
    fuzz_write(path, bad, r->n);
    carom_error error = {0};
    const carom_status status = carom_sim_restart(r->sim, path, &error);
    if (status != CAROM_OK && (error.status != status || !error.message[0])) abort();
    for (int k = 0; status == CAROM_OK && k < N_STEP && !carom_sim_is_done(r->sim); k++)
        if (carom_sim_step(r->sim, NULL) != CAROM_OK) break;
    return 0;
}
