// SPDX-License-Identifier: Apache-2.0
// Section `beams`: a beam becomes N+1 bodies and N force elements (model/elements/beam.c),
//
//     bodies           NAME[0] .. NAME[N]   m_i = rho A (l_i + l_i+1)/2,   J_i likewise
//     force elements   NAME.e[i]            between NAME[i-1] and NAME[i]
//
// written out as families whose texts contain what the file says, so that parameters, N included,
// stay parameters. Nodes are where `nodes` says, a text of i, or on a line in equal parts. An end
// that is pinned or fixed is carried by its body; in space a joint holds it there, unless that body
// is the ground. Nodes of one beam do not touch each other (kin).
#include "modelfile/parts/beams.h"

#include "expr/text/syntax.h"
#include "modelfile/body_words.h"

#include <ctype.h>
#include <string.h>

enum { FREE, PINNED, FIXED };

typedef struct beam_end {
    int how;
    carom_text body, rate;
    carom_vector_text at;
} beam_end;

// what the file says, and the texts that follow
typedef struct beam {
    carom_modelfile *file;
    const carom_node *node;
    carom_error *error;
    const char *name;
    carom_place place;
    int dim;
    beam_end end[2];
    carom_text elements, length, beta, alpha;
    carom_vector_text nodes, along, velocity, spin, section_y;
    const char *n;                                 // (N)
    const char *x[3];                              // of node i
    const char *A, *Iy, *Iz, *turning, *GAy, *GAz; // of the section; GA may be NULL
    const char *E, *G, *rho;                       //
    const carom_node *radius, *material, *colour;  // of what touches
} beam;

static carom_status no_memory(carom_error *error)
{
    return carom_fail(error, CAROM_NO_MEMORY, "memory ran out while reading a beam");
}

#define FORMAT(b, ...) carom_arena_format((b)->file->arena, __VA_ARGS__)

static carom_text text_of(const beam *b, const char *text)
{
    return (carom_text){text, b->place};
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.';
}

// a text of i with another index in its place
static const char *at_index(const beam *b, const char *text, const char *index)
{
    const char *made = "";
    if (!text) return NULL;
    for (const char *p = text; *p && made;) {
        const char *end = p + 1;
        if (is_word(*p))
            while (is_word(*end)) end++;
        const bool is_index = *p == 'i' && end == p + 1;
        made = is_index ? FORMAT(b, "%s(%s)", made, index)
                        : FORMAT(b, "%s%.*s", made, (int)(end - p), p);
        p = end;
    }
    return made;
}

// ---- what the file says ----

// texts go into larger ones: their mistakes are found here, where they stand
static carom_status check_text(const beam *b, carom_text text)
{
    const carom_syntax *syntax;
    return text.text ? carom_syntax_parse(b->file->arena, text, &syntax, b->error) : CAROM_OK;
}

static carom_status check_vector(const beam *b, const carom_vector_text *vector, const char *what)
{
    if (vector->n > 0 && vector->n != b->dim)
        return carom_fail_at(b->error, vector->part[0].place, CAROM_BAD_INPUT,
                             "'%s' of the beam '%.60s' has %d components %s", what, b->name, b->dim,
                             b->dim == 2 ? "in the plane" : "in space");
    for (int i = 0; i < vector->n; i++) CAROM_TRY(check_text(b, vector->part[i]));
    return CAROM_OK;
}

