// SPDX-License-Identifier: Apache-2.0
// 17 joints and springs against MSC ADAMS: place, velocity, attitude, angular velocity and what
// joints do to the ground, with hem5 and event_driven at a tolerance of 1e-9. Every 50th row is in
// adams_cases.h; where ../shared/data/joints is there, all rows are compared.
//
//     RMS over the rows <= 1e-5 (motion), 1e-4 (wrenches) of the vector's largest magnitude,
//     no row off by more than 1e-3; where ADAMS itself is coarse 1e-3, 1e-3 and 1e-2;
//     joints open by less than 1e-12 m, rad.
//
// One body moves: what joints do to it is W'la = (F, R'T), T about its centre of mass.
#include "model/model_rig.h"
#include "physics/adams_cases.h"

enum { MOST_ROWS = 501, N_VECTOR = 8 };
static const double gravity = -9.80665;

static const int vector_size[N_VECTOR] = {3, 3, 4, 3, 3, 3, 3, 3};
static const char *const vector_name[N_VECTOR] = {
    "place", "velocity", "quaternion", "angular velocity",
    "force", "torque",   "force 2",    "torque 2"};

// a run and what is compared
typedef struct run {
    const adams_case *it;
    carom_sim *sim;
    carom_plan *plan;
    carom_eval *eval;
    int q, u, la, n_la; // first columns
    int n;
    double row[MOST_ROWS][ADAMS_VALUES];
} run;

static const unsigned mask = CAROM_ROWS | CAROM_FORCES;

