// SPDX-License-Identifier: Apache-2.0
// What contacts do inside an attempt of the step control. A law that is implicit in the velocity
// sees the end of a step only: where a slip turns, a contact opens or a patch ends in the first
// half, one step and two half steps agree and are both wrong. So modes are compared,
//
//     of the step before, of both halves, of the whole step:
//         open | sticks | slips in a direction             a difference is a change
//     at five instants (start, end, middle, two between):
//         gap on a cubic through gaps and their rates      its lowest point may be below 0
//         slip rate on a parabola through three of them    its lowest point may be beyond 0
//         inside of a patch                                a difference is an edge
//
// The two instants between tell how well the curves hold. A rate that leaves its parabola by 1e-4
// of its terms is not followed: the step is too long for what moves there, whatever the coordinates
// say. Where a curve comes closer to 0 than it is known, something may hide.
#include "sim/auto/auto_step.h"

#include "dynamics/law.h"
#include "math/vector.h"
#include "model/model.h"
#include "model/slots/slots.h"

#include <math.h>
#include <string.h>

const double carom_look_share[CAROM_LOOKS] = {0, 0.19098300562505258, 0.5, 0.76393202250021030, 1};
static const double rounding = 1e-9;
// how far a rate may leave its parabola, in parts of its terms; one that is kept at 0
static const double followed = 1e-4, held = 0.1;
// how many times the error at two instants the error elsewhere may be
static const double doubt = 3;

static double length(const double *x, int n)
{
    return n == 0 ? 0 : n == 1 ? fabs(x[0]) : hypot(x[0], x[1]);
}

void carom_auto_note_modes(const carom_sim *sim, const carom_state *state, carom_mode *mode)
{
    const carom_step_report *report = &sim->s.report;
    for (int i = 0; i < sim->size.n_contact; i++) {
        const carom_contact_facts *contact = &sim->s.plan->contact[i];
        const int row = contact->row, n = contact->n_slip;
        const double *push = state->P[row] > 0 ? state->P + row : state->la + row;
        const double *before = report->rate_before + row, *after = report->rate_after + row;
        const double slip = length(after + 1, n);
        mode[i] = (carom_mode){0};
        // thrown back: nothing holds it any more
        const double fast = fmax(sim->control->speed[i], sim->contacts.track[i].rate_scale);
        const bool stays = after[0] <= rounding * fmax(fast, fabs(before[0]));
        if (!(push[0] > 0) || !stays) continue;
        mode[i].push = push[0];
        const double scale =
            fmax(sim->contacts.track[i].slip_scale, fmax(slip, length(before + 1, n)));
        const double along = length(push + 1, n);
        const bool is_inside = along < carom_law_limit(contact, push[0]) * (1 - rounding);
        mode[i].grip = is_inside ? carom_law_limit(contact, push[0]) - along : 0;
        if (!(carom_law_is_rough(contact)) || is_inside || slip <= rounding * scale) continue;
        memcpy(mode[i].slip, after + 1, sizeof(double) * (size_t)n);
    }
}

// the contacts at one instant; sizes are those of the terms of rates
static carom_status take_look(carom_sim *sim, int k, const carom_point *at)
{
    const carom_auto_step *c = sim->control;
    const carom_look *look = &c->look[k];
    const carom_eval *eval = sim->eval;
    CAROM_TRY(carom_model_eval(sim->s.plan, at, CAROM_CONTROL_CONTACTS, sim->eval, &sim->trouble));
    for (int i = 0; i < sim->size.n_contact; i++) {
        look->gap[i] = eval->gaps.value[i];
        look->inside[i] = eval->gaps.inside ? eval->gaps.inside[i] : 1;
    }
    for (int r = sim->size.n_constraint; r < sim->size.n_row; r++) {
        double rate = eval->rows.w0[r], size = fabs(eval->rows.w0[r]);
        for (int j = eval->rows.W.start[r]; j < eval->rows.W.start[r + 1]; j++) {
            const double term = eval->rows.W.value[j] * at->u[eval->rows.W.index[j]];
            rate += term;
            size += fabs(term);
        }
        look->rate[r] = rate;
        c->size[r] = k == 0 ? size : fmax(c->size[r], size);
    }
    return CAROM_OK;
}