static carom_status read_end(beam *b, const carom_node *node, const char *key, beam_end *end)
{
    static const carom_field field[] = {
        {"body", CAROM_FIELD_TEXT, true, "body: ground"},
        {"at", CAROM_FIELD_TEXTS, true, "at: [0, 0]"},
        {"end", CAROM_FIELD_TEXT, true, "end: pinned"},
        {"rate", CAROM_FIELD_TEXT, false, "rate: 0"},
        {.kind = CAROM_FIELD_END},
    };
    const carom_node *value[CAROM_MOST_FIELDS];
    *end = (beam_end){.how = FREE};
    if (!node || (node->kind == CAROM_NODE_TEXT && strcmp(node->text, "free") == 0))
        return CAROM_OK;
    if (node->kind != CAROM_NODE_MAPPING)
        return carom_fail_at(b->error, node->place, CAROM_BAD_INPUT,
                             "'%s' of a beam is free, or the body that holds it (write %s: {body: "
                             "ground, at: [0, 0], end: pinned})",
                             key, key);
    CAROM_TRY(carom_fields_read(node, "an end of a beam", field, value, b->error));
    CAROM_TRY(carom_fields_text(value[0], field[0].example, &end->body, b->error));
    CAROM_TRY(carom_read_vector(value[1], &end->at, b->error));
    CAROM_TRY(carom_fields_text(value[3], field[3].example, &end->rate, b->error));
    end->how = strcmp(value[2]->text, "pinned") == 0 ? PINNED : FIXED;
    if (end->how == FIXED && strcmp(value[2]->text, "fixed") != 0)
        return carom_fail_at(b->error, value[2]->place, CAROM_BAD_INPUT,
                             "an end of a beam is pinned or fixed, not '%.40s'", value[2]->text);
    return CAROM_OK;
}

static carom_status lack(const beam *b, carom_place place, const char *what)
{
    return carom_fail_at(b->error, place, CAROM_BAD_INPUT, "the beam '%.60s' needs %s", b->name,
                         what);
}

static const char *text_or(const carom_node *node, const char *otherwise)
{
    return node ? node->text : otherwise;
}

// A, I, torsion and shear from a radius, a box (height along y, width along z), or numbers
static carom_status read_section(beam *b, const carom_node *node)
{
    static const carom_field field[] = {
        {"radius", CAROM_FIELD_TEXT, false, "radius: 0.005"},
        {"box", CAROM_FIELD_TEXTS, false, "box: [0.02, 0.01]"},
        {"area", CAROM_FIELD_TEXT, false, "area: 1e-4"},
        {"inertia", CAROM_FIELD_TEXTS, false, "inertia: 8e-10"},
        {"torsion", CAROM_FIELD_TEXT, false, "torsion: 1.4e-9"},
        {"shear", CAROM_FIELD_TEXT, false, "shear: 5/6"},
        {.kind = CAROM_FIELD_END},
    };
    const carom_node *value[CAROM_MOST_FIELDS];
    const char *turning = NULL, *shear = NULL;
    carom_text part[2] = {{0}};
    int n = 0;
    CAROM_TRY(carom_fields_read(node, "a section", field, value, b->error));
    if (!!value[0] + !!value[1] + !!value[2] != 1)
        return lack(b, node->place, "one of radius, box and area (write section: {radius: 0.005})");
    if (!value[2] && (value[3] || value[4]))
        return carom_fail_at(b->error, (value[3] ? value[3] : value[4])->place, CAROM_BAD_INPUT,
                             "inertia and torsion go with 'area'; they follow from the shape of "
                             "the section here (leave this out)");
    if (value[0]) {
        const char *r = value[0]->text;
        b->A = FORMAT(b, "(pi*(%s)^2)", r);
        b->Iy = b->Iz = FORMAT(b, "(pi*(%s)^4/4)", r);
        turning = FORMAT(b, "(pi*(%s)^4/2)", r);
        shear = "0.9";
    } else if (value[1]) {
        CAROM_TRY(carom_fields_texts(value[1], 2, part, &n, b->error));
        if (n != 2) return lack(b, value[1]->place, "the height and the width of its box");
        const char *h = part[0].text, *w = part[1].text;
        b->A = FORMAT(b, "((%s)*(%s))", h, w);
        b->Iz = FORMAT(b, "((%s)*(%s)^3/12)", w, h);
        b->Iy = FORMAT(b, "((%s)*(%s)^3/12)", h, w);
        // Roark: a >= b, within 4 per mille of the series
        const char *t = FORMAT(b, "(min(%s,%s)/max(%s,%s))", h, w, h, w);
        turning = FORMAT(b, "(max(%s,%s)^4*%s^3*(1/3 - 0.21*%s*(1 - %s^4/12)))", h, w, t, t, t);
        shear = "5/6";
    } else {
        b->A = FORMAT(b, "(%s)", value[2]->text);
        if (value[3]) CAROM_TRY(carom_fields_texts(value[3], 2, part, &n, b->error));
        if (n != b->dim - 1)
            return lack(b, node->place,
                        b->dim == 2 ? "the inertia of its section (write inertia: 8e-10)"
                                    : "two inertias of its section (write inertia: [Iy, Iz])");
        b->Iy = FORMAT(b, "(%s)", part[0].text);
        b->Iz = FORMAT(b, "(%s)", part[n - 1].text);
        if (b->dim == 3 && !value[4])
            return lack(b, node->place, "the torsion of its section (write torsion: 1.4e-9)");
        turning = FORMAT(b, "(%s)", text_or(value[4], "1"));
    }
    for (int i = 0; i < 6; i++)
        if (value[i] && value[i]->kind == CAROM_NODE_TEXT)
            CAROM_TRY(check_text(b, (carom_text){value[i]->text, value[i]->place}));
    for (int i = 0; i < n; i++) CAROM_TRY(check_text(b, part[i]));
    b->turning = turning;
    shear = text_or(value[5], shear);
    if (shear) b->GAy = b->GAz = FORMAT(b, "(%s)*%s*(%s)", b->G, b->A, shear);
    return CAROM_OK;
}

