// SPDX-License-Identifier: Apache-2.0
// Beam: an elastic two-node element between frames of two bodies, for any rotation of the bodies
// and relative turns below pi. Its strains are constant along it; d goes from end 1 to end 2:
//
//     plane   am = (a1 + a2)/2 of the tangents' angles
//             e1 = (cos am dx + sin am dy)/l - 1     stretch
//             e2 = (-sin am dx + cos am dy)/l        shear
//             k  = (a2 - a1)/l                       bending
//             V  = l/2 (EA e1^2 + GA* e2^2 + EI k^2)
//     space   B = T1'T2 of the end frames (tangent, two section axes), p0, p its quaternion
//             psi = 2 atan2(|p|, p0)/|p| p,          K = psi/l: twist and bending
//             c = Tm'd/l,  Tm = T1 exp(psi/2),       Gamma = c - (1, 0, 0): stretch and shear
//             Tm'd = ((T1'd + T2'd)/2 - p (p.T1'd)/(1 + p0))/p0
//             V = l/2 (Gamma' CN Gamma + K' CM K)
//     both    1/GA* = 1/GA + l^2/(12 EI)
//
// With this shear stiffness one integration point is nodally exact in linear statics and does not
// lock. Forces and tangents are derivatives of V by the graph. Damping is proportional to the
// stiffness, on strains, so that no rigid motion is damped: each force has beta times the strain's
// rate added. Tangents are along the line between the ends at the start (frame: start), or along
// the x axes of the bodies (frame: body); then strains count from those of the start, so that a
// curved beam is free of stress, or from those of a straight one (straight: yes).
#include "model/bodies/body_drawing.h"
#include "model/bodies/fitting.h"

#include "math/rotation.h"

#include <string.h>

enum { MOST_STRAINS = 6 };

typedef struct beam {
    carom_fitting *f;
    carom_graph *g;
    carom_ref l, damping;
    bool is_along_bodies, is_straight;
    int n; // strains: stretch, shears, then twist and bending
    carom_ref strain[MOST_STRAINS], stiffness[MOST_STRAINS];
} beam;

static carom_ref quotient(carom_graph *g, carom_ref a, carom_ref b)
{
    return carom_graph_make(g, CAROM_OP_DIV, a, b, -1);
}

static carom_ref number(const beam *b, double value)
{
    return carom_graph_number(b->g, value);
}

// a word that is one of two
static carom_status read_choice(beam *b, const carom_word_text *word, const char *no,
                                const char *yes, bool *is_yes)
{
    const char *text = word->n == 1 ? word->value[0].text : "a list";
    *is_yes = strcmp(text, yes) == 0;
    if (*is_yes || strcmp(text, no) == 0) return CAROM_OK;
    return carom_fail_at(b->f->making->error, word->key.place, CAROM_BAD_INPUT,
                         "'%s' of a beam is %s or %s, not '%.40s'", word->key.text, no, yes, text);
}

// which axes the tangents follow, and what is free of stress
static carom_status read_frame(beam *b)
{
    const carom_word_text *frame = carom_fitting_word(b->f, "frame");
    b->is_straight = true;
    if (frame) CAROM_TRY(read_choice(b, frame, "start", "body", &b->is_along_bodies));
    if (!b->is_along_bodies) return CAROM_OK;
    const carom_word_text *straight = carom_fitting_word(b->f, "straight");
    b->is_straight = false;
    return straight ? read_choice(b, straight, "no", "yes", &b->is_straight) : CAROM_OK;
}

static carom_status read_length(beam *b)
{
    double start = 1;
    if (carom_fitting_word(b->f, "length"))
        CAROM_TRY(carom_fitting_size(b->f, "length", true, &b->l));
    else
        b->l = carom_bodies_at_start(b->f->making, carom_weave_norm(b->g, b->f->d));
    const carom_ref span =
        carom_bodies_at_start(b->f->making, carom_weave_dot(b->g, b->f->d, b->f->d));
    if (!carom_graph_is_number(b->g, span, &start) || start > 0) return CAROM_OK;
    return carom_fail_at(b->f->making->error, b->f->text->place, CAROM_BAD_INPUT,
                         "both ends of the beam '%.60s' are in one point at the start", b->f->name);
}