// how well a row's gap (first = 0) or rate (first = nq) is known where coordinates or velocities
// are known to their weights; the last look is in eval
static double row_weight_at(const carom_sim *sim, const double *q, int row, int first)
{
    const carom_sparse *W = &sim->eval->rows.W;
    double sum = 0;
    for (int j = W->start[row]; j < W->start[row + 1]; j++)
        sum += fabs(W->value[j]) * carom_auto_weight(sim, q, first + W->index[j]);
    return sum;
}

static double row_weight(const carom_sim *sim, int row, int first)
{
    return row_weight_at(sim, sim->next.q, row, first);
}

// what has let go of a rest and is still there, as far as gap and rate are known; sim->eval looks
// at the start
static bool is_there(const carom_sim *sim, int i)
{
    const int row = sim->contacts.normal[i], nq = sim->size.nq;
    const double *q = sim->now.q;
    const double rate =
        carom_sparse_row_times(&sim->eval->rows.W, row, sim->now.u) + sim->eval->rows.w0[row];
    return sim->eval->gaps.value[i] <= row_weight_at(sim, q, row, 0) &&
           fabs(rate) <= row_weight_at(sim, q, row, nq);
}

// After an impact there is no acceleration, and no contact rests: it may just have been thrown back
static void note_rests(carom_sim *sim)
{
    const carom_auto_step *c = sim->control;
    const bool is_quiet = sim->size.nu > 0 && isfinite(c->acceleration[0]);
    for (int i = 0; i < sim->size.n_contact; i++)
        c->is.rests[i] = is_quiet && (c->mode[i].push > 0 || is_there(sim, i));
    sim->s.rests = c->is.rests;
}

// what rests from the start on has rates that are rounding, but no other to measure them by
carom_status carom_auto_look_at_start(carom_sim *sim)
{
    const carom_auto_step *c = sim->control;
    const carom_sparse *W = &sim->eval->rows.W;
    const carom_point start = {.t = sim->now.t, .q = sim->now.q, .u = sim->now.u};
    if (sim->size.n_contact == 0) return CAROM_OK;
    CAROM_TRY(
        carom_model_eval(sim->s.plan, &start, CAROM_CONTROL_CONTACTS, sim->eval, &sim->trouble));
    for (int i = 0; i < sim->size.n_contact; i++) {
        const int row = sim->contacts.normal[i];
        // of the weights: what has never moved is small beside what has
        c->speed[i] = 0;
        for (int j = W->start[row]; j < W->start[row + 1]; j++)
            c->speed[i] += fabs(W->value[j]) / sim->choice.tolerance *
                           carom_auto_weight(sim, sim->now.q, sim->size.nq + W->index[j]);
    }
    note_rests(sim);
    return CAROM_OK;
}

// on the way from a to b, with a velocity that changes evenly
static carom_status look_between(carom_sim *sim, int k, double h, const carom_state *a,
                                 const carom_state *b)
{
    const carom_auto_step *c = sim->control;
    const double begin = carom_look_share[k < CAROM_LOOK_MIDDLE ? 0 : CAROM_LOOK_MIDDLE];
    const double x = 2 * (carom_look_share[k] - begin), time = 0.5 * h * x;
    for (int i = 0; i < sim->size.nu; i++) c->point.u[i] = a->u[i] + 0.5 * x * (b->u[i] - a->u[i]);
    carom_model_move(sim->model, a->q, c->point.u, time, c->point.q);
    for (int i = 0; i < sim->size.nu; i++) c->point.u[i] = a->u[i] + x * (b->u[i] - a->u[i]);
    const carom_point at = {.t = a->t + time, .q = c->point.q, .u = c->point.u};
    return take_look(sim, k, &at);
}