static carom_status read_elasticity(beam *b, const carom_node *node)
{
    static const carom_field field[] = {
        {"E", CAROM_FIELD_TEXT, true, "E: 2.1e11"},
        {"density", CAROM_FIELD_TEXT, true, "density: 7800"},
        {"nu", CAROM_FIELD_TEXT, false, "nu: 0.3"},
        {"G", CAROM_FIELD_TEXT, false, "G: 8e10"},
        {.kind = CAROM_FIELD_END},
    };
    const carom_node *value[CAROM_MOST_FIELDS];
    CAROM_TRY(carom_fields_read(node, "'elasticity'", field, value, b->error));
    if (value[2] && value[3])
        return carom_fail_at(b->error, value[3]->place, CAROM_BAD_INPUT,
                             "G follows from E and nu (leave one of them out)");
    for (int i = 0; i < 4; i++)
        if (value[i]) CAROM_TRY(check_text(b, (carom_text){value[i]->text, value[i]->place}));
    b->E = FORMAT(b, "(%s)", value[0]->text);
    b->rho = FORMAT(b, "(%s)", value[1]->text);
    b->G = value[3] ? FORMAT(b, "(%s)", value[3]->text)
                    : FORMAT(b, "(%s/(2*(1 + (%s))))", b->E, text_or(value[2], "0.3"));
    return CAROM_OK;
}

static carom_status read_damping(beam *b, const carom_node *node)
{
    static const carom_field field[] = {
        {"stiffness", CAROM_FIELD_TEXT, false, "stiffness: 1e-5"},
        {"mass", CAROM_FIELD_TEXT, false, "mass: 0.1"},
        {.kind = CAROM_FIELD_END},
    };
    const carom_node *value[CAROM_MOST_FIELDS];
    if (!node) return CAROM_OK;
    CAROM_TRY(carom_fields_read(node, "'damping'", field, value, b->error));
    CAROM_TRY(carom_fields_text(value[0], field[0].example, &b->beta, b->error));
    CAROM_TRY(carom_fields_text(value[1], field[1].example, &b->alpha, b->error));
    CAROM_TRY(check_text(b, b->beta));
    return check_text(b, b->alpha);
}

static carom_status read_contact(beam *b, const carom_node *node)
{
    static const carom_field field[] = {
        {"radius", CAROM_FIELD_TEXT, true, "radius: 0.005"},
        {"material", CAROM_FIELD_TEXT, false, "material: rubber"},
        {.kind = CAROM_FIELD_END},
    };
    const carom_node *value[CAROM_MOST_FIELDS];
    if (!node) return CAROM_OK;
    CAROM_TRY(carom_fields_read(node, "'contact'", field, value, b->error));
    b->radius = value[0];
    b->material = value[1];
    return CAROM_OK;
}

