// SPDX-License-Identifier: Apache-2.0
// Bars and beams from words: section, material, directions, ends, and what is fastened to them.
//
//     fastened at x:   M += m (Hu Hu' + Hv Hv' + Hw Hw') + J (Hb Hb' + Hc Hc') + Jp Ha Ha'
//     spinning there:  on b  -Jp a' c',  on c  +Jp a' b'        (no power)
//
// H are the rows of x in its element: nothing but nodes has coordinates.
#include "model/elastic/elastic_making.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// ---- where it lies ----

// u from `from` to `to`; v from section_y, or the least turn from y; w behind both
static carom_status find_directions(carom_elastic_making *m)
{
    double to[3], y[3];
    const carom_word_text *from = carom_elastic_word(m, "from");
    if (!from || !carom_elastic_word(m, "to"))
        return carom_elastic_refuse(m, "from", "needs both ends (write from: [0, 0], to: [1, 0])");
    m->dim = from->n == 3 ? 3 : 2;
    CAROM_TRY(carom_elastic_vector(m, "from", m->from));
    CAROM_TRY(carom_elastic_vector(m, "to", to));
    CAROM_TRY(carom_elastic_vector(m, "section_y", y));
    if (m->dim == 2 && carom_elastic_word(m, "section_y"))
        return carom_elastic_refuse(m, "section_y", "lies in the plane (leave section_y out)");
    double *u = m->axis[0], *v = m->axis[1], *w = m->axis[2];
    for (int i = 0; i < 3; i++) u[i] = to[i] - m->from[i];
    m->length = sqrt(dot(u, u));
    if (!(m->length > 0)) return carom_elastic_refuse(m, "to", "has no length: both ends are one");
    for (int i = 0; i < 3; i++) u[i] /= m->length;
    if (m->dim == 2) y[0] = -u[1], y[1] = u[0];
    if (dot(y, y) == 0) y[fabs(u[1]) < 0.9 ? 1 : 0] = 1;
    const double along = dot(y, u);
    for (int i = 0; i < 3; i++) v[i] = y[i] - along * u[i];
    const double size = sqrt(dot(v, v));
    if (!(size > 1e-9 * sqrt(dot(y, y))))
        return carom_elastic_refuse(m, "section_y", "has section_y along itself");
    for (int i = 0; i < 3; i++) v[i] /= size;
    for (int i = 0; i < 3; i++)
        w[i] = u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3];
    return CAROM_OK;
}

// ---- section and material ----

typedef struct section {
    double A, I[2], J, shear; // I[0] against v; shear factor 0 = stiff
} section;

static carom_status number_at(const carom_elastic_making *m, const char *key, int i, double *value)
{
    const carom_word_text *word = carom_elastic_word(m, key);
    CAROM_TRY(carom_making_number(m->making, word->value[i], key, value));
    if (*value > 0) return CAROM_OK;
    return carom_elastic_refuse(m, key, "needs '%s' above 0, it is %g", key, *value);
}

// torsion as R. J. Roark has it
static carom_status read_box(const carom_elastic_making *m, section *s)
{
    double h, b;
    if (carom_elastic_word(m, "section.box")->n != 2)
        return carom_elastic_refuse(m, "section.box", "needs the height and the width of its box");
    CAROM_TRY(number_at(m, "section.box", 0, &h));
    CAROM_TRY(number_at(m, "section.box", 1, &b));
    const double t = fmin(h, b) / fmax(h, b), wide = fmax(h, b);
    *s = (section){.A = h * b, .I = {b * h * h * h / 12, h * b * b * b / 12}};
    s->J = pow(wide, 4) * t * t * t * (1 / 3.0 - 0.21 * t * (1 - t * t * t * t / 12));
    return CAROM_OK;
}

static carom_status read_numbers(const carom_elastic_making *m, bool bends, section *s)
{
    const carom_word_text *inertia = carom_elastic_word(m, "section.inertia");
    CAROM_TRY(carom_elastic_size(m, "section.area", false, NAN, &s->A));
    CAROM_TRY(carom_elastic_size(m, "section.torsion", false, 1, &s->J));
    s->I[0] = s->I[1] = 1;
    if (!bends) return CAROM_OK;
    if (!inertia || inertia->n != m->dim - 1)
        return carom_elastic_refuse(m, "section", "needs the inertia of its section (write %s)",
                                    m->dim == 2 ? "inertia: 8e-10" : "inertia: [Iy, Iz]");
    if (m->line.has[CAROM_LINE_A] && !carom_elastic_word(m, "section.torsion"))
        return carom_elastic_refuse(m, "section",
                                    "needs the torsion of its section (write "
                                    "torsion: 1.4e-9)");
    CAROM_TRY(number_at(m, "section.inertia", inertia->n - 1, &s->I[0])); // Iz: against v
    return number_at(m, "section.inertia", 0, &s->I[1]);
}