static carom_status take_looks(carom_sim *sim, double h)
{
    const carom_state *state[] = {&sim->now, &sim->control->mid, &sim->next};
    for (int k = 0; k < 3; k++) {
        const carom_point at = {
            .t = sim->now.t + carom_look_share[2 * k] * h, .q = state[k]->q, .u = state[k]->u};
        CAROM_TRY(take_look(sim, 2 * k, &at));
        if (k < 2) CAROM_TRY(look_between(sim, 2 * k + 1, h, state[k], state[k + 1]));
    }
    return CAROM_OK;
}

/// A curve through what was seen at three instants: value, and where it is certain.
typedef struct parabola {
    double start, slope, bend; // f = start + slope x + bend x^2, 0 <= x <= 1
} parabola;

static parabola parabola_through(double start, double middle, double end)
{
    return (parabola){start, 4 * middle - 3 * start - end, 2 * (start - 2 * middle + end)};
}

static double value_at(parabola f, double x)
{
    return f.start + x * (f.slope + x * f.bend);
}

static double lowest(parabola f)
{
    const double x = f.bend > 0 ? -0.5 * f.slope / f.bend : -1;
    const double ends = fmin(f.start, value_at(f, 1));
    return x > 0 && x < 1 ? fmin(ends, value_at(f, x)) : ends;
}

// how far a row leaves the parabola through its start, middle and end
static double stray_from_parabola(const carom_sim *sim, int row)
{
    const carom_look *look = sim->control->look;
    const parabola f = parabola_through(look[0].rate[row], look[2].rate[row], look[4].rate[row]);
    return fmax(fabs(look[1].rate[row] - value_at(f, carom_look_share[1])),
                fabs(look[3].rate[row] - value_at(f, carom_look_share[3])));
}

// the cubic with these values and slopes (times its length) at both ends
static double cubic(const double value[2], const double slope[2], double x)
{
    const double y = 1 - x;
    return value[0] * y * y * (1 + 2 * x) + slope[0] * x * y * y + value[1] * x * x * (1 + 2 * y) -
           slope[1] * x * x * y;
}

// its value where it is lowest between its ends; INFINITY where it has no such place
static double lowest_inside(const double value[2], const double slope[2])
{
    const double a = 2 * (value[0] - value[1]) + slope[0] + slope[1];
    const double b = 3 * (value[1] - value[0]) - 2 * slope[0] - slope[1];
    // 3 a x^2 + 2 b x + slope = 0, the root at which it goes up
    const double square = b * b - 3 * a * slope[0];
    if (!(square > 0)) return INFINITY;
    const double root = sqrt(square);
    const double x = b > 0 ? -slope[0] / (b + root) : (root - b) / (3 * a);
    return x > 0 && x < 1 ? cubic(value, slope, x) : INFINITY;
}

// Looks at an open contact: whether it may touch between start and end, and how well its gap is
// followed where it could be reached
static void look_for_touch(const carom_sim *sim, carom_verdict *v, int i)
{
    const carom_look *look = sim->control->look;
    const int row = sim->contacts.normal[i];
    const double half = 0.5 * v->h, reach = half * sim->control->size[row];
    const double known = row_weight(sim, row, 0);
    double low = INFINITY, fastest = 0;
    for (int k = 0; k < CAROM_LOOK_END; k += 2) {
        const double value[] = {look[k].gap[i], look[k + 2].gap[i]}, between = look[k + 1].gap[i];
        const double slope[] = {half * look[k].rate[row], half * look[k + 2].rate[row]};
        const double x = 2 * (carom_look_share[k + 1] - carom_look_share[k]);
        if (!isfinite(value[0]) || !isfinite(value[1]) || !isfinite(between)) continue;
        const double error = fabs(between - cubic(value, slope, x));
        if (fmin(fmin(value[0], value[1]), between) <= reach && error > known)
            v->stray = fmax(v->stray, error / (followed * reach));
        low = fmin(low, fmin(between, lowest_inside(value, slope) - doubt * error));
        if (k > 0) low = fmin(low, value[0]);
        fastest = fmax(fastest, fmax(fabs(slope[0]), fabs(slope[1])));
    }
    // an impact that moves a gap by less than it is known may be missed
    if (4 * fastest <= known) return;
    const double start = look[0].gap[i], end = look[CAROM_LOOK_END].gap[i];
    // one that is closed and stays so is the scheme's
    if (end > 0 && (start > 0 || look[0].rate[row] > 0)) v->may_touch |= low <= 0;
    // it has closed before and opens again: the law at the end has nothing to do
    if (end <= 0 && start > 0 && look[CAROM_LOOK_END].rate[row] >= 0) v->may_touch = true;
}