// whether it lies in the plane or in space: as its vectors have two components or three
static carom_status find_dimension(beam *b)
{
    for (int k = 0; k < 2; k++)
        if (!b->dim && b->end[k].at.n > 1) b->dim = b->end[k].at.n;
    if (!b->dim) return lack(b, b->place, "to know where it is (write nodes: [0.1*i, 0])");
    for (int k = 0; k < 2; k++) {
        const beam_end *end = &b->end[k];
        if (end->at.n > 1) CAROM_TRY(check_vector(b, &end->at, "at"));
        if (end->rate.text && (end->how == FIXED || b->dim == 3))
            return carom_fail_at(b->error, end->rate.place, CAROM_BAD_INPUT,
                                 "'rate' is the turning of a pinned end of the plane at the "
                                 "start (leave it out)");
    }
    return CAROM_OK;
}

static const carom_field field[] = {
    {"elements", CAROM_FIELD_TEXT, true, "elements: 20"},
    {"section", CAROM_FIELD_MAPPING, true, "section: {radius: 0.005}"},
    {"elasticity", CAROM_FIELD_MAPPING, true, "elasticity: {E: 2.1e11, density: 7800}"},
    {"from", CAROM_FIELD_ANY, false, "from: {body: ground, at: [0, 0], end: pinned}"},
    {"to", CAROM_FIELD_ANY, false, "to: free"},
    {"length", CAROM_FIELD_TEXT, false, "length: 1"},
    {"along", CAROM_FIELD_LIST, false, "along: [1, 0]"},
    {"nodes", CAROM_FIELD_LIST, false, "nodes: [0.1*i, 0]"},
    {"damping", CAROM_FIELD_MAPPING, false, "damping: {stiffness: 1e-5}"},
    {"contact", CAROM_FIELD_MAPPING, false, "contact: {radius: 0.005, material: rubber}"},
    {"velocity", CAROM_FIELD_LIST, false, "velocity: [0, 1]"},
    {"spin", CAROM_FIELD_TEXTS, false, "spin: 1"},
    {"section_y", CAROM_FIELD_LIST, false, "section_y: [0, 0, 1]"},
    {"colour", CAROM_FIELD_TEXT, false, "colour: \"#c62828\""},
    {.kind = CAROM_FIELD_END},
};
enum {
    ELEMENTS,
    SECTION,
    ELASTICITY,
    FROM,
    TO,
    LENGTH,
    ALONG,
    NODES,
    DAMPING,
    CONTACT,
    VELOCITY,
    SPIN,
    SECTION_Y,
    COLOUR
};

static carom_status read_beam_words(beam *b)
{
    const carom_node *value[CAROM_MOST_FIELDS];
    CAROM_TRY(carom_fields_kind(b->node, CAROM_NODE_MAPPING,
                                "cord: {elements: 20, section: {radius: 0.005}, ...}", b->error));
    CAROM_TRY(carom_fields_read(b->node, "a beam", field, value, b->error));
    CAROM_TRY(carom_fields_text(value[ELEMENTS], field[ELEMENTS].example, &b->elements, b->error));
    CAROM_TRY(carom_fields_text(value[LENGTH], field[LENGTH].example, &b->length, b->error));
    const struct {
        int key;
        carom_vector_text *vector;
    } vector[] = {{ALONG, &b->along},
                  {NODES, &b->nodes},
                  {VELOCITY, &b->velocity},
                  {SECTION_Y, &b->section_y}};
    for (int i = 0; i < 4; i++) {
        CAROM_TRY(carom_read_vector(value[vector[i].key], vector[i].vector, b->error));
        if (!b->dim) b->dim = vector[i].vector->n;
    }
    CAROM_TRY(read_end(b, value[FROM], "from", &b->end[0]));
    CAROM_TRY(read_end(b, value[TO], "to", &b->end[1]));
    CAROM_TRY(find_dimension(b));
    for (int i = 0; i < 4; i++)
        CAROM_TRY(check_vector(b, vector[i].vector, field[vector[i].key].key));
    CAROM_TRY(carom_read_vector(value[SPIN], &b->spin, b->error));
    CAROM_TRY(check_text(b, b->elements));
    CAROM_TRY(check_text(b, b->length));
    CAROM_TRY(read_elasticity(b, value[ELASTICITY]));
    CAROM_TRY(read_section(b, value[SECTION]));
    CAROM_TRY(read_damping(b, value[DAMPING]));
    CAROM_TRY(read_contact(b, value[CONTACT]));
    b->colour = value[COLOUR];
    b->n = FORMAT(b, "(%s)", b->elements.text);
    return b->n ? CAROM_OK : no_memory(b->error);
}