static carom_status read_section(const carom_elastic_making *m, bool bends, section *s)
{
    *s = (section){0};
    const bool has_radius = carom_elastic_word(m, "section.radius") != NULL;
    const bool has_box = carom_elastic_word(m, "section.box") != NULL;
    const bool has_area = carom_elastic_word(m, "section.area") != NULL;
    if (has_radius + has_box + has_area != 1)
        return carom_elastic_refuse(m, "section",
                                    "needs one of radius, box and area (write "
                                    "section: {radius: 0.005})");
    if (has_radius) {
        double r;
        CAROM_TRY(carom_elastic_size(m, "section.radius", false, NAN, &r));
        const double I = PI * r * r * r * r / 4;
        *s = (section){.A = PI * r * r, .I = {I, I}, .J = 2 * I};
    } else if (has_box) {
        CAROM_TRY(read_box(m, s));
    } else {
        CAROM_TRY(read_numbers(m, bends, s));
    }
    return carom_elastic_size(m, "section.shear", false, INFINITY, &s->shear);
}

static carom_status read_material(carom_elastic_making *m, bool bends)
{
    section s;
    double E, G, nu, rho;
    carom_line *line = &m->line;
    CAROM_TRY(carom_elastic_size(m, "elasticity.E", false, NAN, &E));
    CAROM_TRY(carom_elastic_size(m, "elasticity.density", false, NAN, &rho));
    CAROM_TRY(carom_elastic_number(m, "elasticity.nu", 0.3, &nu));
    if (!(nu > -1 && nu <= 0.5))
        return carom_elastic_refuse(m, "elasticity.nu", "has nu = %g, not between -1 and 0.5", nu);
    CAROM_TRY(carom_elastic_size(m, "elasticity.G", false, E / (2 * (1 + nu)), &G));
    CAROM_TRY(read_section(m, bends, &s));
    const double l = line->length;
    line->EA = E * s.A;
    line->GJ = G * s.J;
    line->mass = rho * s.A;
    line->polar = rho * (s.I[0] + s.I[1]);
    for (int k = 0; k < 2; k++) {
        line->EI[k] = E * s.I[k];
        line->shear[k] = isinf(s.shear) ? 0 : 12 * line->EI[k] / (G * s.A * s.shear * l * l);
    }
    return CAROM_OK;
}

// ---- motions and ends ----

static carom_status read_lumping(carom_elastic_making *m)
{
    static const char *const name[] = {"consistent", "lumped", "average"};
    const carom_word_text *word = carom_elastic_word(m, "lumping");
    m->line.lumping = CAROM_MASS_CONSISTENT;
    if (!word) return CAROM_OK;
    for (int i = 0; i < 3; i++)
        if (word->n == 1 && strcmp(word->value[0].text, name[i]) == 0) {
            m->line.lumping = (carom_lumping)i;
            return CAROM_OK;
        }
    return carom_elastic_refuse(m, "lumping",
                                "has lumping consistent, lumped or average, not "
                                "'%.40s'",
                                word->n ? word->value[0].text : "");
}

static carom_status add_motion(carom_elastic_making *m, const char *name)
{
    bool *has = m->line.has;
    const bool is_space = m->dim == 3;
    if (strcmp(name, "stretch") == 0) {
        has[CAROM_LINE_U] = true;
    } else if (strcmp(name, "bending") == 0) {
        has[CAROM_LINE_V] = has[CAROM_LINE_B] = true;
        has[CAROM_LINE_W] = has[CAROM_LINE_C] = is_space;
    } else if (strcmp(name, "twist") == 0 && is_space) {
        has[CAROM_LINE_A] = true;
    } else {
        return carom_elastic_refuse(m, "motions", "has motions stretch, bending%s, not '%.40s'",
                                    is_space ? " and twist" : " (twist in space)", name);
    }
    return CAROM_OK;
}

