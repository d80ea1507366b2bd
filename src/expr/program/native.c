// SPDX-License-Identifier: Apache-2.0
// Expressions as machine code. The digest of compiler, options and text is the key of the cache;
// an entry is checked before it is loaded and made again where it is not whole. Runs at the same
// time do not disturb each other: each compiles in a folder of its own and renames the result.
// Without a cache folder the code is compiled in the folder for temporary files and forgotten.
#include "expr/program/native.h"

#include "expr/program/native_cache.h"
#include "expr/program/native_compile.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { DAY = 86400 };
static const char folder_form[] = "carom-XXXXXX"; // name of a folder to compile in

struct carom_native {
    void *library;
    int bytes; // of the library, open as long as it is loaded: the loader knows it by this number
    carom_native_code *code;
    double *work; // all v in one piece
};

// what is at hand while code is made
typedef struct making {
    const carom_c_function *function;
    int n_function;
    const carom_limits *limits;
    char *text; // the C text
    size_t length;
    carom_compiler compiler;
    char key[CAROM_DIGEST_TEXT];
    carom_error *error;
} making;

static carom_status no_memory(carom_error *error)
{
    return carom_fail(error, CAROM_NO_MEMORY, "not enough memory for native code");
}

// the C text; where that is longer than a compiler masters, no further than its head
static carom_status write_text(making *m, const carom_graph *graph)
{
    FILE *file = open_memstream(&m->text, &m->length);
    if (!file) return no_memory(m->error);
    const long n = carom_c_write_head(file, graph, m->function, m->n_function);
    const bool is_small = (double)n <= m->limits->operations;
    bool is_good = n >= 0;
    for (int i = 0; is_good && is_small && i < m->n_function; i++)
        is_good = carom_c_write_function(file, graph, &m->function[i]);
    is_good = !ferror(file) && is_good;
    if (fclose(file) != 0 || !is_good) return no_memory(m->error);
    if (!is_small)
        return carom_fail(m->error, CAROM_IO,
                          "the model has %ld operations, and compiling more than %.15g takes too "
                          "long (--limit operations=N allows more)",
                          n, m->limits->operations);
    return carom_compiler_choose(&m->compiler, m->error);
}

static void find_key(making *m)
{
    carom_digest digest = carom_digest_start();
    unsigned char result[CAROM_DIGEST_BYTES];
    for (int i = 0; i < m->compiler.n_word; i++)
        carom_digest_add(&digest, m->compiler.word[i], strlen(m->compiler.word[i]) + 1);
    carom_digest_add(&digest, m->text, m->length);
    carom_digest_end(&digest, result);
    carom_digest_text(result, m->key);
}

// the address of NAMEsuffix, or NULL
static void *find_symbol(const carom_native *native, const carom_c_function *function,
                         const char *suffix)
{
    char name[128];
    snprintf(name, sizeof name, "%s%s", function->name, suffix);
    return dlsym(native->library, name);
}

static bool find_all(const making *m, carom_native *native)
{
    size_t n = 1, at = 0;
    for (int i = 0; i < m->n_function; i++) {
        carom_native_code *code = &native->code[i];
        const int *room = find_symbol(native, &m->function[i], "_room");
        // POSIX lets an object pointer of dlsym stand for a function
        *(void **)&code->whole = find_symbol(native, &m->function[i], "");
        *(void **)&code->still = find_symbol(native, &m->function[i], "_still");
        *(void **)&code->rates = find_symbol(native, &m->function[i], "_rates");
        if (!room || !code->whole || !code->still || !code->rates) return false;
        n += (size_t)*room;
    }
    free(native->work);
    native->work = calloc(n, sizeof(double));
    for (int i = 0; native->work && i < m->n_function; i++) {
        native->code[i].v = native->work + at;
        at += (size_t) * (const int *)find_symbol(native, &m->function[i], "_room");
    }
    return native->work != NULL;
}

static void unload(carom_native *native)
{
    if (native->library) dlclose(native->library);
    if (native->bytes >= 0) close(native->bytes);
    native->library = NULL;
    native->bytes = -1;
}

// loads an entry that was checked
static carom_status load(const making *m, const char *path, carom_native *native)
{
    char name[64];
    native->bytes = carom_native_cache_open(path, m->key);
    if (native->bytes < 0)
        return carom_fail(m->error, CAROM_IO, "'%.300s' is not whole, or not ours alone", path);
    snprintf(name, sizeof name, "/proc/self/fd/%d", native->bytes);
    native->library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!native->library)
        return carom_fail(m->error, CAROM_IO, "the compiled model cannot be loaded: %.300s",
                          dlerror());
    if (find_all(m, native)) return CAROM_OK;
    return carom_fail(m->error, CAROM_IO, "the compiled model lacks a function");
}

