// SPDX-License-Identifier: Apache-2.0
// Coefficients of a contact, from texts. What is made of parameters alone is a number that the
// contact has (live parameters may change it); all else is an expression, evaluated where the
// contact is:
//
//     restitution        positions, t, arrival_speed     the rate at which the gap closes [m/s]
//     friction           positions, t, slip_rate         |gamma_T| [m/s]
//     friction_static    positions, t                    of a contact that sticks
//     friction: [a, b]   numbers                         an ellipse of two slips
//
// An ellipse with the semi-axes a P_N and b P_N becomes a disc of radius a P_N where the second
// slip is measured b/a times as long: what is done along it stays the same, P_T2 gamma_T2.
#include "model/making/making.h"

#include <math.h>

static carom_status check(carom_making *making, carom_text text, const char *what, double most,
                          double value)
{
    if (value >= 0 && value <= most) return CAROM_OK;
    if (most > 1)
        return carom_fail_at(making->error, text.place, CAROM_BAD_INPUT,
                             "%s must not be negative, it is %g", what, value);
    return carom_fail_at(making->error, text.place, CAROM_BAD_INPUT,
                         "%s must be between 0 and 1, it is %g", what, value);
}

// a coefficient as it is asked for
typedef struct asked {
    carom_text text;
    const char *what;
    double most;
    carom_allowed allowed;
} asked;

// its node, -1 = absent; what is made of parameters alone is a factor of the contact, and a number
// goes to value. What is live is looked at with its values (live.c)
static carom_status read_one(carom_making *making, const asked *it, double *value, carom_ref *ref)
{
    *ref = -1;
    *value = 0;
    if (it->text.text) CAROM_TRY(carom_making_node(making, it->text, it->allowed, ref));
    const bool is_firm = *ref < 0 || carom_graph_is_firm(making->graph, *ref);
    if (!carom_refs_add(making->model->arena, &making->lagrange->factor, is_firm ? *ref : -1))
        return carom_making_no_memory(making);
    if (*ref < 0 || !carom_graph_is_number(making->graph, *ref, value)) return CAROM_OK;
    if (!isfinite(*value))
        return carom_fail_at(making->error, it->text.place, CAROM_BAD_INPUT,
                             "%s: '%s' is not a finite number", it->what, it->text.text);
    return check(making, it->text, it->what, it->most, *value);
}

static bool varies(const carom_making *making, carom_ref ref)
{
    return ref >= 0 && !carom_graph_is_firm(making->graph, ref);
}

static carom_allowed own_rate(carom_making *making, const char *name, int row)
{
    return (carom_allowed){
        .no_rates = "friction and restitution depend on positions, time, and of rates on slip_rate "
                    "or arrival_speed alone",
        .no_condition = "a coefficient is a number: write if(condition, this, that)",
        .has_forces = true,
        .own_name = name,
        .own = carom_graph_symbol(making->graph, CAROM_P, row)};
}

// mu of a contact that sticks is asked wherever it is given, and with it that of one that slides
static carom_status read_grip(carom_making *making, const carom_contact_text *contact,
                              carom_coefficients_given *given)
{
    const carom_text text = contact->friction_static;
    carom_ref *grip = &given->grip;
    static const carom_allowed positions = {
        .no_rates = "what sticks has no rate: friction_static depends on positions and time only",
        .no_condition = "a coefficient is a number: write if(condition, this, that)"};
    double value, mu;
    if (!text.text) return CAROM_OK;
    CAROM_TRY(carom_making_node(making, text, positions, grip));
    if (given->mu < 0) given->mu = carom_graph_number(making->graph, 0);
    if (!carom_graph_is_number(making->graph, *grip, &value)) return CAROM_OK;
    CAROM_TRY(check(making, text, "friction_static", INFINITY, value));
    if (!carom_graph_is_number(making->graph, given->mu, &mu) || value >= mu) return CAROM_OK;
    return carom_fail_at(making->error, text.place, CAROM_BAD_INPUT,
                         "friction_static must not be less than friction, it is %g, and friction "
                         "%g (leave it out where both are the same)",
                         value, mu);
}