static carom_status read_motions(carom_elastic_making *m, bool *bends)
{
    const carom_word_text *kind = carom_elastic_word(m, "kind");
    const carom_word_text *motions = carom_elastic_word(m, "motions");
    const char *name = kind && kind->n == 1 ? kind->value[0].text : "";
    if (strrchr(name, '.')) name = strrchr(name, '.') + 1; // of a component with a body called bar
    const bool is_bar = strcmp(name, "bar") == 0;
    if (!is_bar && strcmp(name, "beam") != 0)
        return carom_elastic_refuse(m, "kind",
                                    "is a bar or a beam, not '%.40s' (write kind: bar, "
                                    "or files: ..)",
                                    name);
    if (is_bar && motions)
        return carom_elastic_refuse(m, "motions",
                                    "is a bar, which stretches only (leave motions "
                                    "out, or take a beam)");
    for (int i = 0; motions && i < motions->n; i++)
        CAROM_TRY(add_motion(m, motions->value[i].text));
    if (is_bar || !motions) CAROM_TRY(add_motion(m, "stretch"));
    if (!is_bar && !motions) CAROM_TRY(add_motion(m, "bending"));
    if (!is_bar && !motions && m->dim == 3) CAROM_TRY(add_motion(m, "twist"));
    *bends = m->line.has[CAROM_LINE_V];
    return CAROM_OK;
}

static carom_status read_ends(const carom_elastic_making *m, bool held[2][CAROM_LINE_MOTIONS])
{
    static const bool is_displacement[CAROM_LINE_MOTIONS] = {true, true, false, true, false, false};
    const carom_word_text *word = carom_elastic_word(m, "ends");
    memset(held, 0, sizeof(bool) * 2 * CAROM_LINE_MOTIONS);
    if (word && word->n != 2)
        return carom_elastic_refuse(m, "ends", "has two ends (write ends: [fixed, free])");
    for (int k = 0; word && k < 2; k++) {
        const char *name = word->value[k].text;
        const bool is_fixed = strcmp(name, "fixed") == 0, is_pinned = strcmp(name, "pinned") == 0;
        if (!is_fixed && !is_pinned && strcmp(name, "free") != 0)
            return carom_elastic_refuse(m, "ends",
                                        "has ends that are free, pinned or fixed, not "
                                        "'%.40s'",
                                        name);
        for (int i = 0; i < CAROM_LINE_MOTIONS; i++)
            held[k][i] = is_fixed || (is_pinned && is_displacement[i]);
    }
    return CAROM_OK;
}

// per unknown: what it is, of which node, and where that is
static carom_status describe_unknowns(carom_elastic_making *m)
{
    carom_elastic *body = m->body;
    carom_arena *arena = m->making->model->arena;
    const carom_line *line = &m->line;
    body->n = line->n;
    body->n_node = line->n_element + 1;
    body->is_line = true;
    memcpy(body->from, m->from, sizeof body->from);
    memcpy(body->axis, m->axis, sizeof body->axis);
    body->size = m->length;
    body->frequency = carom_line_frequency(line);
    body->motion = CAROM_TAKE(arena, char, line->n);
    body->node = CAROM_TAKE(arena, int, line->n);
    body->at = carom_arena_take(arena, sizeof *body->at * (size_t)(line->n > 0 ? line->n : 1));
    if (!body->motion || !body->node || !body->at) return carom_making_no_memory(m->making);
    for (int k = 0; k <= line->n_element; k++)
        for (int i = 0; i < CAROM_LINE_MOTIONS; i++) {
            const int unknown = line->unknown[k * CAROM_LINE_MOTIONS + i];
            if (unknown < 0) continue;
            body->motion[unknown] = CAROM_LINE_LETTERS[i];
            body->node[unknown] = k;
            for (int c = 0; c < 3; c++)
                body->at[unknown][c] = m->from[c] + k * line->length * m->axis[0][c];
        }
    return CAROM_OK;
}