static void cross(const double *a, const double *b, double *to)
{
    for (int i = 0; i < 3; i++)
        to[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static void matrix(const double *p, double R[3][3])
{
    const double w = p[0], *v = p + 1;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            R[i][j] = 2 * v[i] * v[j] +
                      (i == j ? 2 * w * w - 1
                              : 2 * w * ((j + 1) % 3 == i ? v[3 - i - j] : -v[3 - i - j]));
}

static void times(double R[3][3], const double *a, double *to)
{
    for (int i = 0; i < 3; i++) to[i] = R[i][0] * a[0] + R[i][1] * a[1] + R[i][2] * a[2];
}

// rows from first on, without last
typedef struct range {
    int first, last;
} range;

// what rows, and elements where asked, do to the body: force, and torque about `at`
static void wrench_on_body(const run *r, const double *q, const double *la, range rows,
                           const double *at, double *wrench)
{
    double g[6] = {0}, R[3][3], arm[3], moment[3];
    const carom_sparse *W = &r->eval->rows.W;
    for (int c = rows.first; c < rows.last; c++)
        for (int k = W->start[c]; k < W->start[c + 1]; k++) g[W->index[k]] += W->value[k] * la[c];
    if (r->it->has_elements) // the motion is about a principal axis: no gyroscopic part
        for (int i = 0; i < 6; i++) g[i] += r->eval->f[i] - (i == 2 ? gravity : 0);
    matrix(q + 3, R);
    memcpy(wrench, g, 3 * sizeof(double));
    times(R, g + 3, wrench + 3);
    for (int i = 0; i < 3; i++) arm[i] = q[i] - at[i];
    cross(arm, wrench, moment);
    for (int i = 0; i < 3; i++) wrench[3 + i] += moment[i];
}

static void find_wrenches(const run *r, const double *q, const double *la, double *to)
{
    const int n = r->n_la;
    if (strstr(r->it->name, "LinActuator")) { // the last row is the motor's
        wrench_on_body(r, q, la, (range){0, n - 1}, r->it->at, to);
        wrench_on_body(r, q, la, (range){n - 1, n}, q, to + 6);
    } else {
        wrench_on_body(r, q, la, (range){0, n}, r->it->at, to);
        double ball[3], R[3][3];
        const double s[3] = {0, -2, 0}; // of RevSpherical, in body coordinates
        matrix(q + 3, R);
        times(R, s, ball);
        for (int i = 0; i < 3; i++) ball[i] += q[i];
        if (r->it->second) wrench_on_body(r, q, la, (range){0, n}, ball, to + 6);
    }
    for (int i = 0; i < 6; i++) to[i] = -to[i];
}

static carom_status keep_row(void *self, const double *value, int n, carom_error *error)
{
    run *r = self;
    (void)n;
    assert_true(r->n < MOST_ROWS);
    double *row = r->row[r->n++], R[3][3];
    const double *q = value + r->q, *u = value + r->u, *la = value + r->la;
    matrix(q + 3, R);
    row[0] = value[0];
    memcpy(row + 1, q, 3 * sizeof(double));
    memcpy(row + 4, u, 3 * sizeof(double));
    memcpy(row + 7, q + 3, 4 * sizeof(double));
    times(R, u + 3, row + 11);
    const carom_point at = {.t = value[0], .q = q, .u = u};
    if (carom_model_eval(r->plan, &at, mask, r->eval, error) != CAROM_OK) return error->status;
    find_wrenches(r, q, la, row + 14);
    return CAROM_OK;
}

static int first_column(const carom_sim *sim, const char *group, int *n)
{
    int first = -1;
    *n = 0;
    for (int i = 0; i < carom_sim_n_column(sim); i++)
        if (strcmp(carom_sim_column(sim, i)->group, group) == 0) {
            if (first < 0) first = i;
            ++*n;
        }
    return first < 0 ? 0 : first;
}

static double largest_drift(run *r)
{
    carom_error error = {0};
    carom_audit audit;
    must(carom_sim_audit(r->sim, &audit, NULL, &error), &error);
    return audit.max_drift;
}

static double run_case(run *r, const char *scheme, const char *option)
{
    carom_error error = {0};
    carom_model *model = model_from_text(r->it->text);
    carom_sim_options options = carom_sim_default();
    const carom_setting setting = {text_of("projection"), text_of(option)};
    options.scheme = scheme;
    options.tolerance = 1e-9;
    options.end = 5;
    options.output_step = 0.01;
    options.setting = option ? &setting : NULL;
    options.n_setting = option != NULL;
    must(carom_plan_new(model, &mask, 1, &r->plan, &error), &error);
    r->eval = carom_plan_eval(r->plan);
    must(carom_sim_new(model, &options, &r->sim, &error), &error);
    int n;
    r->n = 0;
    r->q = first_column(r->sim, "q", &n);
    r->u = first_column(r->sim, "u", &n);
    r->la = first_column(r->sim, "laC", &r->n_la);
    must(carom_sim_add_recorder(r->sim, (carom_recorder){.self = r, .row = keep_row}, &error),
         &error);
    run_to_end(r->sim);
    assert_int_equal(r->n, MOST_ROWS);
    const double drift = largest_drift(r);
    carom_sim_free(r->sim);
    carom_plan_free(r->plan);
    carom_model_free(model);
    return drift;
}

// of a vector of a row, up to the sign of a quaternion
static double distance(const double *a, const double *b, int n)
{
    double minus = 0, plus = 0;
    for (int i = 0; i < n; i++) {
        minus += (a[i] - b[i]) * (a[i] - b[i]);
        plus += (a[i] + b[i]) * (a[i] + b[i]);
    }
    return sqrt(n == 4 ? fmin(minus, plus) : minus);
}

static int column_of(int vector)
{
    int first = 1;
    for (int k = 0; k < vector; k++) first += vector_size[k];
    return first;
}

// rows of the data, each at its own time
static void compare(const run *r, const char *scheme, double data[][ADAMS_VALUES], int n)
{
    const adams_case *it = r->it;
    for (int k = 0; k < (it->second ? 8 : 6); k++) {
        const double scale = it->largest[k] > 1e-9 ? it->largest[k] : 1;
        const double bar = it->is_loose ? 1e-3 : k < 4 ? 1e-5 : 1e-4;
        const double most = it->is_loose ? 1e-2 : 1e-3;
        double square = 0, worst = 0;
        for (int i = 0; i < n; i++) {
            const double *row = r->row[(int)lround(data[i][0] / 0.01)];
            near("time of a row", row[0], data[i][0], 1e-9);
            const double e = distance(row + column_of(k), data[i] + column_of(k), vector_size[k]);
            square += e * e;
            worst = fmax(worst, e);
        }
        const double rms = sqrt(square / n) / scale;
        if (!(rms <= bar) || !(worst / scale <= most))
            fail_msg("%s, %s, %s: RMS %.2g of %g, worst row %.2g of %g", it->name, scheme,
                     vector_name[k], rms, bar, worst / scale, most);
    }
}

// the number of a column "force_x", ...
static int find_column(const char *header, const char *name)
{
    const size_t length = strlen(name);
    int column = 0;
    for (const char *at = header; *at; column++) {
        const size_t n = strcspn(at, ",\r\n");
        if (n == length && strncmp(at, name, n) == 0) return column;
        at += n + (at[n] == ',');
        if (*at == '\r' || *at == '\n') break;
    }
    fail_msg("no column %s in %s", name, header);
    return -1;
}

// which column of the file each of our values is; n of them
static int find_columns(const adams_case *it, const char *header, int *column)
{
    char names[N_VECTOR][40] = {"Pos", "Vel", "Quat", "Avel"}, full[48];
    assert_int_equal(sscanf(it->first, "%39s %39s", names[4], names[5]), 2);
    if (it->second) assert_int_equal(sscanf(it->second, "%39s %39s", names[6], names[7]), 2);
    int n = 1;
    column[0] = 0;
    for (int k = 0; k < (it->second ? 8 : 6); k++)
        for (int i = 0; i < vector_size[k]; i++) {
            snprintf(full, sizeof full, "%.39s_%c", names[k],
                     vector_size[k] == 4 ? "wxyz"[i] : "xyz"[i]);
            column[n++] = find_column(header, full);
        }
    return n;
}

// all rows of a file; 0 where there is none
static int read_data(const adams_case *it, double data[MOST_ROWS][ADAMS_VALUES])
{
    char path[512], line[2048];
    int column[ADAMS_VALUES], n = 0;
    snprintf(path, sizeof path, "%s/../shared/data/joints/%s.csv", CAROM_SOURCE_DIR, it->name);
    FILE *file = fopen(path, "r");
    if (!file) return 0;
    assert_non_null(fgets(line, sizeof line, file)); // a remark
    assert_non_null(fgets(line, sizeof line, file));
    const int n_value = find_columns(it, line, column);
    while (n < MOST_ROWS && fgets(line, sizeof line, file)) {
        double value[64] = {0};
        char *at = line;
        for (int c = 0; c < 64 && *at && *at != '\n'; c++, at += *at == ',')
            value[c] = strtod(at, &at);
        for (int i = 0; i < n_value; i++) data[n][i] = value[column[i]];
        n++;
    }
    fclose(file);
    return n;
}

static void compare_all(const run *r, const char *scheme)
{
    static double data[MOST_ROWS][ADAMS_VALUES];
    memcpy(data, r->it->row, sizeof r->it->row);
    compare(r, scheme, data, ADAMS_ROWS);
    const int n = read_data(r->it, data);
    if (n == 0)
        print_message("%s: ../shared/data/joints is not there, only every 50th row is compared\n",
                      r->it->name);
    else
        assert_int_equal(n, MOST_ROWS);
    if (n) compare(r, scheme, data, n);
}

static void check_all_cases(const char *scheme)
{
    static run r;
    for (int i = 0; i < N_ADAMS; i++) {
        r.it = &adams_cases[i];
        const double drift = run_case(&r, scheme, NULL);
        compare_all(&r, scheme);
        if (!(drift < 1e-12)) fail_msg("%s, %s: drift %g", r.it->name, scheme, drift);
    }
}

static void hem5_agrees_and_joints_do_not_drift(void **state)
{
    (void)state;
    check_all_cases("hem5");
}

static void event_driven_agrees_and_joints_do_not_drift(void **state)
{
    (void)state;
    check_all_cases("event_driven");
}

// as they were published they keep velocities only: positions drift, less than the tolerance
static void half_explicit_methods_drift_if_asked_to(void **state)
{
    (void)state;
    static const char *const scheme[] = {"hem5", "phem56"};
    static run r;
    for (int i = 0; i < 2; i++) {
        r.it = &adams_cases[0];
        const double published = run_case(&r, scheme[i], "none");
        if (!(published > 1e-12 && published < 1e-8))
            fail_msg("%s as published: drift %g", scheme[i], published);
        const double drift = run_case(&r, scheme[i], "position");
        if (!(drift < 1e-12)) fail_msg("%s: drift %g", scheme[i], drift);
        near("the default", run_case(&r, scheme[i], NULL), drift, 0);
    }
}

// rows that move an orientation were measured by the wrong positions, and the step fell to nothing
static void gen_alpha_keeps_its_step(void **state)
{
    (void)state;
    static const char *const name[] = {"Revolute_Case01", "Cylindrical_Case02", "Universal_Case02"};
    for (int i = 0; i < 3 * N_ADAMS; i++) {
        if (strcmp(adams_cases[i / 3].name, name[i % 3]) != 0) continue;
        carom_model *model = model_from_text(adams_cases[i / 3].text);
        carom_sim *sim;
        carom_error error = {0};
        carom_sim_options options = carom_sim_default();
        options.scheme = "gen_alpha";
        options.tolerance = 1e-9;
        options.end = 0.1;
        must(carom_sim_new(model, &options, &sim, &error), &error);
        run_to_end(sim);
        near("height", carom_sim_state(sim)->q[2], -0.0478, 1e-4);
        carom_sim_free(sim);
        carom_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hem5_agrees_and_joints_do_not_drift),
        cmocka_unit_test(event_driven_agrees_and_joints_do_not_drift),
        cmocka_unit_test(half_explicit_methods_drift_if_asked_to),
        cmocka_unit_test(gen_alpha_keeps_its_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