// whether contact i is held, in some part of the attempt or before it
static bool is_held(const carom_auto_step *c, int i)
{
    return c->mode[i].push > 0 || c->half[0][i].push > 0 || c->half[1][i].push > 0 ||
           c->whole[i].push > 0;
}

// whether the slip stops, starts or turns from a to b; 0 where one of them is open
static bool slip_turns(const carom_mode *a, const carom_mode *b)
{
    if (!(a->push > 0) || !(b->push > 0)) return false;
    const bool slips_a = a->slip[0] != 0 || a->slip[1] != 0;
    const bool slips_b = b->slip[0] != 0 || b->slip[1] != 0;
    return slips_a != slips_b || a->slip[0] * b->slip[0] + a->slip[1] * b->slip[1] < 0;
}

// Whether the forces of a contact that is held in both halves, by their means there, end below what
// holds it: the law sees means, and lets go late
static bool force_runs_out(const carom_mode *first, const carom_mode *last)
{
    if (!(first->push > 0) || !(last->push > 0)) return false;
    return 3 * last->push < first->push || (last->grip > 0 && 3 * last->grip < first->grip);
}

bool carom_auto_hold_falls(const carom_sim *sim)
{
    const carom_auto_step *c = sim->control;
    for (int i = 0; i < sim->size.n_contact; i++) {
        const carom_mode *first = &c->half[0][i], *last = &c->half[1][i];
        if (last->push < first->push || last->grip < first->grip) return true;
    }
    return false;
}

// Whether contact i slips faster behind the step than at its end. A law that looks at the middle of
// a step leaves a slip at its end, which friction needs more than a short step to stop.
static bool slip_grows(const carom_sim *sim, int i)
{
    const carom_auto_step *c = sim->control;
    const carom_contact_facts *contact = &sim->s.plan->contact[i];
    const int row = contact->row + 1, n = contact->n_slip;
    const double end = length(c->look[CAROM_LOOK_END].rate + row, n);
    const double behind = length(c->look[CAROM_LOOK_BEHIND].rate + row, n);
    return behind - end > rounding * (n > 0 ? length(c->size + row, n) : 0);
}

carom_status carom_auto_has_let_go(carom_sim *sim, const carom_state *after, bool *has)
{
    carom_auto_step *c = sim->control;
    const carom_point at = {.t = after->t, .q = after->q, .u = after->u};
    carom_auto_note_modes(sim, after, c->whole);
    CAROM_TRY(take_look(sim, CAROM_LOOK_BEHIND, &at));
    *has = false;
    for (int i = 0; i < sim->size.n_contact; i++) {
        const int row = sim->contacts.normal[i];
        const carom_mode *first = &c->half[0][i], *last = &c->half[1][i], *now = &c->whole[i];
        if (!(first->push > 0) && !(last->push > 0)) continue;
        // what rounding, drift or a small impact has opened falls back
        const double rate = c->look[CAROM_LOOK_BEHIND].rate[row];
        const double more = rate - c->look[CAROM_LOOK_END].rate[row];
        *has |= !(now->push > 0) && fmin(rate, more) > rounding * c->size[row];
        *has |= last->grip > 0 && now->push > 0 && !(now->grip > 0) && slip_grows(sim, i);
    }
    return CAROM_OK;
}

