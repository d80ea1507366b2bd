// SPDX-License-Identifier: Apache-2.0
// Section `beams`: what a model file says of a beam. What it becomes: beam_chain.c.
#include "modelfile/parts/beams.h"

#include "expr/text/syntax.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT CAROM_BEAM_FORMAT
enum { LONGEST_TEXT = 1000 };

carom_status carom_beam_lacks(const carom_beam *b, carom_place place, const char *what)
{
    return carom_fail_at(b->error, place, CAROM_BAD_INPUT, "the beam '%.60s' needs %s", b->name,
                         what);
}

carom_status carom_beam_no_memory(const carom_beam *b)
{
    return carom_fail(b->error, CAROM_NO_MEMORY, "memory ran out while reading a beam");
}

// ---- what the file says ----

// texts go into larger ones, several times: they are short, and their mistakes are found here,
// where they stand
static carom_status check_text(const carom_beam *b, carom_text text)
{
    const carom_syntax *syntax;
    if (text.text && strlen(text.text) > LONGEST_TEXT)
        return carom_fail_at(b->error, text.place, CAROM_BAD_INPUT,
                             "a text of a beam has up to %d letters (name a part of it under "
                             "parameters)",
                             LONGEST_TEXT);
    return text.text ? carom_syntax_parse(b->file->arena, text, &syntax, b->error) : CAROM_OK;
}

static carom_status check_vector(const carom_beam *b, const carom_vector_text *vector,
                                 const char *what)
{
    if (vector->n > 0 && vector->n != b->dim)
        return carom_fail_at(b->error, vector->part[0].place, CAROM_BAD_INPUT,
                             "'%s' of the beam '%.60s' has %d components %s", what, b->name, b->dim,
                             b->dim == 2 ? "in the plane" : "in space");
    for (int i = 0; i < vector->n; i++) CAROM_TRY(check_text(b, vector->part[i]));
    return CAROM_OK;
}

static carom_status read_end(carom_beam *b, const carom_node *node, const char *key,
                             carom_beam_end *end)
{
    static const carom_field field[] = {
        {"body", CAROM_FIELD_TEXT, true, "body: ground"},
        {"at", CAROM_FIELD_TEXTS, true, "at: [0, 0]"},
        {"end", CAROM_FIELD_TEXT, true, "end: pinned"},
        {"rate", CAROM_FIELD_TEXT, false, "rate: 0"},
        {.kind = CAROM_FIELD_END},
    };
    const carom_node *value[CAROM_MOST_FIELDS];
    *end = (carom_beam_end){.how = CAROM_BEAM_FREE};
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
    end->how = strcmp(value[2]->text, "pinned") == 0 ? CAROM_BEAM_PINNED : CAROM_BEAM_FIXED;
    if (end->how == CAROM_BEAM_FIXED && strcmp(value[2]->text, "fixed") != 0)
        return carom_fail_at(b->error, value[2]->place, CAROM_BAD_INPUT,
                             "an end of a beam is pinned or fixed, not '%.40s'", value[2]->text);
    return CAROM_OK;
}

static const char *text_or(const carom_node *node, const char *otherwise)
{
    return node ? node->text : otherwise;
}

// the section's area, inertia and torsion; returns its shear factor
static const char *round_section(carom_beam *b, const char *r)
{
    b->A = FORMAT(b, "(pi*(%s)^2)", r);
    b->Iy = b->Iz = FORMAT(b, "(pi*(%s)^4/4)", r);
    b->turning = FORMAT(b, "(pi*(%s)^4/2)", r);
    return "0.9";
}

// torsion as R. J. Roark has it, within 4 per mille of the series
static const char *box_section(carom_beam *b, const char *h, const char *w)
{
    const char *t = FORMAT(b, "(min(%s,%s)/max(%s,%s))", h, w, h, w);
    b->A = FORMAT(b, "((%s)*(%s))", h, w);
    b->Iz = FORMAT(b, "((%s)*(%s)^3/12)", w, h);
    b->Iy = FORMAT(b, "((%s)*(%s)^3/12)", h, w);
    b->turning = FORMAT(b, "(max(%s,%s)^4*%s^3*(1/3 - 0.21*%s*(1 - %s^4/12)))", h, w, t, t, t);
    return "5/6";
}

static carom_status section_of_numbers(carom_beam *b, const carom_node *node,
                                       const carom_text *inertia, int n, const carom_node *torsion)
{
    if (n != b->dim - 1)
        return carom_beam_lacks(b, node->place,
                                b->dim == 2
                                    ? "the inertia of its section (write inertia: 8e-10)"
                                    : "two inertias of its section (write inertia: [Iy, Iz])");
    if (b->dim == 3 && !torsion)
        return carom_beam_lacks(b, node->place,
                                "the torsion of its section (write torsion: 1.4e-9)");
    b->Iy = FORMAT(b, "(%s)", inertia[0].text);
    b->Iz = FORMAT(b, "(%s)", inertia[n - 1].text);
    b->turning = FORMAT(b, "(%s)", text_or(torsion, "1"));
    return CAROM_OK;
}

