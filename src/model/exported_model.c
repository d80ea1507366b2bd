// SPDX-License-Identifier: Apache-2.0
// A model from equations as one C file that needs nothing but the standard library: sizes,
// patterns, start, contacts, and one function for each answer. What the file says of itself stands
// in its head. Names are cut down to letters, digits and _, texts are escaped: a name in a model
// file never becomes C.
#include "base/need.h"
#include "expr/program/native_write.h"
#include "model/live.h"
#include "model/making/lagrange.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_FUNCTIONS = 32 };

// one answer: an array in the block, by a pattern or plain
typedef struct answer {
    const char *name, *about;
    int flag, offset, n;
    const carom_pattern *pattern; // NULL = plain
} answer;

typedef struct exporting {
    FILE *file;
    const carom_model *model;
    const carom_lagrange *l;
    carom_arena *arena;
    char prefix[64];
    answer answer[MOST_FUNCTIONS];
    carom_c_function function[MOST_FUNCTIONS];
    int n;
    double *firm; // values of all that is firm; NULL = nothing is live
} exporting;

static void choose_prefix(exporting *x)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    size_t n = 0;
    const char *name = x->model->names.model ? x->model->names.model : "";
    for (; *name && n < 40; name++) {
        const bool is_good = strchr(letters, *name) || (n > 0 && *name >= '0' && *name <= '9');
        if (is_good || n > 0) x->prefix[n++] = is_good ? *name : '_';
    }
    while (n > 0 && x->prefix[n - 1] == '_') n--;
    x->prefix[n] = 0;
    if (n == 0) strcpy(x->prefix, "model");
}

// one line of a comment: no controls, no backslash or ?? that could join it with the next
static void write_plain(FILE *file, const char *text)
{
    char plain[1024];
    snprintf(plain, sizeof plain, "%s", text);
    for (const char *c = carom_text_plain(plain); *c; c++)
        fputc(*c == '\\' || *c == '?' ? ' ' : *c, file);
}

// a string constant
static void write_quoted(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        const bool is_plain = c >= ' ' && c < 127 && c != '"' && c != '\\' && c != '?';
        if (is_plain)
            fputc(c, file);
        else
            fprintf(file, "\\%03o", (unsigned)c);
    }
    fputc('"', file);
}

static void add(exporting *x, answer one)
{
    if (one.n > 0 && x->n < MOST_FUNCTIONS) x->answer[x->n++] = one;
}

static void add_matrix(exporting *x, const char *name, int flag, const carom_pattern *pattern,
                       const char *about)
{
    const int n = pattern->start ? pattern->start[pattern->n_row] : 0;
    add(x, (answer){name, about, flag, pattern->offset, n, pattern});
}