// a contact that is closed when the run starts slips as it moves then
static carom_mode mode_before(const carom_sim *sim, int i)
{
    const carom_auto_step *c = sim->control;
    const carom_contact_facts *contact = &sim->s.plan->contact[i];
    carom_mode mode = c->mode[i];
    if (sim->now.t > 0 || !(c->look[0].gap[i] <= 0)) return mode;
    mode.push = 1;
    for (int k = 0; carom_law_is_rough(contact) && k < contact->n_slip; k++)
        mode.slip[k] = c->look[0].rate[contact->row + 1 + k];
    return mode;
}

// A slip that keeps its direction by the law. The law of some schemes looks at the middle of a
// step: the rates tell whether the slip has turned by then, and whether it may turn twice between
// the instants
static void follow_slip(const carom_sim *sim, carom_verdict *v, const carom_mode *mode, int i)
{
    const carom_look *look = sim->control->look;
    const carom_contact_facts *contact = &sim->s.plan->contact[i];
    const double slip = length(mode->slip, 2);
    double along[CAROM_LOOKS] = {0}, error = 0, size = 0;
    if (!(slip > 0)) return;
    for (int j = 0; j < contact->n_slip; j++) {
        const int row = contact->row + 1 + j;
        for (int k = 0; k < CAROM_LOOKS; k++) along[k] += mode->slip[j] / slip * look[k].rate[row];
        error = hypot(error, stray_from_parabola(sim, row));
        size = hypot(size, sim->control->size[row]);
    }
    const double none = -rounding * size,
                 low = lowest(parabola_through(along[0], along[2], along[4]));
    const bool has_turned = along[CAROM_LOOK_MIDDLE] < none || along[CAROM_LOOK_END] < none;
    v->has_late_change |= has_turned;
    v->may_hide |= along[1] < none || along[3] < none;
    v->may_hide |= low < fmin(along[0], along[CAROM_LOOK_END]) && low < doubt * error;
}

// A contact that rested has lost its rate by the law, but where the law looks at the middle of a
// step it has kept what came after: with this it flies off, whatever the step is now
static void note_lag(const carom_sim *sim, carom_verdict *v, int i)
{
    const int row = sim->contacts.normal[i];
    const double rate = fabs(sim->control->look[0].rate[row]);
    const double lag = rate / row_weight(sim, row, sim->size.nq);
    if (!(lag > v->lag)) return;
    v->lag = lag;
    v->lag_rate = rate;
    v->lag_contact = i;
}

// compares the modes of a contact that is held
static void compare_modes(const carom_sim *sim, carom_verdict *v, int i)
{
    const carom_auto_step *c = sim->control;
    const int row = sim->contacts.normal[i];
    const carom_mode before = mode_before(sim, i), *first = &c->half[0][i], *last = &c->half[1][i];
    const bool was_held = before.push > 0 || first->push > 0;
    const double rate = c->look[CAROM_LOOK_END].rate[row];
    // what only rounding or the scheme's own drift opens falls back
    const bool opens = was_held && !(last->push > 0) && rate > rounding * c->size[row];
    if (opens && c->is.rests[i]) note_lag(sim, v, i);
    bool is_change = opens;
    is_change |=
        slip_turns(&before, first) || slip_turns(first, last) || slip_turns(&c->whole[i], last);
    is_change |= slip_turns(&before, last) || force_runs_out(first, last);
    v->has_change |= is_change;
    if (!is_change) follow_slip(sim, v, last, i);
}