// ---- where nodes are ----

// in equal parts between two points, or from one along a direction
static carom_status place_on_line(beam *b)
{
    const carom_vector_text *from = &b->end[0].at, *to = &b->end[1].at;
    const bool has_from = from->n == b->dim, has_to = to->n == b->dim;
    const char *size = "0";
    if (!has_from)
        return lack(b, b->place,
                    "to know where it is at the start (write nodes: a text of i, or from: with "
                    "at: as numbers)");
    if (!has_to && !b->length.text)
        return lack(b, b->place, "its length (write length: 1, along: [1, 0])");
    for (int i = 0; i < b->along.n; i++) size = FORMAT(b, "%s+(%s)^2", size, b->along.part[i].text);
    for (int i = 0; i < b->dim; i++) {
        const char *start = from->part[i].text;
        const char *way = i == 0 ? FORMAT(b, "(%s)", b->length.text) : "0";
        if (has_to)
            way = FORMAT(b, "((%s)-(%s))", to->part[i].text, start);
        else if (b->along.n)
            way = FORMAT(b, "(%s)*(%s)/sqrt(%s)", b->length.text, b->along.part[i].text, size);
        b->x[i] = FORMAT(b, "((%s)+i*(%s/%s))", start, way, b->n);
    }
    return CAROM_OK;
}

static carom_status place_nodes(beam *b)
{
    for (int i = 0; i < b->nodes.n; i++) b->x[i] = FORMAT(b, "(%s)", b->nodes.part[i].text);
    const bool is_said_twice = b->nodes.n && (b->length.text || b->along.n);
    if (is_said_twice || (b->end[1].at.n == b->dim && b->length.text))
        return carom_fail_at(b->error, b->length.text ? b->length.place : b->along.part[0].place,
                             CAROM_BAD_INPUT,
                             "the length of the beam '%.60s' follows from where its nodes are "
                             "(leave this out)",
                             b->name);
    if (!b->nodes.n) CAROM_TRY(place_on_line(b));
    for (int i = 0; i < b->dim; i++)
        if (!b->x[i]) return no_memory(b->error);
    return CAROM_OK;
}

// half the length of the elements beside node i
static const char *share(const beam *b, const char *index, bool has_left, bool has_right)
{
    const char *sum = NULL;
    const struct {
        bool is_there;
        const char *from, *to;
    } side[] = {{has_left, FORMAT(b, "%s-1", index), index},
                {has_right, index, FORMAT(b, "%s+1", index)}};
    for (int k = 0; k < 2; k++) {
        const char *square = "0";
        for (int i = 0; i < b->dim && side[k].is_there; i++)
            square = FORMAT(b, "%s+(%s-%s)^2", square, at_index(b, b->x[i], side[k].to),
                            at_index(b, b->x[i], side[k].from));
        if (side[k].is_there)
            sum = sum ? FORMAT(b, "%s+sqrt(%s)", sum, square) : FORMAT(b, "sqrt(%s)", square);
    }
    return FORMAT(b, "((%s)/2)", sum);
}