static void list_answers(exporting *x)
{
    const carom_layout *at = &x->model->layout;
    const carom_sizes *n = &x->model->size;
    add_matrix(x, "mass", CAROM_MASS, &at->mass, "M(t, q), both triangles");
    add(x, (answer){"forces", "f(t, q, u): applied, potential and inertia forces, M du/dt = f",
                    CAROM_FORCES, at->f, n->nu, NULL});
    add(x, (answer){"constraints", "values of the equations", CAROM_GAPS, at->constraint,
                    n->n_constraint, NULL});
    add(x, (answer){"gaps", "g(t, q), > 0 open", CAROM_GAPS, at->gap, n->n_contact, NULL});
    if (n->n_surface > 0)
        add(x, (answer){"inside",
                        "1 for patches in their domain; a patch with 0 has no contact (0 also for "
                        "contacts that are no patches)",
                        CAROM_GAPS, at->seldom.inside, n->n_contact, NULL});
    if (n->n_disc > 0)
        add(x, (answer){"limits", "of discs, the last contacts: the most they push with",
                        CAROM_ROWS, at->seldom.limit, n->n_contact, NULL});
    add_matrix(
        x, "rows", CAROM_ROWS, &at->W,
        "W(t, q): one row for each constraint, then the normal and tangents of each contact");
    add(x, (answer){"w0", "w0(t, q): the rates are W u + w0", CAROM_ROWS, at->w0, n->n_row, NULL});
    add(x, (answer){"curvature", "d/dt(W u + w0) at constant u", CAROM_CURVATURE, at->curvature,
                    n->n_row, NULL});
    add_matrix(x, "forces_q", CAROM_D_FORCES, &at->df_dq, "df/dq");
    add_matrix(x, "forces_u", CAROM_D_FORCES, &at->df_du, "df/du");
    add_matrix(x, "mass_a_q", CAROM_D_MASS, &at->dMa_dq, "d(M a)/dq for the a given");
    add_matrix(x, "rows_P_q", CAROM_D_ROWS, &at->dWP_dq, "d(W'P)/dq for the P given");
    add_matrix(x, "rates_q", CAROM_D_ROWS, &at->dgamma_dq, "d(W u + w0)/dq");
    add(x, (answer){"momentum", "p = dT/du", CAROM_MOMENTUM, at->momentum.p, n->nu, NULL});
    add(x, (answer){"kinetic_q", "dT/dq", CAROM_MOMENTUM, at->momentum.T_q, n->nu, NULL});
    add(x, (answer){"plain_forces", "f without inertia terms", CAROM_MOMENTUM, at->momentum.f_plain,
                    n->nu, NULL});
    add_matrix(x, "momentum_q", CAROM_MOMENTUM, &at->momentum.dp_dq, "dp/dq");
    add_matrix(x, "kinetic_q_q", CAROM_MOMENTUM, &at->momentum.dTq_dq, "d(dT/dq)/dq");
    add_matrix(x, "kinetic_q_u", CAROM_MOMENTUM, &at->momentum.dTq_du, "d(dT/dq)/du");
    add_matrix(x, "plain_forces_q", CAROM_MOMENTUM, &at->momentum.dplain_dq, "d(plain forces)/dq");
    add_matrix(x, "plain_forces_u", CAROM_MOMENTUM, &at->momentum.dplain_du, "d(plain forces)/du");
    add(x, (answer){"kinetic", "T(t, q, u) [J]", CAROM_ENERGY, at->energy.kinetic, 1, NULL});
    add(x, (answer){"potential", "V(t, q) [J]", CAROM_ENERGY, at->energy.potential, 1, NULL});
    add(x, (answer){"power", "power of all that has no potential or depends on time [W]",
                    CAROM_POWER, at->energy.power, 1, NULL});
    add(x, (answer){"record", "extra outputs", CAROM_RECORD, at->record, n->n_record, NULL});
}

// the targets of an answer, every entry of its array once
static bool fill_targets(exporting *x, int i)
{
    const answer *a = &x->answer[i];
    int bit = 0;
    while (!(a->flag >> bit & 1)) bit++;
    carom_target *target = CAROM_TAKE(x->arena, carom_target, a->n);
    char *name = carom_arena_format(x->arena, "%s_%s", x->prefix, a->name);
    if (!target || !name) return false;
    // 0 is a node of every model, so that this does not change the graph
    const carom_ref zero = carom_graph_number(x->l->graph, 0);
    for (int k = 0; k < a->n; k++) target[k] = (carom_target){zero, k};
    for (int k = 0; k < x->l->target[bit].n; k++) {
        const carom_target *one = &x->l->target[bit].item[k];
        const int at = one->offset - a->offset;
        if (at >= 0 && at < a->n) target[at].ref = one->ref;
    }
    x->function[i] = (carom_c_function){.name = name, .target = target, .n_target = a->n};
    if (x->firm) {
        x->function[i].firm = x->model->live->firm.ref;
        x->function[i].firm_value = x->firm;
        x->function[i].n_firm = x->model->live->firm.n;
    }
    return true;
}

// ---- text ----

static void write_head(const exporting *x)
{
    FILE *f = x->file;
    fputs("// The model '", f);
    write_plain(f, x->model->names.model ? x->model->names.model : "");
    fprintf(f, "' as C, written by carom %s. It needs the standard library only.\n//\n",
            carom_version());
    fputs(
        "// All functions have the same parameters:\n"
        "//     t time, q positions, u velocities, a factors on M, P factors on the rows;\n"
        "//     r receives the result, which must not be one of the others.\n"
        "// Arrays that a function does not use may be NULL. Matrices are sparse by rows: r holds "
        "the\n"
        "// values of the entries start[i] .. start[i+1]-1 of row i, their columns are in index.\n"
        "// Parameters are numbers: export again to change them. Compile with -ffp-contract=off "
        "and\n"
        "// -fno-builtin-pow for the same bits as carom.\n//\n",
        f);
    fprintf(f,
            "// To use it from another file, also of C++, define %s_DECLARATIONS_ONLY and include "
            "this one.\n",
            x->prefix);
}

