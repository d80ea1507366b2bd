// SPDX-License-Identifier: Apache-2.0
// Compiled models: the same bits as the tape (contraction is off in both), a cache that trusts
// nothing it has not checked, and the tape where there is no compiler.
#include "model/native_rig.h"

#include "base/digest.h"
#include "expr/program/native_cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// two plans of a model, the second one compiled
typedef struct twins {
    carom_plan *tape, *native;
    carom_eval *of_tape, *of_native;
} twins;

static twins make_twins(const carom_model *model, unsigned mask)
{
    twins t = {0};
    carom_error error = {0};
    assert_int_equal(carom_plan_new(model, &mask, 1, &t.tape, &error), CAROM_OK);
    assert_int_equal(carom_plan_new(model, &mask, 1, &t.native, &error), CAROM_OK);
    if (carom_plan_compile(t.native, &error) != CAROM_OK) fail_msg("%s", error.message);
    t.of_tape = carom_plan_eval(t.tape);
    t.of_native = carom_plan_eval(t.native);
    return t;
}

static void free_twins(twins *t)
{
    carom_plan_free(t->tape);
    carom_plan_free(t->native);
}

static void compare(const carom_model *model, const twins *t)
{
    const double *a = carom_eval_block(t->of_tape), *b = carom_eval_block(t->of_native);
    for (int i = 0; i < model->layout.size; i++) native_same(a[i], b[i], model->names.model, i);
}

static void compare_at_points(const char *name)
{
    unsigned seed = 7;
    carom_model *model = shipped_model(name, NULL, NULL);
    twins t = make_twins(model, NATIVE_ALL);
    for (int k = 0; k < NATIVE_POINTS; k++) {
        carom_error error = {0}, other = {0};
        native_point p = native_draw(model, &seed);
        const carom_status status = carom_model_eval(t.tape, &p.at, NATIVE_ALL, t.of_tape, &error);
        assert_int_equal(carom_model_eval(t.native, &p.at, NATIVE_ALL, t.of_native, &other),
                         status);
        assert_string_equal(error.message, other.message);
        compare(model, &t);
        free(p.numbers);
    }
    free_twins(&t);
    carom_model_free(model);
}

static void a_compiled_slider_crank_gives_the_bits_of_the_tape(void **state)
{
    (void)state;
    native_need_compiler();
    compare_at_points("slider-crank");
}

static void a_compiled_model_cut_into_parts_gives_the_bits_of_the_tape(void **state)
{
    (void)state;
    native_need_compiler();
    unsigned seed = 3;
    carom_error error = {0};
    carom_model *model = shipped_model("chain-of-balls", "n", "120");
    twins t = make_twins(model, CAROM_MASS | CAROM_FORCES | CAROM_GAPS | CAROM_D_FORCES);
    native_point p = native_draw(model, &seed);
    const unsigned mask = t.tape->question[0].mask;
    assert_int_equal(carom_model_eval(t.tape, &p.at, mask, t.of_tape, &error), CAROM_OK);
    assert_int_equal(carom_model_eval(t.native, &p.at, mask, t.of_native, &error), CAROM_OK);
    compare(model, &t);
    free(p.numbers);
    free_twins(&t);
    carom_model_free(model);
}

// ---- kept answers ----

static void must_be_as_plain(carom_plan *plain, const carom_point *at, unsigned mask,
                             carom_eval *kept)
{
    carom_error error = {0};
    carom_eval *whole = carom_plan_eval(plain);
    assert_int_equal(carom_model_eval(plain, at, mask, whole, &error), CAROM_OK);
    const double *a = carom_eval_block(kept), *b = carom_eval_block(whole);
    for (int i = 0; i < kept->model->layout.size; i++) native_same(a[i], b[i], "kept", i);
    double x[3] = {1, 2, 3}, y[3] = {1, 2, 3};
    carom_mass_solve(kept->mass, x);
    carom_mass_solve(whole->mass, y);
    for (int i = 0; i < 3; i++) native_same(x[i], y[i], "M^-1 x", i);
}