// the stiffness against shear that makes one point of integration exact
static carom_ref corrected(const beam *b, carom_ref GA, carom_ref EI)
{
    carom_graph *g = b->g;
    const carom_ref bend =
        quotient(g, carom_graph_mul(g, b->l, b->l), carom_graph_mul(g, number(b, 12), EI));
    const carom_ref soft = GA < 0 ? bend : carom_graph_add(g, quotient(g, number(b, 1), GA), bend);
    return quotient(g, number(b, 1), soft);
}

// stiffness: [EA, EI] or [EA, GA, EI] in the plane, [EA, GJ, EIy, EIz] or
// [EA, GAy, GAz, GJ, EIy, EIz] in space
static carom_status read_stiffness(beam *b)
{
    carom_making *making = b->f->making;
    const bool is_plane = carom_bodies_are_plane(making);
    const carom_word_text *word = carom_fitting_word(b->f, "stiffness");
    const int full = is_plane ? 3 : 6, stiff = is_plane ? 2 : 4;
    carom_ref given[MOST_STRAINS];
    if (!word || (word->n != full && word->n != stiff))
        return carom_fail_at(making->error, word ? word->key.place : b->f->text->place,
                             CAROM_BAD_INPUT,
                             "a beam has the stiffnesses %s of its section (write stiffness: %s)",
                             is_plane ? "[EA, EI] or [EA, GA, EI]"
                                      : "[EA, GJ, EIy, EIz] or [EA, GAy, GAz, GJ, EIy, EIz]",
                             is_plane ? "[2e4, 0.1]" : "[2e4, 0.1, 0.1, 0.1]");
    for (int i = 0; i < word->n; i++) {
        double value = 1;
        CAROM_TRY(carom_bodies_constant(making, word->value[i], "a stiffness", &given[i]));
        if (carom_graph_is_number(b->g, given[i], &value) && !(value > 0))
            return carom_fail_at(making->error, word->value[i].place, CAROM_BAD_INPUT,
                                 "a stiffness of a beam must be above 0, it is %g", value);
    }
    const carom_ref *bending = given + word->n - (is_plane ? 1 : 2);
    const bool has_shear = word->n == full;
    b->stiffness[0] = given[0];
    if (is_plane) {
        b->stiffness[1] = corrected(b, has_shear ? given[1] : -1, bending[0]);
        b->stiffness[2] = bending[0];
        return CAROM_OK;
    }
    // shear along y goes with bending about z
    b->stiffness[1] = corrected(b, has_shear ? given[1] : -1, bending[1]);
    b->stiffness[2] = corrected(b, has_shear ? given[2] : -1, bending[0]);
    for (int i = 0; i < 3; i++) b->stiffness[3 + i] = given[word->n - 3 + i];
    return CAROM_OK;
}

static carom_status begin(beam *b, carom_fitting *f)
{
    *b = (beam){.f = f, .g = f->g};
    f->making->model->energies.is_elastic = true;
    CAROM_TRY(read_frame(b));
    CAROM_TRY(read_length(b));
    CAROM_TRY(read_stiffness(b));
    CAROM_TRY(carom_fitting_constant(f, "damping", "0", &b->damping));
    f->making->model->energies.is_undamped |= carom_graph_is_zero(f->g, b->damping);
    return CAROM_OK;
}

// NAME.N, NAME.M, ...: what the section carries, as names for records
static carom_status name_force(const beam *b, int i, carom_ref force)
{
    static const char *const plane[] = {"N", "S", "M"};
    static const char *const space[] = {"N", "Sy", "Sz", "T", "My", "Mz"};
    return carom_bodies_name(b->f->making, b->f->name, b->n == 3 ? plane[i] : space[i], force,
                             b->f->text->place);
}