// how positions follow velocities, where they are not their integrals
static void write_moves(const exporting *x)
{
    if (x->model->size.nq == x->model->size.nu) return;
    fputs("//\n"
          "// Positions NAME.p0 .. NAME.p3 are a quaternion p from body to space, its velocities "
          "NAME.wx ..\n"
          "// the spin w in axes of the body: dp/dt = 1/2 p o (0, w). Functions take any length of "
          "p. A\n"
          "// position that ends in .turned is the angle of a joint, with whole turns: its rate is "
          "the spin\n"
          "// of the second body less that of the first, about their common axis. Derivatives by q "
          "are\n"
          "// along velocities: column i is d/de at q moved by e along velocity i.\n",
          x->file);
}

static void write_declarations(const exporting *x)
{
    FILE *f = x->file;
    const carom_sizes *n = &x->model->size;
    const char *p = x->prefix;
    fprintf(f, "#ifndef %s_DECLARED\n#define %s_DECLARED\n", p, p);
    fputs("#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n", f);
    fprintf(f, "enum {\n    %s_n = %d, // %svelocities\n", p, n->nu,
            n->nq == n->nu ? "coordinates and " : "");
    if (n->nq != n->nu) fprintf(f, "    %s_n_position = %d,\n", p, n->nq);
    fprintf(f, "    %s_n_constraint = %d,\n    %s_n_contact = %d,\n", p, n->n_constraint, p,
            n->n_contact);
    fprintf(f, "    %s_n_row = %d, // constraints, then for each contact normal and tangents\n", p,
            n->n_row);
    fprintf(f, "    %s_n_record = %d\n};\n\n", p, n->n_record);
    fprintf(f, "extern const double %s_q0[], %s_u0[]; // start\n", p, p);
    fprintf(f, "extern const char *const %s_coordinate[];\n", p);
    if (n->nq != n->nu) fprintf(f, "extern const char *const %s_velocity[];\n", p);
    if (n->n_contact > 0) {
        fprintf(f, "extern const char *const %s_contact[];\n", p);
        fprintf(f, "extern const int %s_contact_row[];    // its normal row; tangents follow\n", p);
        fprintf(f, "extern const double %s_contact_law[]; // e, e_t, mu of each\n", p);
    }
    for (int i = 0; i < x->n; i++) {
        const answer *a = &x->answer[i];
        fprintf(f, "\n// %s (%d)\n", a->about, a->n);
        fprintf(f, "void %s_%s(double t, const double *q, const double *u, const double *a,\n", p,
                a->name);
        fputs("    const double *P, double *r);\n", f); // C++ has no restrict
        if (a->pattern)
            fprintf(f, "extern const int %s_%s_start[], %s_%s_index[];\n", p, a->name, p, a->name);
    }
    fputs("\n#ifdef __cplusplus\n}\n#endif\n", f);
    fprintf(f, "#endif\n#ifndef %s_DECLARATIONS_ONLY\n\n", p);
}

static void write_ints(FILE *f, const char *prefix, const char *name, const int *value, int n)
{
    fprintf(f, "const int %s_%s[] = {", prefix, name);
    for (int i = 0; i < n; i++) fprintf(f, "%s%d,", i % 16 ? " " : "\n    ", value[i]);
    fputs(n > 0 ? "\n};\n" : "0};\n", f);
}

static void write_doubles(FILE *f, const char *prefix, const char *name, const double *value, int n)
{
    char buffer[40];
    fprintf(f, "const double %s_%s[] = {", prefix, name);
    for (int i = 0; i < n; i++)
        fprintf(f, "%s%s,", i % 4 ? " " : "\n    ",
                carom_c_number(value[i], buffer, sizeof buffer));
    fputs("\n};\n", f);
}

static void write_contacts(const exporting *x)
{
    FILE *f = x->file;
    char buffer[3][40];
    const carom_contact_facts *contact = x->model->contact;
    const int n = x->model->size.n_contact;
    if (n == 0) return;
    fprintf(f, "const char *const %s_contact[] = {", x->prefix);
    for (int i = 0; i < n; i++) {
        fputs("\n    ", f);
        write_quoted(f, contact[i].name);
        fputc(',', f);
    }
    fprintf(f, "\n};\nconst int %s_contact_row[] = {", x->prefix);
    for (int i = 0; i < n; i++) fprintf(f, "%s%d,", i % 16 ? " " : "\n    ", contact[i].row);
    fprintf(f, "\n};\nconst double %s_contact_law[] = {", x->prefix);
    for (int i = 0; i < n; i++)
        fprintf(f, "\n    %s, %s, %s,", carom_c_number(contact[i].e, buffer[0], 40),
                carom_c_number(contact[i].e_t, buffer[1], 40),
                carom_c_number(contact[i].mu, buffer[2], 40));
    fputs("\n};\n", f);
}