static carom_status check_texts(const carom_beam *b, const carom_node *const *value, int n)
{
    for (int i = 0; i < n; i++) {
        carom_text part[2] = {{0}};
        int m = 0;
        if (!value[i]) continue;
        CAROM_TRY(carom_fields_texts(value[i], 2, part, &m, b->error));
        for (int k = 0; k < m; k++) CAROM_TRY(check_text(b, part[k]));
    }
    return CAROM_OK;
}

static carom_status read_section(carom_beam *b, const carom_node *node)
{
    enum { RADIUS, BOX, AREA, INERTIA, TORSION, SHEAR, N };
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
    const char *shear = NULL;
    carom_text part[2] = {{0}};
    int n = 0;
    CAROM_TRY(carom_fields_read(node, "a section", field, value, b->error));
    if (!!value[RADIUS] + !!value[BOX] + !!value[AREA] != 1)
        return carom_beam_lacks(b, node->place,
                                "one of radius, box and area (write section: {radius: 0.005})");
    const carom_node *beside = value[INERTIA] ? value[INERTIA] : value[TORSION];
    if (!value[AREA] && beside)
        return carom_fail_at(b->error, beside->place, CAROM_BAD_INPUT,
                             "inertia and torsion go with 'area'; they follow from the shape of "
                             "the section here (leave this out)");
    CAROM_TRY(check_texts(b, value, N));
    const carom_node *pair = value[BOX] ? value[BOX] : value[INERTIA];
    if (pair) CAROM_TRY(carom_fields_texts(pair, 2, part, &n, b->error));
    if (value[BOX] && n != 2)
        return carom_beam_lacks(b, pair->place, "the height and the width of its box");
    if (value[RADIUS]) shear = round_section(b, value[RADIUS]->text);
    if (value[BOX]) shear = box_section(b, part[0].text, part[1].text);
    if (value[AREA]) {
        b->A = FORMAT(b, "(%s)", value[AREA]->text);
        CAROM_TRY(section_of_numbers(b, node, part, n, value[TORSION]));
    }
    shear = text_or(value[SHEAR], shear);
    if (shear) b->GA = FORMAT(b, "(%s)*%s*(%s)", b->G, b->A, shear);
    return CAROM_OK;
}

static carom_status read_elasticity(carom_beam *b, const carom_node *node)
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
    CAROM_TRY(check_texts(b, value, 4));
    b->E = FORMAT(b, "(%s)", value[0]->text);
    b->rho = FORMAT(b, "(%s)", value[1]->text);
    b->G = value[3] ? FORMAT(b, "(%s)", value[3]->text)
                    : FORMAT(b, "(%s/(2*(1 + (%s))))", b->E, text_or(value[2], "0.3"));
    return CAROM_OK;
}

static carom_status read_damping(carom_beam *b, const carom_node *node)
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

static carom_status read_contact(carom_beam *b, const carom_node *node)
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
static carom_status find_dimension(carom_beam *b)
{
    for (int k = 0; k < 2; k++)
        if (!b->dim && b->end[k].at.n > 1) b->dim = b->end[k].at.n;
    if (!b->dim)
        return carom_beam_lacks(b, b->place, "to know where it is (write nodes: [0.1*i, 0])");
    for (int k = 0; k < 2; k++) {
        const carom_beam_end *end = &b->end[k];
        if (end->at.n > 1) CAROM_TRY(check_vector(b, &end->at, "at"));
        if (end->rate.text && (end->how == CAROM_BEAM_FIXED || b->dim == 3))
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

// a number that stands there is looked at; what parameters give shows when the bodies are made
static carom_status check_elements(const carom_beam *b)
{
    char *end;
    const double n = strtod(b->elements.text, &end);
    if (*end != 0 || (n >= 1 && n == floor(n))) return CAROM_OK;
    return carom_fail_at(b->error, b->elements.place, CAROM_BAD_INPUT,
                         "the beam '%.60s' has a whole number of elements, at least 1, not %.40s",
                         b->name, b->elements.text);
}

static carom_status read_beam_words(carom_beam *b)
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
    CAROM_TRY(check_elements(b));
    CAROM_TRY(check_text(b, b->length));
    CAROM_TRY(read_elasticity(b, value[ELASTICITY]));
    CAROM_TRY(read_section(b, value[SECTION]));
    CAROM_TRY(read_damping(b, value[DAMPING]));
    CAROM_TRY(read_contact(b, value[CONTACT]));
    b->colour = value[COLOUR];
    b->n = FORMAT(b, "(%s)", b->elements.text);
    return b->n ? CAROM_OK : carom_beam_no_memory(b);
}

static carom_status read_beam(carom_modelfile *file, const carom_node *node, carom_error *error)
{
    carom_beam b = {.file = file,
                    .node = node,
                    .error = error,
                    .name = node->key->text,
                    .place = node->key->place};
    CAROM_TRY(read_beam_words(&b));
    return carom_beam_write(&b);
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
