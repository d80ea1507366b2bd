// SPDX-License-Identifier: Apache-2.0
// Contacts that come and go, in a run. All that is known of a contact from step to step is by its
// slot, and a contact that stays near keeps its slot (model/slots/slots.h). So nothing has to be
// moved; but where a slot changes hands, between the state that a step starts from and the step,
//
//     impulses, forces, activity, memory of the scheme     are 0 in the copy that the step starts
//                                                          from: its guess is that of no contact
//     tracks of the event log, modes of step control       are those of a contact never seen
//
// The state itself stays as it is, because the step may fail or be tried again.
#include "dynamics/contact_blocks.h"
#include "model/plan.h"
#include "model/slots/slots.h"
#include "sim/auto/auto_step.h"

#include <string.h>

bool carom_sim_make_slots(carom_sim *sim)
{
    sim->contacts.changed = CAROM_TAKE(sim->arena, int, sim->size.n_contact + 1);
    return sim->contacts.changed && carom_sim_make_state(sim, &sim->contacts.carried);
}

static void forget_contact(const carom_sim *sim, carom_state *state, int contact)
{
    const carom_contact_facts *facts = &sim->s.plan->contact[contact];
    const size_t bytes = sizeof(double) * (size_t)(1 + facts->n_slip);
    memset(state->P + facts->row, 0, bytes);
    memset(state->la + facts->row, 0, bytes);
    state->is_active[contact] = 0;
    if (sim->scheme->memory.forget) sim->scheme->memory.forget(&sim->s, state, contact);
    for (int d = facts->disc; d < facts->disc + facts->n_disc; d++) forget_contact(sim, state, d);
}

// of step control
static void forget_mode(const carom_sim *sim, int contact)
{
    const carom_contact_facts *facts = &sim->s.plan->contact[contact];
    if (!sim->control) return;
    sim->control->mode[contact] = (carom_mode){0};
    for (int d = facts->disc; d < facts->disc + facts->n_disc; d++)
        sim->control->mode[d] = (carom_mode){0};
}

static void list_changed(carom_sim *sim, const carom_slot *was, const carom_slot *is)
{
    int *changed = sim->contacts.changed, n = 0;
    const carom_slots *slots = sim->s.plan->slots;
    for (int c = slots->first; c < slots->end; c++)
        if (was[c].key != is[c].key || was[c].generation != is[c].generation) changed[n++] = c;
    sim->contacts.n_changed = n;
}

// Step control compares a step with its halves, by slots: all of an attempt have the contacts of
// the whole step, which comes first.
static bool is_first_look(const carom_sim *sim, const carom_state *from, const carom_state *to)
{
    return !sim->control || (from == &sim->now && to == &sim->control->coarse);
}

carom_status carom_sim_choose_slots(carom_sim *sim, const carom_state *from, carom_state *to)
{
    carom_sim_contacts *k = &sim->contacts;
    carom_plan *plan = sim->s.plan;
    const carom_point at = {.t = from->t, .q = from->q, .u = from->u};
    k->from = from;
    if (!plan->slots) return CAROM_OK;
    if (is_first_look(sim, from, to))
        CAROM_TRY(carom_plan_refresh(plan, &at, sim->s.h, from->slot, &sim->trouble));
    memcpy(to->slot, plan->slots->slot, sizeof *to->slot * (size_t)sim->size.n_contact);
    CAROM_TRY(carom_sim_check_laws(sim, &sim->trouble));
    carom_contacts_follow(sim->s.contacts, plan);
    list_changed(sim, from->slot, to->slot);
    if (k->n_changed == 0) return CAROM_OK;
    memcpy(k->carried.q, from->q, sim->bytes.state);
    k->carried.t = from->t;
    for (int i = 0; i < k->n_changed; i++) {
        forget_contact(sim, &k->carried, k->changed[i]);
        forget_contact(sim, to, k->changed[i]);
        forget_mode(sim, k->changed[i]);
    }
    k->from = &k->carried;
    return CAROM_OK;
}

carom_status carom_sim_begin_slots(carom_sim *sim, double h, carom_error *error)
{
    const carom_state *now = &sim->now;
    const carom_point at = {.t = now->t, .q = now->q, .u = now->u};
    return carom_plan_refresh(sim->s.plan, &at, h, now->slot, error);
}

void carom_sim_forget_tracks(carom_sim *sim)
{
    carom_sim_contacts *k = &sim->contacts;
    if (!sim->now.slot) return;
    list_changed(sim, sim->now.slot, sim->next.slot);
    for (int i = 0; i < k->n_changed; i++) {
        k->next[k->changed[i]] = (carom_track){0};
        k->last_gap[k->changed[i]] = INFINITY;
    }
}

void carom_sim_enter_slots(carom_sim *sim)
{
    const carom_sim_contacts *k = &sim->contacts;
    for (int i = 0; i < k->n_changed; i++) {
        const carom_contact_facts *facts = &sim->s.plan->contact[k->changed[i]];
        k->track[k->changed[i]] = k->next[k->changed[i]];
        memset(sim->rows.pending + facts->row, 0, sizeof(double) * (size_t)(1 + facts->n_slip));
    }
}

carom_slot carom_sim_slot(const carom_sim *sim, int contact)
{
    if (!sim || contact < 0 || contact >= sim->size.n_contact) return (carom_slot){0};
    return sim->now.slot ? sim->now.slot[contact] : carom_plan_slot(sim->s.plan, contact);
}
