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

#include <ctype.h>
#include <string.h>

#define FORMAT CAROM_BEAM_FORMAT

static carom_text text_of(const carom_beam *b, const char *text)
{
    return (carom_text){text, b->place};
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.';
}

// a text of i with another index in its place
static const char *at_index(const carom_beam *b, const char *text, const char *index)
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

// ---- where nodes are ----

// in equal parts between two points, or from one along a direction
static carom_status place_on_line(carom_beam *b)
{
    const carom_vector_text *from = &b->end[0].at, *to = &b->end[1].at;
    const bool has_from = from->n == b->dim, has_to = to->n == b->dim;
    const char *size = "0";
    if (!has_from)
        return carom_beam_lacks(
            b, b->place,
            "to know where it is at the start (write nodes: a text of i, or from: with "
            "at: as numbers)");
    if (!has_to && !b->length.text)
        return carom_beam_lacks(b, b->place, "its length (write length: 1, along: [1, 0])");
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

static carom_status place_nodes(carom_beam *b)
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
        if (!b->x[i]) return carom_beam_no_memory(b);
    return CAROM_OK;
}

// half the length of the elements beside node i
static const char *share(const carom_beam *b, const char *index, bool has_left, bool has_right)
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
static carom_vector_text tangent(const carom_beam *b, const char *index, int side)
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

static carom_turned_text turned_along(const carom_beam *b, const char *index, int side)
{
    carom_turned_text turned = {.n_quaternion = 0};
    turned.direction[0] = tangent(b, index, side);
    turned.direction[1] = b->section_y;
    return turned;
}

// a disc or ball that touches
static carom_status give_shape(const carom_beam *b, carom_body_text *body)
{
    if (!b->radius) return CAROM_OK;
    carom_shape_text *shape = CAROM_TAKE(b->file->arena, carom_shape_text, 1);
    carom_vector_text *centre = CAROM_TAKE(b->file->arena, carom_vector_text, 1);
    carom_word_text *word = CAROM_TAKE(b->file->arena, carom_word_text, 1);
    carom_text *radius = CAROM_TAKE(b->file->arena, carom_text, 1);
    if (!shape || !centre || !word || !radius) return carom_beam_no_memory(b);
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

static void set_motion(const carom_beam *b, const char *index, carom_body_text *body)
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

static void set_mass(const carom_beam *b, const char *share_of_length, carom_body_text *body)
{
    const char *line = FORMAT(b, "%s*%s", b->rho, share_of_length);
    body->mass = text_of(b, FORMAT(b, "%s*%s", line, b->A));
    body->n_inertia = b->dim == 2 ? 1 : 3;
    body->inertia[0] = b->dim == 2 ? text_of(b, FORMAT(b, "%s*%s", line, b->Iz))
                                   : text_of(b, FORMAT(b, "%s*(%s+%s)", line, b->Iy, b->Iz));
    body->inertia[1] = text_of(b, FORMAT(b, "%s*%s", line, b->Iy));
    body->inertia[2] = text_of(b, FORMAT(b, "%s*%s", line, b->Iz));
}

static bool is_ground(const carom_beam_end *end)
{
    return end->body.text && strcmp(end->body.text, "ground") == 0;
}

// an end in coordinates of its own
static void set_free_pose(const carom_beam *b, const char *index, int side, carom_body_text *body)
{
    body->at.n = b->dim;
    for (int i = 0; i < b->dim; i++) body->at.part[i] = text_of(b, at_index(b, b->x[i], index));
    if (b->dim == 3) body->turned = turned_along(b, index, side);
    set_motion(b, index, body);
}

// held by a joint of space: NAME.from, NAME.to
static carom_status add_joint(const carom_beam *b, int k, carom_text node)
{
    const carom_beam_end *end = &b->end[k];
    const carom_word_text at = {.key = {"at", end->at.part[0].place},
                                .is_list = true,
                                .n = end->at.n,
                                .value = end->at.part};
    const carom_fitting_text joint = {
        .place = b->place,
        .name = text_of(b, FORMAT(b, "%s.%s", b->name, k == 0 ? "from" : "to")),
        .kind = text_of(b, end->how == CAROM_BEAM_FIXED ? "fixed" : "spherical"),
        .n_to = 2,
        .to = {end->body, node},
        .n_word = 1,
        .word = &at};
    return carom_builder_joint(b->file->builder, &joint, b->error);
}

static carom_status add_end(const carom_beam *b, int k)
{
    static const char *const carrier[2][2] = {{"revolute", "fixed"}, {"spherical", "fixed"}};
    const carom_beam_end *end = &b->end[k];
    const char *index = k == 0 ? "0" : b->n;
    const bool is_carried = end->how != CAROM_BEAM_FREE && (b->dim == 2 || is_ground(end));
    carom_body_text body = {.place = b->place,
                            .name = text_of(b, FORMAT(b, "%s[%s]", b->name, index)),
                            .kin = text_of(b, b->name)};
    set_mass(b, share(b, index, k == 1, k == 0), &body);
    if (is_carried) {
        body.on.kind = text_of(b, carrier[b->dim == 3][end->how == CAROM_BEAM_FIXED]);
        body.on.parent = end->body;
        body.on.at = end->at;
        body.on.rate.n = end->rate.text != NULL;
        body.on.rate.value[0] = end->rate;
        if (b->dim == 3) body.on.turned = turned_along(b, index, k == 0 ? -1 : 1);
    } else {
        set_free_pose(b, index, k == 0 ? -1 : 1, &body);
    }
    if (end->how == CAROM_BEAM_FREE) CAROM_TRY(give_shape(b, &body));
    if (b->colour) body.colour = (carom_text){b->colour->text, b->colour->place};
    CAROM_TRY(carom_builder_body(b->file->builder, &body, b->error));
    return end->how == CAROM_BEAM_FREE || is_carried ? CAROM_OK : add_joint(b, k, body.name);
}

static carom_family family_of(const carom_beam *b, const char *last)
{
    return (carom_family){
        .n = 1,
        .range = {{.name = text_of(b, "i"), .first = text_of(b, "1"), .last = text_of(b, last)}}};
}

static carom_status add_inner_nodes(const carom_beam *b)
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

static carom_status add_elements(const carom_beam *b)
{
    carom_text stiff[6], from[3], to[3];
    int n = 0;
    const char *const plane[] = {FORMAT(b, "%s*%s", b->E, b->A), b->GA,
                                 FORMAT(b, "%s*%s", b->E, b->Iz)};
    const char *const space[] = {FORMAT(b, "%s*%s", b->E, b->A),
                                 b->GA,
                                 b->GA,
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
static carom_status add_drag(const carom_beam *b, const char *index, bool has_left, bool has_right)
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
static carom_status add_drags(const carom_beam *b)
{
    if (!b->alpha.text) return CAROM_OK;
    if (b->end[0].how == CAROM_BEAM_FREE) CAROM_TRY(add_drag(b, "0", false, true));
    if (b->end[1].how == CAROM_BEAM_FREE) CAROM_TRY(add_drag(b, b->n, true, false));
    return add_drag(b, "i", true, true);
}

carom_status carom_beam_write(carom_beam *b)
{
    CAROM_TRY(place_nodes(b));
    CAROM_TRY(add_end(b, 0));
    CAROM_TRY(add_inner_nodes(b));
    CAROM_TRY(add_end(b, 1));
    CAROM_TRY(add_elements(b));
    return add_drags(b);
}