// strains count from those of the straight beam, or of the start
static void subtract_free_shape(beam *b, int n_line)
{
    carom_graph *g = b->g;
    carom_ref now[MOST_STRAINS], square = number(b, 0);
    for (int i = 0; i < b->n; i++) now[i] = carom_bodies_at_start(b->f->making, b->strain[i]);
    if (b->is_straight) {
        b->strain[0] = carom_graph_sub(g, b->strain[0], number(b, 1));
        return;
    }
    for (int i = 0; i < n_line; i++)
        square = carom_graph_add(g, square, carom_graph_mul(g, now[i], now[i]));
    // at the start it may be longer or shorter than 'length', not sheared
    const carom_ref stretch = carom_graph_make(g, CAROM_OP_SQRT, square, -1, -1);
    for (int i = 0; i < b->n; i++)
        b->strain[i] =
            carom_graph_sub(g, b->strain[i], i < n_line ? quotient(g, now[i], stretch) : now[i]);
}

// energy of the strains, and what damps them
static carom_status add_strains(const beam *b)
{
    carom_graph *g = b->g;
    double beta = 1;
    const bool is_damped = !carom_graph_is_number(g, b->damping, &beta) || beta != 0;
    for (int i = 0; i < b->n; i++) {
        const carom_ref stiff = carom_graph_mul(g, b->l, b->stiffness[i]);
        carom_ref whole = b->strain[i];
        CAROM_TRY(carom_fitting_potential(b->f, stiff, b->strain[i]));
        if (is_damped) {
            const carom_ref rate =
                carom_graph_mul(g, b->damping, carom_graph_rate(g, b->strain[i]));
            const carom_ref push = carom_graph_mul(g, stiff, rate);
            whole = carom_graph_add(g, whole, rate);
            CAROM_TRY(carom_bodies_push(
                b->f->making, carom_graph_make(g, CAROM_OP_NEG, push, -1, -1), b->strain[i]));
        }
        CAROM_TRY(name_force(b, i, carom_graph_mul(g, b->stiffness[i], whole)));
    }
    return CAROM_OK;
}

// drawn as what it is: the cubic curve with the tangents t of its ends, which is the beam's own in
// small bending, as thick as a rectangular section of the same stiffnesses, h^2 = 12 EI/EA
static carom_status draw(const beam *b, const carom_vec *t, carom_ref EI)
{
    carom_fitting *f = b->f;
    carom_graph *g = b->g;
    carom_vec point[CAROM_SKETCH_POINTS];
    const carom_ref length = carom_weave_norm(g, f->d);
    for (int i = 0; i < CAROM_SKETCH_POINTS; i++) {
        const double s = i / (CAROM_SKETCH_POINTS - 1.0), r = 1 - s;
        const carom_vec both =
            carom_weave_add(g, carom_weave_scale(g, number(b, r * r * (1 + 2 * s)), f->point[0]),
                            carom_weave_scale(g, number(b, s * s * (1 + 2 * r)), f->point[1]));
        const carom_vec bent = carom_weave_sub(g, carom_weave_scale(g, number(b, s * r * r), t[0]),
                                               carom_weave_scale(g, number(b, s * s * r), t[1]));
        point[i] = carom_weave_add(g, both, carom_weave_scale(g, length, bent));
    }
    CAROM_TRY(carom_sketch_add(f->making, "polyline", NULL, point, CAROM_SKETCH_POINTS));
    const carom_ref square = quotient(g, carom_graph_mul(g, number(b, 12), EI), b->stiffness[0]);
    f->making->bodies->sketch.item[f->making->bodies->sketch.n - 1].size =
        carom_graph_make(g, CAROM_OP_SQRT, square, -1, -1);
    return CAROM_OK;
}