// Asked in random order at few places, with and without u, in two evaluations that share their
// programs: the same bits as from a plan that keeps nothing.
static void kept_evaluations_give_the_bits_of_plain_ones(void **state)
{
    (void)state;
    native_need_compiler();
    unsigned seed = 11;
    carom_model *model = shipped_model("slider-crank", NULL, NULL);
    const unsigned mask =
        CAROM_MASS | CAROM_FORCES | CAROM_ACCELERATION | CAROM_GAPS | CAROM_ROWS | CAROM_GAP_RATES;
    twins t = make_twins(model, mask | CAROM_KEEP), plain = make_twins(model, mask);
    native_point point[] = {native_draw(model, &seed), native_draw(model, &seed)};
    carom_plan *const plan[] = {t.tape, t.native}, *const without[] = {plain.tape, plain.native};
    for (int k = 0; k < 2; k++) {
        carom_eval *eval[] = {carom_plan_eval(plan[k]), carom_plan_eval(plan[k])};
        for (int step = 0; step < 300; step++) {
            const int which = rand_r(&seed) % 2;
            carom_point at = point[rand_r(&seed) % 2].at;
            at.u = point[rand_r(&seed) % 2].at.u;
            if (rand_r(&seed) % 10 < 3) at.t = 5; // on which nothing depends
            carom_point ahead = at;
            if (rand_r(&seed) % 10 < 5) ahead.u = NULL;
            if (rand_r(&seed) % 10 < 1) carom_eval_forget(eval[which]);
            assert_int_equal(carom_model_eval(plan[k], &ahead, mask, eval[which], NULL), CAROM_OK);
            assert_int_equal(carom_model_eval(plan[k], &at, mask, eval[which], NULL), CAROM_OK);
            must_be_as_plain(without[k], &at, mask, eval[which]);
        }
    }
    for (int i = 0; i < 2; i++) free(point[i].numbers);
    free_twins(&t);
    free_twins(&plain);
    carom_model_free(model);
}

// what is wrong is told without a velocity, and leaves no wrong answers behind
static void a_failure_without_velocity_is_told(void **state)
{
    (void)state;
    carom_error error = {0};
    carom_model *model =
        model_from_text("carom: 1\ncoordinates: {x: {start: 1}}\nkinetic: (1 + x^2)*der(x)^2/2\n"
                        "forces: [{coordinate: x, force: -der(x)*sin(x)}]\n"
                        "contacts: [{name: c, gap: sqrt(x), restitution: 0}]\n");
    const unsigned mask = CAROM_MASS | CAROM_FORCES | CAROM_GAPS | CAROM_KEEP;
    carom_plan *plan = NULL;
    assert_int_equal(carom_plan_new(model, &mask, 1, &plan, &error), CAROM_OK);
    carom_eval *one = carom_plan_eval(plan), *two = carom_plan_eval(plan);
    const double good = 0.5, bad = -1, u = 2;
    const carom_point here = {.q = &good, .u = &u}, nowhere = {.q = &bad};
    assert_int_equal(carom_model_eval(plan, &here, mask, one, &error), CAROM_OK);
    const double force = one->f[0];
    assert_int_equal(carom_model_eval(plan, &nowhere, mask, two, &error), CAROM_NOT_FINITE);
    assert_non_null(strstr(error.message, "sqrt"));
    assert_int_equal(carom_model_eval(plan, &here, mask, one, &error), CAROM_OK);
    assert_true(one->f[0] == force); // not from the registers of the failure
    carom_plan_free(plan);
    carom_model_free(model);
}