// How well rates of a contact that is held are followed. Those that the law keeps at 0 are known to
// the order of the scheme only, and what they do shows in positions.
static void follow_rates(const carom_sim *sim, carom_verdict *v, int i)
{
    const carom_auto_step *c = sim->control;
    const carom_contact_facts *contact = &sim->s.plan->contact[i];
    const int n = carom_law_is_rough(contact) ? contact->n_slip : 0;
    const bool slips = length(c->half[1][i].slip, 2) > 0;
    for (int row = contact->row; row <= contact->row + n; row++) {
        const double share = slips && row > contact->row ? followed : held;
        const double size = c->size[row], error = stray_from_parabola(sim, row);
        if (error > row_weight(sim, row, sim->size.nq))
            v->stray = fmax(v->stray, error / (share * size));
    }
}

// whether the attempt goes over the edge of a patch that it is on, or may be on
static bool crosses_edge(const carom_sim *sim, double h, int i)
{
    const carom_auto_step *c = sim->control;
    const double reach = h * c->size[sim->contacts.normal[i]];
    bool is_edge = false, is_near = is_held(c, i);
    for (int k = 0; k < CAROM_LOOKS; k++) {
        is_edge |= c->look[k].inside[i] != c->look[0].inside[i];
        is_near |= c->look[k].gap[i] <= reach;
    }
    return is_edge && is_near;
}

// Whether a contact that is closed sinks and nothing holds it: the law of some schemes looks ahead
// on the tangent, where a surface that bends away seems open as long as the step is long
static bool sinks(const carom_sim *sim, int i)
{
    const carom_auto_step *c = sim->control;
    const int row = sim->contacts.normal[i];
    const double rate = c->look[CAROM_LOOK_END].rate[row];
    return c->look[0].gap[i] <= 0 && c->look[CAROM_LOOK_END].gap[i] <= 0 &&
           !(c->half[1][i].push > 0) && rate < -row_weight(sim, row, sim->size.nq);
}

// Whether a contact of shapes that is held has other features by the middle or the end than those
// it was found with: the next step will find the right ones, this one has had those of its start
static carom_status look_at_features(carom_sim *sim, carom_verdict *v)
{
    const carom_auto_step *c = sim->control;
    const carom_state *state[] = {&sim->now, &c->mid, &sim->next};
    bool is_any = false, was_missed = false, is_missed;
    if (!carom_plan_has_features(sim->s.plan)) return CAROM_OK;
    for (int i = 0; i < sim->size.n_contact; i++) {
        c->is.there[i] = c->is.left[i] = 0;
        is_any |= is_held(c, i);
    }
    for (int k = 0; is_any && k < 3; k++) {
        const carom_point at = {.t = state[k]->t, .q = state[k]->q};
        CAROM_TRY(carom_plan_check_slots(sim->s.plan, &at, c->is.there, &is_missed, &sim->trouble));
        for (int i = 0; i < sim->size.n_contact; i++) {
            v->has_edge |= k > 0 && c->is.left[i] && !c->is.there[i];
            if (k == 0) c->is.left[i] = is_held(c, i) && c->is.there[i];
        }
        if (k == 0) was_missed = is_missed;
        v->has_edge |= is_missed && !was_missed;
    }
    return CAROM_OK;
}

carom_status carom_auto_look_inside(carom_sim *sim, carom_verdict *v)
{
    const carom_auto_step *c = sim->control;
    CAROM_TRY(take_looks(sim, v->h));
    CAROM_TRY(look_at_features(sim, v));
    for (int i = 0; i < sim->size.n_contact; i++) {
        v->has_edge |= sim->size.n_surface > 0 && crosses_edge(sim, v->h, i);
        if (is_held(c, i) || (sim->now.t == 0 && c->look[0].gap[i] <= 0)) {
            compare_modes(sim, v, i);
            follow_rates(sim, v, i);
        } else {
            look_for_touch(sim, v, i);
        }
        v->has_late_change |= sinks(sim, i);
    }
    v->has_change |= v->has_edge || v->has_late_change;
    return CAROM_OK;
}