static carom_status weave(carom_fitting *f)
{
    beam b;
    carom_graph *g = f->g;
    CAROM_TRY(begin(&b, f));
    const carom_ref dx = f->d.c[0], dy = f->d.c[1];
    const carom_ref line =
        carom_bodies_at_start(f->making, carom_graph_make(g, CAROM_OP_ATAN2, dy, dx, -1));
    carom_ref a[2];
    for (int k = 0; k < 2; k++) {
        a[k] = f->body[k]->angle;
        if (!b.is_along_bodies)
            a[k] = carom_graph_add(g, a[k], carom_graph_sub(g, line, f->body[k]->start_angle));
    }
    const carom_ref am = carom_graph_mul(g, number(&b, 0.5), carom_graph_add(g, a[0], a[1]));
    const carom_frame mean = carom_weave_turned(g, f->point[0], am);
    b.n = 3;
    for (int i = 0; i < 2; i++)
        b.strain[i] = quotient(g, carom_weave_dot(g, mean.axis[i], f->d), b.l);
    b.strain[2] = quotient(g, carom_graph_sub(g, a[1], a[0]), b.l);
    subtract_free_shape(&b, 2);
    const carom_vec t[2] = {carom_weave_turned(g, f->point[0], a[0]).axis[0],
                            carom_weave_turned(g, f->point[0], a[1]).axis[0]};
    CAROM_TRY(draw(&b, t, b.stiffness[2]));
    return add_strains(&b);
}

// ---- in space ----

// the section's y axis at the start: the given one made perpendicular to the tangent, or any
static carom_status section_axis(const beam *b, carom_vec tangent, carom_vec *y)
{
    const carom_word_text *word = carom_fitting_word(b->f, "section_y");
    double t[3] = {1, 0, 0}, given[3], along = 0, square = 0;
    for (int i = 0; i < 3; i++) carom_graph_is_number(b->g, tangent.c[i], &t[i]);
    carom_rotation_across(t, given);
    if (word)
        CAROM_TRY(carom_bodies_unit(b->f->making, word->value, word->n, "'section_y'", given));
    for (int i = 0; i < 3; i++) along += t[i] * given[i];
    for (int i = 0; i < 3; i++) given[i] -= along * t[i];
    for (int i = 0; i < 3; i++) square += given[i] * given[i];
    if (square < 1e-12)
        return carom_fail_at(b->f->making->error, word ? word->key.place : b->f->text->place,
                             CAROM_BAD_INPUT,
                             "'section_y' of the beam '%.60s' is along the beam (write a direction "
                             "across it)",
                             b->f->name);
    const double size = sqrt(square);
    *y = carom_weave_numbers(b->g, given[0] / size, given[1] / size, given[2] / size);
    return CAROM_OK;
}

// tangent and section axes at both ends
static carom_status find_frames(const beam *b, carom_frame end[2])
{
    carom_fitting *f = b->f;
    carom_vec axis[3];
    if (b->is_along_bodies) {
        for (int k = 0; k < 2; k++) end[k] = f->body[k]->now;
        return CAROM_OK;
    }
    axis[0] = carom_weave_unit(b->g, f->d);
    for (int i = 0; i < 3; i++) axis[0].c[i] = carom_bodies_at_start(f->making, axis[0].c[i]);
    CAROM_TRY(section_axis(b, axis[0], &axis[1]));
    axis[2] = carom_weave_cross(b->g, axis[0], axis[1]);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 3; i++)
            end[k].axis[i] = carom_weave_direction(
                b->g, &f->body[k]->now, carom_weave_inside(b->g, &f->body[k]->start, axis[i]));
    return CAROM_OK;
}

// the quaternion of B = T1'T2:   p0 = sqrt(1 + trace B)/2,   p = (B32 - B23, ...)/(4 p0)
static carom_ref relative_turn(carom_graph *g, const carom_frame end[2], carom_vec *p)
{
    carom_ref B[3][3], trace = carom_graph_number(g, 1);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) B[i][j] = carom_weave_dot(g, end[0].axis[i], end[1].axis[j]);
    for (int i = 0; i < 3; i++) trace = carom_graph_add(g, trace, B[i][i]);
    const carom_ref p0 = carom_graph_mul(g, carom_graph_number(g, 0.5),
                                         carom_graph_make(g, CAROM_OP_SQRT, trace, -1, -1));
    const carom_ref four = carom_graph_mul(g, carom_graph_number(g, 4), p0);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        p->c[i] = quotient(g, carom_graph_sub(g, B[k][j], B[j][k]), four);
    }
    return p0;
}