static carom_status read_ellipse(carom_making *making, const carom_contact_text *text,
                                 carom_contact_facts *facts)
{
    double along, across;
    if (!text->friction_across.text) return CAROM_OK;
    if (text->n_slip != 2)
        return carom_fail_at(making->error, text->friction_across.place, CAROM_BAD_INPUT,
                             "two coefficients of friction are those of two slips, contact '%s' "
                             "has %d (write slip: [x, y])",
                             facts->name, text->n_slip);
    CAROM_TRY(carom_making_number(making, text->friction, "friction along the first slip", &along));
    CAROM_TRY(carom_making_number(making, text->friction_across, "friction along the second slip",
                                  &across));
    if (!(along > 0 && across > 0))
        return carom_fail_at(making->error, text->friction_across.place, CAROM_BAD_INPUT,
                             "both coefficients of friction must be above 0, they are %g and %g",
                             along, across);
    facts->ratio = across / along;
    return CAROM_OK;
}

static carom_status check_slips(carom_making *making, const carom_contact_text *text,
                                const carom_contact_facts *facts)
{
    const bool is_rough =
        facts->mu > 0 || facts->varies & (CAROM_VARIES_FRICTION | CAROM_VARIES_GRIP);
    if (!is_rough || facts->n_slip > 0) return CAROM_OK;
    const carom_text said = text->friction.text ? text->friction : text->friction_static;
    return carom_fail_at(
        making->error, said.place, CAROM_BAD_INPUT,
        "contact '%s' has friction but no slip; add 'slip' (the tangential displacement) or "
        "'slip_rate'",
        facts->name);
}

// tangential restitution is a number
static carom_status read_tangential(carom_making *making, carom_text text, double *e_t)
{
    static const char *const why = "only parameters can be used here";
    const asked it = {text, "tangential restitution", 1, {.no_rates = why, .no_time = why}};
    carom_ref ref;
    CAROM_TRY(read_one(making, &it, e_t, &ref));
    if (!varies(making, ref)) return CAROM_OK;
    return carom_fail_at(making->error, text.place, CAROM_BAD_INPUT,
                         "%s must be a number or an expression of parameters, not '%s'", it.what,
                         text.text);
}

static carom_status keep(carom_making *making, const carom_coefficients_given *given)
{
    carom_coefficients_given *kept =
        CAROM_LIST_ADD(making->model->arena, &making->lagrange->coefficients);
    if (!kept) return carom_making_no_memory(making);
    *kept = *given;
    return CAROM_OK;
}

carom_status carom_making_coefficients(carom_making *making, const carom_contact_text *text,
                                       int contact, carom_contact_facts *facts)
{
    carom_coefficients_given given = {contact, -1, -1, -1};
    const asked restitution = {text->restitution, "restitution", 1,
                               own_rate(making, "arrival_speed", facts->row)};
    const asked friction = {text->friction, "friction", INFINITY,
                            own_rate(making, "slip_rate", facts->row + 1)};
    facts->n_slip = text->n_slip;
    CAROM_TRY(read_one(making, &restitution, &facts->e, &given.e));
    CAROM_TRY(read_tangential(making, text->tangential_restitution, &facts->e_t));
    CAROM_TRY(read_one(making, &friction, &facts->mu, &given.mu));
    CAROM_TRY(read_grip(making, text, &given));
    CAROM_TRY(read_ellipse(making, text, facts));
    CAROM_TRY(carom_making_law(making, text->law, text->tangential_restitution, &facts->law));
    const bool has_grip = given.grip >= 0;
    if (!varies(making, given.e)) given.e = -1;
    if (!varies(making, given.mu) && !has_grip) given.mu = -1;
    facts->varies = (given.e >= 0 ? CAROM_VARIES_RESTITUTION : 0u) |
                    (given.mu >= 0 ? CAROM_VARIES_FRICTION : 0u) |
                    (has_grip ? CAROM_VARIES_GRIP : 0u);
    CAROM_TRY(check_slips(making, text, facts));
    return facts->varies ? keep(making, &given) : CAROM_OK;
}

carom_ref carom_making_across(carom_making *making, carom_ref slip,
                              const carom_contact_facts *facts)
{
    if (facts->ratio == 0) return slip;
    return carom_graph_mul(making->graph, carom_graph_number(making->graph, facts->ratio), slip);
}