carom_status carom_elastic_line(carom_elastic_making *m)
{
    double n;
    bool bends = false, held[2][CAROM_LINE_MOTIONS];
    CAROM_TRY(find_directions(m));
    CAROM_TRY(carom_elastic_number(m, "elements", NAN, &n));
    if (!(n >= 1) || n != floor(n))
        return carom_elastic_refuse(m, "elements",
                                    "has a whole number of elements, at least 1, "
                                    "not %g",
                                    n);
    const double most = m->making->builder->limits.members;
    m->making->n_member += n + 1;
    if (m->making->n_member > most)
        return carom_limit_fail(m->making->error, m->text->place, "the families of the model have",
                                "members", most);
    m->line.n_element = (int)n;
    m->line.length = m->length / n;
    CAROM_TRY(read_motions(m, &bends));
    CAROM_TRY(read_lumping(m));
    CAROM_TRY(read_material(m, bends));
    CAROM_TRY(read_ends(m, held));
    if (!carom_line_number(&m->line, held, m->making->arena))
        return carom_making_no_memory(m->making);
    if (m->line.n == 0) return carom_elastic_refuse(m, "ends", "has no unknowns: all is held");
    return describe_unknowns(m);
}

// ---- what is fastened to it ----

static void add_outer(carom_sparse_sum *to, const carom_line_point *H, double factor)
{
    for (int i = 0; i < H->n; i++)
        for (int j = 0; j < H->n; j++)
            carom_sparse_sum_add(to, H->unknown[i], H->unknown[j],
                                 factor * H->share[i] * H->share[j]);
}

static void fasten_mass(carom_elastic_making *m, double x, double mass)
{
    static const carom_line_motion motion[3] = {CAROM_LINE_U, CAROM_LINE_V, CAROM_LINE_W};
    for (int k = 0; k < 3; k++) {
        const carom_line_point H = carom_line_at(&m->line, x, motion[k]);
        add_outer(&m->matrices.M, &H, mass);
        for (int i = 0; i < H.n; i++)
            m->body->load[H.unknown[i]] += mass * dot(m->g, m->axis[k]) * H.share[i];
    }
}

// inertia: [along the axis, across], of the plane the one number
static carom_status fasten_inertia(carom_elastic_making *m, const char *key, double x)
{
    const carom_word_text *word = carom_elastic_word(m, key);
    double J[2];
    if (!word) return CAROM_OK;
    if (word->n != m->dim - 1)
        return carom_elastic_refuse(m, key, "needs %s for what is fastened to it",
                                    m->dim == 2 ? "one inertia"
                                                : "inertia: [about the axis, "
                                                  "across]");
    for (int i = 0; i < word->n; i++) CAROM_TRY(number_at(m, key, i, &J[i]));
    const carom_line_point b = carom_line_at(&m->line, x, CAROM_LINE_B),
                           c = carom_line_at(&m->line, x, CAROM_LINE_C),
                           a = carom_line_at(&m->line, x, CAROM_LINE_A);
    add_outer(&m->matrices.M, &b, J[m->dim - 2]);
    if (m->dim == 2) return CAROM_OK;
    add_outer(&m->matrices.M, &c, J[1]);
    add_outer(&m->matrices.M, &a, J[0]);
    return CAROM_OK;
}

// each point NAME has a word points.NAME.at
static const char *point_name(const carom_elastic_making *m, int i_word)
{
    static const char head[] = "points.", tail[] = ".at";
    const char *key = m->text->word[i_word].key.text;
    const size_t n = strlen(key), n_head = sizeof head - 1, n_tail = sizeof tail - 1;
    if (strncmp(key, head, n_head) != 0 || n <= n_head + n_tail ||
        strcmp(key + n - n_tail, tail) != 0)
        return NULL;
    return carom_arena_copy(m->making->arena, key + n_head, n - n_head - n_tail);
}

static carom_status point_place(const carom_elastic_making *m, const char *name, double *x)
{
    const char *key = carom_arena_format(m->making->arena, "points.%s.at", name);
    if (!key) return carom_making_no_memory(m->making);
    CAROM_TRY(carom_elastic_number(m, key, NAN, x));
    if (*x >= -1e-12 * m->length && *x <= (1 + 1e-12) * m->length) return CAROM_OK;
    return carom_elastic_refuse(m, key, "has no point at %g: it goes from 0 to %g", *x, m->length);
}

static carom_status fasten(carom_elastic_making *m, const char *name)
{
    double x, mass;
    const char *key = carom_arena_format(m->making->arena, "points.%s.mass", name);
    const char *inertia = carom_arena_format(m->making->arena, "points.%s.inertia", name);
    if (!key || !inertia) return carom_making_no_memory(m->making);
    CAROM_TRY(point_place(m, name, &x));
    CAROM_TRY(carom_elastic_size(m, key, true, 0, &mass));
    if (mass > 0) fasten_mass(m, x, mass);
    return fasten_inertia(m, inertia, x);
}

