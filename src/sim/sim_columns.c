// SPDX-License-Identifier: Apache-2.0
// The columns of the output: t, coordinates, rates der_, energies, then for each contact gap_,
// rate_, P_, la_ and with slip slip_, PT_, laT_ (numbered 1, 2 in space), for each constraint
// drift_, P_ and la_ of its reaction, for each joint P_ and la_ of force and torque on its second
// body, and the model's own records. Units of constraints are not known: with an equation in metres
// P_ is in N s and la_ in N. A force of limited strength has no gap_ and rate_; its P_ and la_ say
// what it may bear.
#include "carom/bodies.h"
#include "dynamics/law.h"
#include "model/model.h"
#include "sim/sim.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    carom_arena *arena;
    carom_column *column;
    int n;
    bool is_short; ///< memory ran out
} column_list;

// name = prefix + of + suffix
static void add(column_list *list, const char *group, const char *unit, const char *prefix,
                const char *of, const char *suffix)
{
    const char *name = carom_arena_format(list->arena, "%s%s%s", prefix, of, suffix);
    if (!name) list->is_short = true;
    list->column[list->n++] = (carom_column){.name = name, .unit = unit, .group = group};
}

static void add_tangents(column_list *list, const carom_contact_facts *contact, const char *group,
                         const char *unit, const char *prefix)
{
    static const char *const number[] = {"1", "2", "3"};
    if (contact->n_slip == 1) add(list, group, unit, prefix, contact->name, "");
    for (int k = 0; contact->n_slip > 1 && k < contact->n_slip; k++)
        add(list, group, unit, prefix, contact->name, number[k]);
}

static void add_contact(column_list *list, const carom_contact_facts *contact)
{
    if (!carom_law_is_disc(contact)) add(list, "gap", "m", "gap_", contact->name, "");
    if (!carom_law_is_disc(contact)) add(list, "rate", "m/s", "rate_", contact->name, "");
    add(list, "P", "N s", "P_", contact->name, "");
    add(list, "la", "N", "la_", contact->name, "");
    add_tangents(list, contact, "slip", "m/s", "slip_");
    add_tangents(list, contact, "PT", "N s", "PT_");
    add_tangents(list, contact, "laT", "N", "laT_");
}

// "m" -> "m/s"
static const char *rate_unit(column_list *list, const char *unit)
{
    const char *rate = unit[0] ? carom_arena_format(list->arena, "%s/s", unit) : "";
    if (!rate) list->is_short = true;
    return rate;
}

// the rate of a coordinate is called der_x, other velocities by their own name
static void add_velocity(column_list *list, const carom_model *model, int u)
{
    const char *name = carom_model_velocity_name(model, u);
    const carom_sizes size = carom_model_sizes(model);
    for (int i = u; i < size.nq && strncmp(name, "der(", 4) == 0; i++) {
        const char *of = carom_model_coordinate_name(model, i);
        const size_t n = strlen(of);
        if (strncmp(name + 4, of, n) != 0 || strcmp(name + 4 + n, ")") != 0) continue;
        add(list, "u", rate_unit(list, carom_model_coordinate_unit(model, i)), "der_", of, "");
        return;
    }
    add(list, "u", "", "", name, "");
}

// pin: P_pin_Fx, P_pin_Fy, P_pin_Tz
static void add_reactions(column_list *list, const carom_model *model, const char *group,
                          const char *prefix, const char *units[2])
{
    static const char *const suffix[] = {"_Fx", "_Fy", "_Fz", "_Tx", "_Ty", "_Tz"};
    const carom_sizes size = carom_model_sizes(model);
    const bool is_plane = size.n_reaction == 3 * size.n_joint;
    for (int j = 0; j < size.n_joint; j++)
        for (int k = 0; k < 6; k++)
            if (!is_plane || k < 2 || k == 5)
                add(list, group, units[k / 3], prefix, carom_model_joint_name(model, j), suffix[k]);
}

static void add_all(column_list *list, const carom_model *model, const carom_sizes *size)
{
    add(list, "t", "s", "t", "", "");
    for (int i = 0; i < size->nq; i++)
        add(list, "q", carom_model_coordinate_unit(model, i), "",
            carom_model_coordinate_name(model, i), "");
    for (int i = 0; i < size->nu; i++) add_velocity(list, model, i);
    add(list, "energy", "J", "kinetic", "", "");
    add(list, "energy", "J", "potential", "", "");
    add(list, "energy", "J", "energy", "", "");
    for (int i = 0; i < size->n_contact; i++) {
        const carom_contact_facts *contact = carom_model_contact(model, i);
        const int home = carom_law_home(contact, i);
        if (!carom_model_contact(model, home)->is_near) add_contact(list, contact);
    }
    for (int i = 0; i < size->n_constraint; i++)
        add(list, "drift", "", "drift_", carom_model_constraint_name(model, i), "");
    for (int i = 0; i < size->n_constraint; i++)
        add(list, "PC", "", "P_", carom_model_constraint_name(model, i), "");
    for (int i = 0; i < size->n_constraint; i++)
        add(list, "laC", "", "la_", carom_model_constraint_name(model, i), "");
    add_reactions(list, model, "PJ", "P_", (const char *[]){"N s", "N m s"});
    add_reactions(list, model, "laJ", "la_", (const char *[]){"N", "N m"});
    for (int i = 0; i < size->n_record; i++)
        add(list, "record", "", "", carom_model_record_name(model, i), "");
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static carom_status refuse_twins(const column_list *list, carom_error *error)
{
    const char **name = CAROM_TAKE(list->arena, const char *, list->n);
    if (!name) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    for (int i = 0; i < list->n; i++) name[i] = list->column[i].name;
    qsort(name, (size_t)list->n, sizeof *name, by_text);
    for (int i = 1; i < list->n; i++)
        if (strcmp(name[i - 1], name[i]) == 0)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "two output columns are called '%s'; rename one of the two things "
                              "they show (coordinate, contact, constraint or record)",
                              name[i]);
    return CAROM_OK;
}

carom_status carom_sim_make_columns(carom_sim *sim, carom_error *error)
{
    const carom_sizes *size = &sim->size;
    const int n_tangent = size->n_row - size->n_constraint - size->n_contact;
    const int n = 4 + size->nq + size->nu + 4 * size->n_contact - 2 * size->n_disc + 3 * n_tangent +
                  3 * size->n_constraint + 2 * size->n_reaction + size->n_record;
    column_list list = {.arena = sim->arena, .column = CAROM_TAKE(sim->arena, carom_column, n)};
    sim->rows.value = CAROM_TAKE(sim->arena, double, n);
    if (!list.column || !sim->rows.value)
        return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    add_all(&list, sim->model, size);
    if (list.is_short) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    sim->rows.column = list.column;
    sim->rows.n_column = list.n;
    return refuse_twins(&list, error);
}

int carom_sim_n_column(const carom_sim *sim)
{
    return sim ? sim->rows.n_column : 0;
}

const carom_column *carom_sim_column(const carom_sim *sim, int i)
{
    return sim && i >= 0 && i < sim->rows.n_column ? &sim->rows.column[i] : NULL;
}