static void a_place_one_bit_away_is_another(void **state)
{
    (void)state;
    carom_error error = {0};
    carom_model *model =
        model_from_text("carom: 1\ncoordinates: {x: {start: 1}}\nkinetic: der(x)^2/2\n"
                        "contacts: [{name: c, gap: sin(x), restitution: 0}]\n");
    const unsigned mask = CAROM_GAPS | CAROM_KEEP;
    carom_plan *plan = NULL;
    assert_int_equal(carom_plan_new(model, &mask, 1, &plan, &error), CAROM_OK);
    carom_eval *ev = carom_plan_eval(plan);
    const double here = 0.25, there = nextafter(0.25, 1), u = 1;
    carom_point at = {.q = &here, .u = &u};
    assert_int_equal(carom_model_eval(plan, &at, mask, ev, &error), CAROM_OK);
    ev->gaps.value[0] = 77; // who asks again at the same place finds what is there
    assert_int_equal(carom_model_eval(plan, &at, mask, ev, &error), CAROM_OK);
    assert_true(ev->gaps.value[0] == 77);
    at.q = &there;
    assert_int_equal(carom_model_eval(plan, &at, mask, ev, &error), CAROM_OK);
    assert_true(ev->gaps.value[0] != 77);
    ev->gaps.value[0] = 77;
    carom_eval_forget(ev);
    assert_int_equal(carom_model_eval(plan, &at, mask, ev, &error), CAROM_OK);
    assert_true(ev->gaps.value[0] != 77);
    carom_plan_free(plan);
    carom_model_free(model);
}

// t in forces of velocities alone, and P: the same place and velocity are not enough
static void a_time_or_impulse_that_matters_is_seen(void **state)
{
    (void)state;
    carom_error error = {0};
    carom_model *model =
        model_from_text("carom: 1\ncoordinates: {x: {start: 1}}\nkinetic: der(x)^2/2\n"
                        "forces: [{coordinate: x, force: -t*der(x)}]\n"
                        "contacts: [{name: c, gap: x^2, restitution: 0}]\n");
    const unsigned mask[] = {CAROM_FORCES | CAROM_GAPS | CAROM_KEEP,
                             CAROM_ROWS | CAROM_D_ROWS | CAROM_KEEP};
    carom_plan *plan = NULL;
    assert_int_equal(carom_plan_new(model, mask, 2, &plan, &error), CAROM_OK);
    carom_eval *ev = carom_plan_eval(plan);
    const double q = 0.25, u = 2, other = 4, P[] = {1, 3};
    const double *const velocity[] = {&u, &u, &other, &u};
    const double t[] = {1, 3, 3, 3}, force[] = {-2, -6, -12, -6};
    for (int i = 0; i < 4; i++) {
        const carom_point at = {.t = t[i], .q = &q, .u = velocity[i]};
        assert_int_equal(carom_model_eval(plan, &at, mask[0], ev, &error), CAROM_OK);
        assert_true(ev->f[0] == force[i]);
    }
    for (int i = 0; i < 2; i++) {
        const carom_point at = {.q = &q, .u = &u, .P = &P[i]};
        assert_int_equal(carom_model_eval(plan, &at, mask[1], ev, &error), CAROM_OK);
        assert_true(ev->derivatives.dWP_dq.value[0] == 2 * P[i]);
    }
    carom_plan_free(plan);
    carom_model_free(model);
}

// ---- the cache ----

// the only entry of the cache folder, or how many there are
static int find_entry(char path[512])
{
    char folder[160];
    int n = 0;
    snprintf(folder, sizeof folder, "%s/carom", native_folder);
    DIR *list = opendir(folder);
    for (const struct dirent *e = list ? readdir(list) : NULL; e; e = readdir(list)) {
        if (e->d_name[0] == '.') continue;
        snprintf(path, 512, "%s/%s", folder, e->d_name);
        n++;
    }
    if (list) closedir(list);
    return n;
}

static carom_status compile_ball(carom_error *error)
{
    const unsigned mask = CAROM_MASS | CAROM_FORCES;
    const double q[] = {1}, u[] = {0};
    const carom_point at = {.q = q, .u = u};
    carom_plan *plan = NULL;
    carom_model *model = shipped_model("bouncing-ball", NULL, NULL);
    assert_int_equal(carom_plan_new(model, &mask, 1, &plan, error), CAROM_OK);
    const carom_status status = carom_plan_compile(plan, error);
    carom_eval *eval = carom_plan_eval(plan);
    carom_error none = {0};
    assert_int_equal(carom_model_eval(plan, &at, mask, eval, &none), CAROM_OK);
    assert_true(eval->f[0] < 0); // with or without a compiler
    carom_plan_free(plan);
    carom_model_free(model);
    return status;
}