// psi = 2 atan2(s, p0)/s p. The tiny number keeps s, and with it psi's derivatives, away from 0/0
// in a straight beam; it is below rounding wherever it could count.
static carom_vec turn_vector(carom_graph *g, carom_ref p0, carom_vec p)
{
    const carom_ref square =
        carom_graph_add(g, carom_weave_dot(g, p, p), carom_graph_number(g, 1e-24));
    const carom_ref s = carom_graph_make(g, CAROM_OP_SQRT, square, -1, -1);
    const carom_ref angle = carom_graph_make(g, CAROM_OP_ATAN2, s, p0, -1);
    return carom_weave_scale(g, quotient(g, carom_graph_mul(g, carom_graph_number(g, 2), angle), s),
                             p);
}

// Tm'd from both ends
static carom_vec middle_view(carom_graph *g, const carom_frame end[2], carom_ref p0, carom_vec p,
                             carom_vec d)
{
    carom_vec seen[2];
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 3; i++) seen[k].c[i] = carom_weave_dot(g, end[k].axis[i], d);
    const carom_ref one = carom_graph_number(g, 1);
    const carom_vec mean =
        carom_weave_scale(g, carom_graph_number(g, 0.5), carom_weave_add(g, seen[0], seen[1]));
    const carom_ref along =
        quotient(g, carom_weave_dot(g, p, seen[0]), carom_graph_add(g, one, p0));
    return carom_weave_scale(g, quotient(g, one, p0),
                             carom_weave_sub(g, mean, carom_weave_scale(g, along, p)));
}

static carom_status weave_space(carom_fitting *f)
{
    beam b;
    carom_frame end[2];
    carom_vec p;
    carom_graph *g = f->g;
    CAROM_TRY(begin(&b, f));
    CAROM_TRY(find_frames(&b, end));
    const carom_ref p0 = relative_turn(g, end, &p);
    const carom_vec psi = turn_vector(g, p0, p), c = middle_view(g, end, p0, p, f->d);
    b.n = 6;
    for (int i = 0; i < 3; i++) {
        b.strain[i] = quotient(g, c.c[i], b.l);
        b.strain[3 + i] = quotient(g, psi.c[i], b.l);
    }
    subtract_free_shape(&b, 3);
    const carom_vec t[2] = {end[0].axis[0], end[1].axis[0]};
    CAROM_TRY(draw(&b, t, b.stiffness[5]));
    return add_strains(&b);
}

static const carom_word_facts word[] = {
    CAROM_WORDS_OF_POINTS,
    {"stiffness", "stiffness: [2e4, 0.1]",
     "of its section: [EA, EI] or [EA, GA, EI]; in space [EA, GJ, EIy, EIz] or "
     "[EA, GAy, GAz, GJ, EIy, EIz]"},
    {"length", "length: 0.1", "free of stress; absent: that of the start"},
    {"damping", "damping: 1e-5", "of the strains, a factor of the stiffness [s]"},
    {"frame", "frame: body",
     "its tangents are the x axes of the bodies; absent: straight at the start"},
    {"straight", "straight: yes",
     "with frame: body: free of stress where straight; absent: as it is at the start"},
    {"section_y", "section_y: [0, 1, 0]", "y axis of the section at the start, in space"},
    {0},
};
const carom_element_kind carom_element_kind_beam = {
    .facts = {"beam", "an elastic beam with constant strains, for any rotation",
              "beam: [root, tip], from: [0, 0], to: [0.1, 0], stiffness: [2e4, 0.1]", word},
    .n_to = 2,
    .fits = CAROM_FITS_BODIES,
    .needs_points = true,
    .weave = weave,
    .space = weave_space,
    .sketch = CAROM_SKETCH_NONE,
};