// the tangent at a node: that of the chord between its neighbours; at an end that of the next node,
// mirrored at the last chord
static carom_vector_text tangent(const beam *b, const char *index, int side)
{
    carom_vector_text t = {.n = b->dim};
    const char *chord[3], *wide[3], *dot = "0", *square = "0";
    for (int i = 0; i < b->dim; i++) {
        const char *here = at_index(b, b->x[i], index);
        const char *next = at_index(b, b->x[i], FORMAT(b, "%s%s1", index, side > 0 ? "-" : "+"));
        if (side == 0) {
            const char *before = at_index(b, b->x[i], FORMAT(b, "%s-1", index));
            t.part[i] = text_of(b, FORMAT(b, "%s-%s", next, before));
            continue;
        }
        // with one element there is no node behind the next one
        const char *other =
            at_index(b, b->x[i], FORMAT(b, "%s%smin(2,%s)", index, side > 0 ? "-" : "+", b->n));
        chord[i] = side > 0 ? FORMAT(b, "(%s-%s)", here, next) : FORMAT(b, "(%s-%s)", next, here);
        wide[i] = side > 0 ? FORMAT(b, "(%s-%s)", here, other) : FORMAT(b, "(%s-%s)", other, here);
        dot = FORMAT(b, "%s+%s*%s", dot, chord[i], wide[i]);
        square = FORMAT(b, "%s+%s^2", square, chord[i]);
    }
    for (int i = 0; i < b->dim && side != 0; i++)
        t.part[i] = text_of(b, FORMAT(b, "2*%s*(%s)/(%s)-%s", chord[i], dot, square, wide[i]));
    return t;
}

// ---- what it becomes ----

static carom_turned_text turned_along(const beam *b, const char *index, int side)
{
    carom_turned_text turned = {.n_quaternion = 0};
    turned.direction[0] = tangent(b, index, side);
    turned.direction[1] = b->section_y;
    return turned;
}

// a disc or ball that touches
static carom_status give_shape(const beam *b, carom_body_text *body)
{
    if (!b->radius) return CAROM_OK;
    carom_shape_text *shape = CAROM_TAKE(b->file->arena, carom_shape_text, 1);
    carom_vector_text *centre = CAROM_TAKE(b->file->arena, carom_vector_text, 1);
    carom_word_text *word = CAROM_TAKE(b->file->arena, carom_word_text, 1);
    carom_text *radius = CAROM_TAKE(b->file->arena, carom_text, 1);
    if (!shape || !centre || !word || !radius) return no_memory(b->error);
    centre->n = b->dim;
    for (int i = 0; i < b->dim; i++) centre->part[i] = text_of(b, "0");
    *radius = (carom_text){b->radius->text, b->radius->place};
    *word = (carom_word_text){.key = {"radius", b->radius->place}, .n = 1, .value = radius};
    *shape = (carom_shape_text){.place = b->radius->place,
                                .kind = {b->dim == 2 ? "disk" : "sphere", b->radius->place},
                                .n_value = 1,
                                .value = centre,
                                .n_word = 1,
                                .word = word};
    body->shape = shape;
    body->n_shape = 1;
    if (b->material) body->material = (carom_text){b->material->text, b->material->place};
    return CAROM_OK;
}

static void set_motion(const beam *b, const char *index, carom_body_text *body)
{
    body->velocity.n = b->velocity.n;
    for (int i = 0; i < b->velocity.n; i++)
        body->velocity.part[i] =
            (carom_text){at_index(b, b->velocity.part[i].text, index), b->velocity.part[i].place};
    body->spin.n = b->spin.n;
    for (int i = 0; i < b->spin.n; i++)
        body->spin.part[i] =
            (carom_text){at_index(b, b->spin.part[i].text, index), b->spin.part[i].place};
}

static void set_mass(const beam *b, const char *share_of_length, carom_body_text *body)
{
    const char *line = FORMAT(b, "%s*%s", b->rho, share_of_length);
    body->mass = text_of(b, FORMAT(b, "%s*%s", line, b->A));
    body->n_inertia = b->dim == 2 ? 1 : 3;
    body->inertia[0] = b->dim == 2 ? text_of(b, FORMAT(b, "%s*%s", line, b->Iz))
                                   : text_of(b, FORMAT(b, "%s*(%s+%s)", line, b->Iy, b->Iz));
    body->inertia[1] = text_of(b, FORMAT(b, "%s*%s", line, b->Iy));
    body->inertia[2] = text_of(b, FORMAT(b, "%s*%s", line, b->Iz));
}

static bool is_ground(const beam_end *end)
{
    return end->body.text && strcmp(end->body.text, "ground") == 0;
}