static void use_folder(const char *name)
{
    char path[160];
    snprintf(path, sizeof path, "%s/%s", native_folder, name);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(setenv("XDG_CACHE_HOME", path, 1), 0);
    strcpy(native_folder + strlen(native_folder), path + strlen(native_folder));
}

static void leave_folder(void)
{
    *strrchr(native_folder, '/') = 0;
    setenv("XDG_CACHE_HOME", native_folder, 1);
}

static void the_cache_keeps_one_private_entry_and_mends_a_damaged_one(void **state)
{
    (void)state;
    native_need_compiler();
    carom_error error = {0};
    char entry[512];
    struct stat first, second;
    use_folder("private");
    assert_int_equal(compile_ball(&error), CAROM_OK);
    assert_int_equal(find_entry(entry), 1);
    assert_int_equal(stat(entry, &first), 0);
    // a second run compiles nothing
    assert_int_equal(setenv("CC", "false", 1), 0);
    assert_int_equal(compile_ball(&error), CAROM_IO); // another compiler, another key
    assert_int_equal(unsetenv("CC"), 0);
    memset(&error, 0, sizeof error);
    assert_int_equal(compile_ball(&error), CAROM_OK);
    assert_int_equal(stat(entry, &second), 0);
    assert_true(first.st_ino == second.st_ino);
    // one byte turned over, then cut short, then empty
    for (int damage = 0; damage < 3; damage++) {
        const int file = open(entry, O_RDWR);
        char byte;
        assert_int_equal(pread(file, &byte, 1, 1000), 1);
        byte = (char)~byte;
        assert_int_equal(pwrite(file, &byte, 1, 1000), 1);
        if (damage > 0) assert_int_equal(ftruncate(file, damage == 1 ? 4096 : 0), 0);
        close(file);
        assert_int_equal(compile_ball(&error), CAROM_OK);
        assert_int_equal(find_entry(entry), 1);
        assert_int_equal(stat(entry, &second), 0);
        assert_true(second.st_size == first.st_size);
    }
    char *end = strrchr(entry, '/');
    *end = 0;
    assert_int_equal(stat(entry, &second), 0);
    assert_int_equal(second.st_mode & 0777, 0700);
    leave_folder();
}

// ---- what is loaded is what was checked ----

static void put_bytes(const char *path, const char *bytes, size_t n)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    assert_int_equal(fclose(file), 0);
}