static carom_status save_text(const making *m, const char *folder)
{
    char path[CAROM_NATIVE_PATH];
    snprintf(path, sizeof path, "%s/model.c", folder);
    FILE *file = fopen(path, "w");
    const bool is_written = file && fwrite(m->text, 1, m->length, file) == m->length;
    if (file && fclose(file) == 0 && is_written) return CAROM_OK;
    return carom_fail(m->error, CAROM_IO, "'%s' cannot be written: %s", path, strerror(errno));
}

static void clear_folder(const char *folder)
{
    static const char *const name[] = {"model.c", "model.so", "log"};
    char path[CAROM_NATIVE_PATH];
    for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, name[i]);
        unlink(path);
    }
    rmdir(folder);
}

// removes what runs left behind that were stopped while they compiled, more than a day ago
static void sweep_leftovers(const char *base)
{
    DIR *list = opendir(base);
    for (const struct dirent *e = list ? readdir(list) : NULL; e; e = readdir(list)) {
        char path[CAROM_NATIVE_PATH - 16];
        struct stat facts;
        const bool is_ours = strncmp(e->d_name, folder_form, strlen("carom-")) == 0;
        if (!is_ours || strlen(e->d_name) != strlen(folder_form)) continue;
        if (snprintf(path, sizeof path, "%s/%s", base, e->d_name) >= (int)sizeof path) continue;
        if (lstat(path, &facts) == 0 && S_ISDIR(facts.st_mode) &&
            difftime(time(NULL), facts.st_mtime) > DAY)
            clear_folder(path);
    }
    if (list) closedir(list);
}

// compiles in a new folder inside base and loads; entry (NULL = none) receives the result
static carom_status compile_in(const making *m, const char *base, const char *entry,
                               carom_native *native)
{
    char folder[CAROM_NATIVE_PATH - 16], object[CAROM_NATIVE_PATH];
    snprintf(folder, sizeof folder, "%s/%s", base, folder_form);
    if (!mkdtemp(folder))
        return carom_fail(m->error, CAROM_IO, "no folder can be made in '%s': %s", base,
                          strerror(errno));
    snprintf(object, sizeof object, "%s/model.so", folder);
    carom_status status = save_text(m, folder);
    if (status == CAROM_OK) status = carom_compiler_run(&m->compiler, folder, m->limits, m->error);
    if (status == CAROM_OK && !carom_native_cache_seal(object, m->key))
        status =
            carom_fail(m->error, CAROM_IO, "'%s' cannot be written: %s", object, strerror(errno));
    if (status == CAROM_OK) status = load(m, object, native);
    // a result that cannot be kept serves this run all the same
    if (status == CAROM_OK && entry) rename(object, entry);
    clear_folder(folder);
    return status;
}

static carom_status find_or_compile(const making *m, carom_native *native)
{
    char folder[CAROM_NATIVE_PATH], entry[CAROM_NATIVE_PATH + CAROM_DIGEST_TEXT + 8];
    const char *temporary = getenv("TMPDIR");
    if (!temporary || temporary[0] != '/' || strlen(temporary) > CAROM_NATIVE_PATH - 128)
        temporary = "/tmp";
    if (!carom_native_cache_folder(folder)) return compile_in(m, temporary, NULL, native);
    snprintf(entry, sizeof entry, "%s/%s.so", folder, m->key);
    making quiet = *m;
    quiet.error = NULL;
    if (load(&quiet, entry, native) == CAROM_OK) return CAROM_OK;
    unload(native);
    sweep_leftovers(folder);
    return compile_in(m, folder, entry, native);
}

carom_status carom_native_new(const carom_graph *graph, const carom_c_function *function,
                              int n_function, carom_native **native, carom_error *error)
{
    making m = {.function = function,
                .n_function = n_function,
                .limits = carom_graph_limits(graph),
                .error = error};
    carom_native *made = calloc(1, sizeof *made);
    *native = NULL;
    if (made) made->bytes = -1;
    if (made) made->code = calloc((size_t)n_function + 1, sizeof *made->code);
    carom_status status = CAROM_OK;
    if (!made || !made->code) status = no_memory(error);
    if (status == CAROM_OK) status = write_text(&m, graph);
    if (status == CAROM_OK) {
        find_key(&m);
        status = find_or_compile(&m, made);
    }
    free(m.text);
    if (status == CAROM_OK)
        *native = made;
    else
        carom_native_free(made);
    return status;
}

void carom_native_free(carom_native *native)
{
    if (!native) return;
    unload(native);
    free(native->code);
    free(native->work);
    free(native);
}

const carom_native_code *carom_native_at(const carom_native *native, int i)
{
    return &native->code[i];
}
