// SPDX-License-Identifier: Apache-2.0
// Any answers of the process that reads an HDF5 file, as if whoever made the file had taken it
// over: results of a run, and contact problems. Good answers are asked of libhdf5 once and kept; an
// input chooses the file, then lists changes: which answer, what of it, and bytes. So a finding
// here is one in Carom, not in libhdf5, and there are a hundred times as many inputs as with files
// (fuzz_hdf5). For libFuzzer.
//   replaces carom_apart_new
//   replaces carom_apart_free
//   replaces carom_apart_ask
//   replaces carom_apart_trouble
#include "fuzz/fuzz_hdf5_read.h"

#include "base/files/hdf5_serve.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
carom_apart *__wrap_carom_apart_new(const carom_apart_work *work);
void __wrap_carom_apart_free(carom_apart *apart);
bool __wrap_carom_apart_ask(carom_apart *apart, const void *question, void **answer, size_t *n);
const char *__wrap_carom_apart_trouble(const carom_apart *apart);

enum { N_FILE = 3, MOST_KEPT = 400, CHANGE = 12 };

typedef struct kept {
    carom_hdf5_question question;
    carom_apart_answer answer;
} kept;

typedef struct good {
    char path[192];
    carom_hdf5_server *server;
    kept item[MOST_KEPT];
    int n;
} good;
static good files[N_FILE];
static good *file; // that is read now

// changes that are still to be made, the number of the next answer, and whether the process died
static const uint8_t *change;
static size_t n_change;
static int asked;
static bool is_dead;

carom_apart *__wrap_carom_apart_new(const carom_apart_work *work)
{
    (void)work;
    return (carom_apart *)file;
}

void __wrap_carom_apart_free(carom_apart *apart)
{
    (void)apart;
}

const char *__wrap_carom_apart_trouble(const carom_apart *apart)
{
    (void)apart;
    return is_dead ? "it made the reader crash" : "";
}

static const carom_apart_answer *good_answer(const carom_hdf5_question *q)
{
    static const carom_apart_answer none;
    for (int i = 0; i < file->n; i++) {
        const carom_hdf5_question *had = &file->item[i].question;
        if (had->what == q->what && had->first == q->first && had->n == q->n &&
            memcmp(had, q, sizeof *q) == 0)
            return &file->item[i].answer;
    }
    if (file->n == MOST_KEPT) return &none;
    kept *item = &file->item[file->n++];
    item->question = *q;
    item->answer.most = 1 << 20;
    carom_hdf5_serve(file->server, q, &item->answer);
    return &item->answer;
}

// one change of an answer: 8 bytes somewhere, another length, none, or the end of the process
static void make_change(const uint8_t *how, unsigned char *bytes, size_t *n)
{
    const size_t place = how[2] + 256u * how[3];
    if (how[1] == 255) is_dead = true;
    if (how[1] == 254) *n = 0;
    if (how[1] == 253 && place < *n) *n = place;
    if (how[1] < 253 && *n >= 8) memcpy(bytes + place % (*n - 7), how + 4, 8);
    if (how[1] < 253 && *n < 8) memcpy(bytes, how + 4, *n);
}

bool __wrap_carom_apart_ask(carom_apart *apart, const void *question, void **answer, size_t *n)
{
    const carom_apart_answer *from = good_answer(question);
    unsigned char *bytes = malloc(from->n + 1);
    (void)apart;
    if (!bytes) abort();
    if (from->n > 0) memcpy(bytes, from->bytes, from->n);
    *n = from->n;
    for (size_t i = 0; i < n_change; i++)
        if (change[CHANGE * i] == (uint8_t)asked) make_change(change + CHANGE * i, bytes, n);
    asked++;
    if (is_dead) {
        free(bytes);
        *answer = NULL;
        *n = 0;
        return false;
    }
    // of just that length, so that reading beyond it is seen
    *answer = realloc(bytes, *n + 1);
    if (!*answer) abort();
    ((char *)*answer)[*n] = 0;
    return true;
}

static void make_results(const char *path)
{
    static const char text[] =
        "carom: 1\ncoordinates: {x: {rate: 2}, y: {start: 0.1}}\nkinetic: (der(x)^2 + der(y)^2)/2\n"
        "potential: 9.81*y\ncontacts: [{name: floor, gap: y, slip: x, friction: 0.4}]\n";
    carom_modelfile *source = NULL;
    carom_model *model = NULL;
    carom_sim *sim = NULL;
    carom_output *output = NULL;
    carom_audit audit;
    carom_sim_options options = carom_sim_default();
    const carom_output_head head = {.model = "m", .scheme = "moreau_midpoint", .model_text = text};
    options.step = 1e-2;
    options.end = 0.2;
    if (carom_modelfile_read_text(text, strlen(text), "m.yaml", &source, NULL) != CAROM_OK ||
        carom_builder_finish(carom_modelfile_builder(source), &model, NULL) != CAROM_OK ||
        carom_sim_new(model, &options, &sim, NULL) != CAROM_OK ||
        carom_output_open(path, sim, &head, &output, NULL) != CAROM_OK ||
        carom_sim_add_recorder(sim, carom_output_recorder(output), NULL) != CAROM_OK ||
        carom_sim_run(sim, NULL) != CAROM_OK ||
        carom_sim_audit(sim, &audit, NULL, NULL) != CAROM_OK)
        abort();
    const carom_counts counts = carom_sim_counts(sim);
    if (carom_output_close(output, &audit, &counts, true, NULL) != CAROM_OK) abort();
    carom_sim_free(sim);
    carom_model_free(model);
    carom_modelfile_free(source);
}

static void make_problem(const char *from, const char *path)
{
    carom_contact_file *problem = NULL;
    if (carom_contact_file_read(from, CAROM_FILE_ANY, &problem, NULL) != CAROM_OK ||
        carom_contact_file_write(problem, (carom_file_form){0}, path, NULL) != CAROM_OK)
        abort();
    carom_contact_file_free(problem);
}

static void make_files(void)
{
    static const char *const name[N_FILE] = {"run.h5", "local.h5", "global.h5"};
    for (int i = 0; i < N_FILE; i++)
        snprintf(files[i].path, sizeof files[i].path, "%s", fuzz_path(name[i]));
    make_results(files[0].path);
    make_problem("test/contact/files/local-dense.dat", files[1].path);
    make_problem("test/contact/files/gfc3d-oblique.dat", files[2].path);
    for (int i = 0; i < N_FILE; i++) files[i].server = carom_hdf5_server_new(files[i].path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!files[0].path[0]) make_files();
    if (size < 1) return 0;
    file = &files[data[0] % N_FILE];
    change = data + 1;
    n_change = (size - 1) / CHANGE;
    asked = 0;
    is_dead = false;
    (void)(file == files ? fuzz_read_results(file->path) : fuzz_read_problem(file->path));
    return 0;
}