static void an_open_entry_cannot_be_exchanged(void **state)
{
    (void)state;
    static const char key[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    char path[160], kept[16] = "";
    _Static_assert(sizeof key == CAROM_DIGEST_TEXT, "a key has the length of a digest");
    snprintf(path, sizeof path, "%s/entry", native_folder);
    put_bytes(path, "first", 5);
    assert_int_equal(carom_native_cache_open(path, key), -1); // no entry yet
    assert_true(carom_native_cache_seal(path, key));
    const int entry = carom_native_cache_open(path, key);
    assert_true(entry >= 0);
    put_bytes(path, "other", 5); // in place
    assert_int_equal(unlink(path), 0);
    assert_int_equal(pread(entry, kept, 5, 0), 5);
    assert_string_equal(kept, "first");
    assert_int_equal(pwrite(entry, "x", 1, 0), -1); // nobody writes to what was checked
    assert_int_not_equal(ftruncate(entry, 0), 0);
    close(entry);
}

static void entries_that_others_could_have_written_are_not_opened(void **state)
{
    (void)state;
    static const char key[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    char path[160], link[176];
    snprintf(path, sizeof path, "%s/entry", native_folder);
    snprintf(link, sizeof link, "%s.link", path);
    put_bytes(path, "code", 4);
    assert_true(carom_native_cache_seal(path, key));
    assert_int_equal(symlink(path, link), 0);
    assert_int_equal(carom_native_cache_open(link, key), -1);
    assert_int_equal(unlink(link), 0);
    assert_int_equal(mkfifo(link, 0600), 0); // must not make us wait
    assert_int_equal(carom_native_cache_open(link, key), -1);
    assert_int_equal(unlink(link), 0);
    for (unsigned mode = 0620; mode <= 0662; mode += 0662 - 0620) {
        assert_int_equal(chmod(path, mode), 0);
        assert_int_equal(carom_native_cache_open(path, key), -1);
    }
    assert_int_equal(chmod(path, 0600), 0);
    if (geteuid() == 0) { // somebody else's
        assert_int_equal(chown(path, 12345, (gid_t)-1), 0);
        assert_int_equal(carom_native_cache_open(path, key), -1);
        assert_int_equal(chown(path, 0, (gid_t)-1), 0);
    }
    const int entry = carom_native_cache_open(path, key);
    assert_true(entry >= 0);
    close(entry);
    assert_int_equal(unlink(path), 0);
}

// the loader knows libraries by their names: two at a time must have two
static void several_models_are_loaded_at_a_time(void **state)
{
    (void)state;
    native_need_compiler();
    enum { N = 5 };
    const unsigned mask = CAROM_MASS | CAROM_FORCES;
    const double q[] = {1}, u[] = {0};
    const carom_point at = {.q = q, .u = u};
    carom_error error = {0};
    carom_plan *plan[N];
    carom_model *model[N];
    for (int round = 0; round < 2; round++) { // compiled, then from the cache
        for (int i = 0; i < N; i++) {
            char text[200];
            snprintf(text, sizeof text,
                     "carom: 1\ncoordinates: {y: {start: 1}}\nkinetic: der(y)^2/2\n"
                     "potential: %d*y^3/3\n",
                     i + 1);
            model[i] = finish_file(file_from_text(text));
            assert_int_equal(carom_plan_new(model[i], &mask, 1, &plan[i], &error), CAROM_OK);
            assert_int_equal(carom_plan_compile(plan[i], &error), CAROM_OK);
        }
        for (int i = 0; i < N; i++) {
            carom_eval *eval = carom_plan_eval(plan[i]);
            assert_int_equal(carom_model_eval(plan[i], &at, mask, eval, &error), CAROM_OK);
            assert_true(fabs(eval->f[0] + (i + 1)) < 1e-12);
        }
        for (int i = 0; i < N; i++) {
            carom_plan_free(plan[i]);
            carom_model_free(model[i]);
        }
    }
}

// a run that is stopped while the compiler works leaves a folder behind
static void old_leftovers_are_removed_from_the_cache(void **state)
{
    (void)state;
    native_need_compiler();
    carom_error error = {0};
    char path[2][200], file[512];
    struct stat facts;
    use_folder("leftovers");
    snprintf(file, sizeof file, "%s/carom", native_folder);
    assert_int_equal(mkdir(file, 0700), 0);
    for (int is_old = 0; is_old < 2; is_old++) {
        const time_t then = time(NULL) - (is_old ? 2 : 0) * 86400;
        const struct timespec times[2] = {{.tv_sec = then}, {.tv_sec = then}};
        snprintf(path[is_old], sizeof path[0], "%s/carom/carom-left%02d", native_folder, is_old);
        assert_int_equal(mkdir(path[is_old], 0700), 0);
        snprintf(file, sizeof file, "%s/model.c", path[is_old]);
        close(open(file, O_CREAT | O_WRONLY, 0600));
        assert_int_equal(utimensat(AT_FDCWD, path[is_old], times, 0), 0);
    }
    assert_int_equal(compile_ball(&error), CAROM_OK);
    assert_int_equal(stat(path[0], &facts), 0); // another run may be at work there
    assert_int_equal(stat(path[1], &facts), -1);
    snprintf(file, sizeof file, "%s/model.c", path[0]);
    assert_int_equal(unlink(file), 0);
    assert_int_equal(rmdir(path[0]), 0);
    leave_folder();
}

static void a_cache_folder_that_cannot_be_had_is_done_without(void **state)
{
    (void)state;
    native_need_compiler();
    carom_error error = {0};
    char entry[512];
    use_folder("none");
    setenv("XDG_CACHE_HOME", "/proc/no/such/folder", 1);
    assert_int_equal(compile_ball(&error), CAROM_OK);
    unsetenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    char *kept = home ? strdup(home) : NULL;
    unsetenv("HOME");
    assert_int_equal(compile_ball(&error), CAROM_OK);
    setenv("HOME", "/dev/null", 1);
    assert_int_equal(compile_ball(&error), CAROM_OK);
    if (kept) setenv("HOME", kept, 1);
    free(kept);
    assert_int_equal(find_entry(entry), 0);
    leave_folder();
}

static void without_a_compiler_the_tape_goes_on_and_the_reason_is_told(void **state)
{
    (void)state;
    const char *old = getenv("CC");
    char *kept = old ? strdup(old) : NULL;
    carom_error error = {0};
    use_folder("nothing");
    setenv("CC", "no-such-compiler-here", 1);
    assert_int_equal(compile_ball(&error), CAROM_IO);
    assert_non_null(strstr(error.message, "no compiler 'no-such-compiler-here'"));
    // words are arguments, never a shell's
    memset(&error, 0, sizeof error);
    setenv("CC", "cc;touch${IFS}broken $(touch broken) `touch broken`", 1);
    assert_int_equal(compile_ball(&error), CAROM_IO);
    assert_int_equal(access("broken", F_OK), -1);
    // the simulation runs on and says why
    carom_model *model = shipped_model("bouncing-ball", NULL, NULL);
    carom_sim_options options = carom_sim_default();
    carom_sim *sim = NULL;
    const char *why = "";
    options.step = 1e-3;
    options.end = 0.1;
    options.is_native = true;
    memset(&error, 0, sizeof error);
    assert_int_equal(carom_sim_new(model, &options, &sim, &error), CAROM_OK);
    assert_false(carom_sim_native(sim, &why));
    assert_non_null(strstr(why, "compiler"));
    assert_int_equal(carom_sim_run(sim, &error), CAROM_OK);
    carom_sim_free(sim);
    carom_model_free(model);
    if (kept)
        setenv("CC", kept, 1);
    else
        unsetenv("CC");
    free(kept);
    leave_folder();
}

static void digests_are_those_of_the_standard(void **state)
{
    (void)state;
    static const char long_text[] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    static const struct {
        const char *text, *digest;
    } known[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {long_text, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        unsigned char result[CAROM_DIGEST_BYTES];
        char text[CAROM_DIGEST_TEXT];
        carom_digest digest = carom_digest_start();
        for (const char *c = known[i].text; *c; c++) carom_digest_add(&digest, c, 1);
        carom_digest_end(&digest, result);
        carom_digest_text(result, text);
        assert_string_equal(text, known[i].digest);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(digests_are_those_of_the_standard),
        cmocka_unit_test(a_compiled_slider_crank_gives_the_bits_of_the_tape),
        cmocka_unit_test(a_compiled_model_cut_into_parts_gives_the_bits_of_the_tape),
        cmocka_unit_test(kept_evaluations_give_the_bits_of_plain_ones),
        cmocka_unit_test(a_place_one_bit_away_is_another),
        cmocka_unit_test(a_time_or_impulse_that_matters_is_seen),
        cmocka_unit_test(a_failure_without_velocity_is_told),
        cmocka_unit_test(the_cache_keeps_one_private_entry_and_mends_a_damaged_one),
        cmocka_unit_test(an_open_entry_cannot_be_exchanged),
        cmocka_unit_test(entries_that_others_could_have_written_are_not_opened),
        cmocka_unit_test(several_models_are_loaded_at_a_time),
        cmocka_unit_test(old_leftovers_are_removed_from_the_cache),
        cmocka_unit_test(a_cache_folder_that_cannot_be_had_is_done_without),
        cmocka_unit_test(without_a_compiler_the_tape_goes_on_and_the_reason_is_told),
    };
    return cmocka_run_group_tests(tests, native_start, native_end);
}