carom_status carom_elastic_line_matrices(carom_elastic_making *m)
{
    double alpha, beta, twist, g[3];
    CAROM_TRY(carom_elastic_size(m, "damping.mass", true, 0, &alpha));
    CAROM_TRY(carom_elastic_size(m, "damping.stiffness", true, 0, &beta));
    CAROM_TRY(carom_elastic_size(m, "damping.twist", true, beta, &twist));
    m->body->alpha = alpha;
    m->body->beta = fmax(beta, twist);
    carom_line_assemble(&m->line, alpha, beta, twist, &m->matrices);
    for (int k = 0; k < 3; k++) g[k] = dot(m->g, m->axis[k]);
    carom_line_weigh(&m->line, g, m->body->load);
    for (int i = 0; i < m->text->n_word; i++) {
        const char *name = point_name(m, i);
        if (name) CAROM_TRY(fasten(m, name));
    }
    return CAROM_OK;
}

// ---- names of points ----

static carom_ref weave(const carom_elastic_making *m, const carom_line_point *H)
{
    carom_graph *g = m->making->graph;
    carom_ref sum = carom_graph_number(g, 0);
    for (int i = 0; i < H->n; i++)
        sum = carom_graph_add(
            g, sum,
            carom_graph_mul(g, carom_graph_number(g, H->share[i]), m->symbol[H->unknown[i]]));
    return sum;
}

static carom_status name_point(const carom_elastic_making *m, const char *point, char letter,
                               carom_ref ref)
{
    const carom_entry entry = {
        .name = carom_arena_format(m->making->arena, "%s.%s.%c", m->text->name.text, point, letter),
        .meaning = CAROM_MEANS_DEFINE,
        .ref = ref,
        .place = m->text->place};
    if (!entry.name) return carom_making_no_memory(m->making);
    return carom_scope_add(m->making->scope, &entry, m->making->error);
}

// where the point is: NAME.POINT.x, ...
static carom_status name_places(const carom_elastic_making *m, const char *point, double x,
                                const carom_ref *motion)
{
    static const carom_line_motion along[3] = {CAROM_LINE_U, CAROM_LINE_V, CAROM_LINE_W};
    carom_graph *g = m->making->graph;
    for (int c = 0; c < m->dim; c++) {
        carom_ref sum = carom_graph_number(g, m->from[c] + x * m->axis[0][c]);
        for (int k = 0; k < 3; k++)
            sum = carom_graph_add(
                g, sum, carom_graph_mul(g, carom_graph_number(g, m->axis[k][c]), motion[along[k]]));
        CAROM_TRY(name_point(m, point, "xyz"[c], sum));
    }
    return CAROM_OK;
}

// a wheel that spins with the twist of a beam that bends in space
static carom_status note_wheel(const carom_elastic_making *m, const char *point,
                               const carom_ref *motion)
{
    const char *key = carom_arena_format(m->making->arena, "points.%s.inertia", point);
    if (!key) return carom_making_no_memory(m->making);
    if (!carom_elastic_word(m, key) || !m->line.has[CAROM_LINE_A] || !m->line.has[CAROM_LINE_B])
        return CAROM_OK;
    carom_wheel *wheel = CAROM_LIST_ADD(m->making->arena, &m->making->wheel);
    if (!wheel) return carom_making_no_memory(m->making);
    *wheel = (carom_wheel){motion[CAROM_LINE_A], motion[CAROM_LINE_B], motion[CAROM_LINE_C], 0};
    return number_at(m, key, 0, &wheel->inertia);
}

carom_status carom_elastic_points(carom_elastic_making *m)
{
    for (int i = 0; i < m->text->n_word; i++) {
        const char *name = point_name(m, i);
        double x;
        carom_ref motion[CAROM_LINE_MOTIONS];
        if (!name) continue;
        CAROM_TRY(point_place(m, name, &x));
        for (int k = 0; k < CAROM_LINE_MOTIONS; k++) {
            const carom_line_point H = carom_line_at(&m->line, x, (carom_line_motion)k);
            motion[k] = weave(m, &H);
            if (m->line.has[k]) CAROM_TRY(name_point(m, name, CAROM_LINE_LETTERS[k], motion[k]));
        }
        CAROM_TRY(name_places(m, name, x, motion));
        CAROM_TRY(note_wheel(m, name, motion));
    }
    return CAROM_OK;
}