// an end in coordinates of its own
static void set_free_pose(const beam *b, const char *index, int side, carom_body_text *body)
{
    body->at.n = b->dim;
    for (int i = 0; i < b->dim; i++) body->at.part[i] = text_of(b, at_index(b, b->x[i], index));
    if (b->dim == 3) body->turned = turned_along(b, index, side);
    set_motion(b, index, body);
}

// held by a joint of space: NAME.from, NAME.to
static carom_status add_joint(const beam *b, int k, carom_text node)
{
    const beam_end *end = &b->end[k];
    const carom_word_text at = {.key = {"at", end->at.part[0].place},
                                .is_list = true,
                                .n = end->at.n,
                                .value = end->at.part};
    const carom_fitting_text joint = {
        .place = b->place,
        .name = text_of(b, FORMAT(b, "%s.%s", b->name, k == 0 ? "from" : "to")),
        .kind = text_of(b, end->how == FIXED ? "fixed" : "spherical"),
        .n_to = 2,
        .to = {end->body, node},
        .n_word = 1,
        .word = &at};
    return carom_builder_joint(b->file->builder, &joint, b->error);
}

static carom_status add_end(const beam *b, int k)
{
    static const char *const carrier[2][2] = {{"revolute", "fixed"}, {"spherical", "fixed"}};
    const beam_end *end = &b->end[k];
    const char *index = k == 0 ? "0" : b->n;
    const bool is_carried = end->how != FREE && (b->dim == 2 || is_ground(end));
    carom_body_text body = {.place = b->place,
                            .name = text_of(b, FORMAT(b, "%s[%s]", b->name, index)),
                            .kin = text_of(b, b->name)};
    set_mass(b, share(b, index, k == 1, k == 0), &body);
    if (is_carried) {
        body.on.kind = text_of(b, carrier[b->dim == 3][end->how == FIXED]);
        body.on.parent = end->body;
        body.on.at = end->at;
        body.on.rate.n = end->rate.text != NULL;
        body.on.rate.value[0] = end->rate;
        if (b->dim == 3) body.on.turned = turned_along(b, index, k == 0 ? -1 : 1);
    } else {
        set_free_pose(b, index, k == 0 ? -1 : 1, &body);
    }
    if (end->how == FREE) CAROM_TRY(give_shape(b, &body));
    if (b->colour) body.colour = (carom_text){b->colour->text, b->colour->place};
    CAROM_TRY(carom_builder_body(b->file->builder, &body, b->error));
    return end->how == FREE || is_carried ? CAROM_OK : add_joint(b, k, body.name);
}

static carom_family family_of(const beam *b, const char *last)
{
    return (carom_family){
        .n = 1,
        .range = {{.name = text_of(b, "i"), .first = text_of(b, "1"), .last = text_of(b, last)}}};
}

static carom_status add_inner_nodes(const beam *b)
{
    carom_body_text body = {.place = b->place,
                            .name = text_of(b, FORMAT(b, "%s[i]", b->name)),
                            .family = family_of(b, FORMAT(b, "%s-1", b->n)),
                            .kin = text_of(b, b->name)};
    set_mass(b, share(b, "i", true, true), &body);
    set_free_pose(b, "i", 0, &body);
    CAROM_TRY(give_shape(b, &body));
    if (b->colour) body.colour = (carom_text){b->colour->text, b->colour->place};
    return carom_builder_body(b->file->builder, &body, b->error);
}