static void write_names(const exporting *x, const char *what, const char *const *name, int n)
{
    fprintf(x->file, "const char *const %s_%s[] = {", x->prefix, what);
    for (int i = 0; i < n; i++) {
        fputs("\n    ", x->file);
        write_quoted(x->file, name[i]);
        fputc(',', x->file);
    }
    fputs("\n};\n", x->file);
}

static void write_data(const exporting *x)
{
    FILE *f = x->file;
    const carom_model *m = x->model;
    write_doubles(f, x->prefix, "q0", m->q0, m->size.nq);
    write_doubles(f, x->prefix, "u0", m->u0, m->size.nu);
    write_names(x, "coordinate", m->names.coordinate, m->size.nq);
    if (m->size.nq != m->size.nu) write_names(x, "velocity", m->names.velocity, m->size.nu);
    write_contacts(x);
    for (int i = 0; i < x->n; i++) {
        char name[80];
        const answer *a = &x->answer[i];
        if (!a->pattern) continue;
        snprintf(name, sizeof name, "%s_start", a->name);
        write_ints(f, x->prefix, name, a->pattern->start, a->pattern->n_row + 1);
        snprintf(name, sizeof name, "%s_index", a->name);
        write_ints(f, x->prefix, name, a->pattern->index, a->n);
    }
    fputc('\n', f);
}

// live parameters have the values that the model was made with
static bool find_firm(exporting *x)
{
    const carom_live *live = x->model->live;
    if (!live) return true;
    unsigned char *is_given = CAROM_TAKE(x->arena, unsigned char, live->n);
    double *parameter = CAROM_TAKE(x->arena, double, live->n);
    x->firm = CAROM_TAKE(x->arena, double, live->firm.n);
    if (!is_given || !parameter || !x->firm) return false;
    carom_firm_run(&live->firm, is_given, parameter, x->firm);
    return true;
}

static bool write_all(exporting *x)
{
    if (!find_firm(x)) return false;
    choose_prefix(x);
    list_answers(x);
    for (int i = 0; i < x->n; i++)
        if (!fill_targets(x, i)) return false;
    write_head(x);
    write_moves(x);
    write_declarations(x);
    if (carom_c_write_head(x->file, x->l->graph, x->function, x->n) < 0) return false;
    write_data(x);
    for (int i = 0; i < x->n; i++)
        if (!carom_c_write_function(x->file, x->l->graph, &x->function[i])) return false;
    fputs("#endif\n", x->file);
    return !ferror(x->file);
}

carom_status carom_model_to_c(const carom_model *model, char **text, carom_error *error)
{
    size_t length = 0;
    CAROM_NEED(error, text);
    *text = NULL;
    CAROM_NEED(error, model);
    if (model->kind == &carom_model_of_near_shapes)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "contacts of shapes that come and go cannot be written as C, only those "
                          "that last (detection: {lasting: 1000}) and gaps as equations");
    if (model->energies.elastic)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the matrices of elastic bodies are not expressions: a model with "
                          "'elastic' cannot be written as C");
    if (model->kind != &carom_model_of_equations)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "only a model given by equations can be written as C");
    if (model->layout.coefficients.mu_q.start)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "friction and restitution that are expressions, and friction_static, "
                          "cannot be written as C: a contact has numbers there");
    exporting *x = calloc(1, sizeof *x);
    bool is_written = false;
    if (x) {
        x->model = model;
        x->l = model->self;
        x->arena = carom_arena_new();
        x->file = open_memstream(text, &length);
        is_written = x->arena && x->file && write_all(x);
        if (x->file && fclose(x->file) != 0) is_written = false;
        carom_arena_free(x->arena);
    }
    free(x);
    if (is_written) return CAROM_OK;
    free(*text);
    *text = NULL;
    return carom_fail(error, CAROM_NO_MEMORY, "not enough memory to write the model as C");
}