static carom_status add_elements(const beam *b)
{
    carom_text stiff[6], from[3], to[3];
    int n = 0;
    const char *const plane[] = {FORMAT(b, "%s*%s", b->E, b->A), b->GAy,
                                 FORMAT(b, "%s*%s", b->E, b->Iz)};
    const char *const space[] = {FORMAT(b, "%s*%s", b->E, b->A),
                                 b->GAy,
                                 b->GAz,
                                 FORMAT(b, "%s*%s", b->G, b->turning),
                                 FORMAT(b, "%s*%s", b->E, b->Iy),
                                 FORMAT(b, "%s*%s", b->E, b->Iz)};
    const char *const *given = b->dim == 2 ? plane : space;
    for (int i = 0; i < (b->dim == 2 ? 3 : 6); i++)
        if (given[i]) stiff[n++] = text_of(b, given[i]);
    for (int i = 0; i < b->dim; i++) {
        from[i] = text_of(b, at_index(b, b->x[i], "i-1"));
        to[i] = text_of(b, b->x[i]);
    }
    const carom_text body = text_of(b, "body");
    const carom_word_text word[] = {
        {.key = text_of(b, "from"), .is_list = true, .n = b->dim, .value = from},
        {.key = text_of(b, "to"), .is_list = true, .n = b->dim, .value = to},
        {.key = text_of(b, "stiffness"), .is_list = true, .n = n, .value = stiff},
        {.key = text_of(b, b->dim == 3 ? "frame" : "damping"),
         .n = 1,
         .value = b->dim == 3 ? &body : &b->beta},
        {.key = text_of(b, "damping"), .n = 1, .value = &b->beta}};
    const carom_fitting_text element = {
        .place = b->place,
        .name = text_of(b, FORMAT(b, "%s.e[i]", b->name)),
        .kind = text_of(b, "beam"),
        .family = family_of(b, b->n),
        .n_to = 2,
        .to = {text_of(b, FORMAT(b, "%s[i-1]", b->name)), text_of(b, FORMAT(b, "%s[i]", b->name))},
        .n_word = 3 + (b->dim == 3) + (b->beta.text != NULL),
        .word = word};
    return carom_builder_element(b->file->builder, &element, b->error);
}

// -alpha m v on a node, or on the inner ones
static carom_status add_drag(const beam *b, const char *index, bool has_left, bool has_right)
{
    carom_text value[3], at[3];
    const bool is_inner = has_left && has_right;
    const char *node = FORMAT(b, "%s[%s]", b->name, index);
    for (int i = 0; i < b->dim; i++) {
        value[i] = text_of(b, FORMAT(b, "-(%s)*%s*%s*%s*der(%s.%c)", b->alpha.text, b->rho,
                                     share(b, index, has_left, has_right), b->A, node, "xyz"[i]));
        at[i] = text_of(b, at_index(b, b->x[i], index));
    }
    const carom_word_text word[] = {
        {.key = text_of(b, "at"), .is_list = true, .n = b->dim, .value = at},
        {.key = text_of(b, "value"), .is_list = true, .n = b->dim, .value = value}};
    const carom_fitting_text drag = {.place = b->place,
                                     .name = text_of(b, FORMAT(b, "%s.drag[%s]", b->name, index)),
                                     .kind = text_of(b, "force"),
                                     .family = is_inner ? family_of(b, FORMAT(b, "%s-1", b->n))
                                                        : (carom_family){.n = 0},
                                     .n_to = 1,
                                     .to = {text_of(b, node)},
                                     .n_word = 2,
                                     .word = word};
    return carom_builder_element(b->file->builder, &drag, b->error);
}

// ends that are held move with their bodies
static carom_status add_drags(const beam *b)
{
    if (!b->alpha.text) return CAROM_OK;
    if (b->end[0].how == FREE) CAROM_TRY(add_drag(b, "0", false, true));
    if (b->end[1].how == FREE) CAROM_TRY(add_drag(b, b->n, true, false));
    return add_drag(b, "i", true, true);
}

static carom_status read_beam(carom_modelfile *file, const carom_node *node, carom_error *error)
{
    beam b = {.file = file,
              .node = node,
              .error = error,
              .name = node->key->text,
              .place = node->key->place};
    CAROM_TRY(read_beam_words(&b));
    CAROM_TRY(place_nodes(&b));
    CAROM_TRY(add_end(&b, 0));
    CAROM_TRY(add_inner_nodes(&b));
    CAROM_TRY(add_end(&b, 1));
    CAROM_TRY(add_elements(&b));
    return add_drags(&b);
}

carom_status carom_read_beams(carom_modelfile *file, const carom_node *node, carom_error *error)
{
    CAROM_TRY(carom_fields_kind(node, CAROM_NODE_MAPPING,
                                "beams: {cord: {elements: 20, section: {radius: 0.005}, ...}}",
                                error));
    for (const carom_node *entry = node->first; entry; entry = entry->next)
        CAROM_TRY(read_beam(file, entry, error));
    return CAROM_OK;
}
