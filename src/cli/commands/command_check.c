// SPDX-License-Identifier: Apache-2.0
// carom check: validates a model file with its run section, and shows what was derived
// from it: sizes, energy, gaps and rates at the start, and the restitution that the contact
// law gives, measured.
#include "job.h"
#include "terminal/message.h"
#include "terminal/plain.h"

#include <carom/analysis.h>
#include <carom/elastic.h>

#include <math.h>
#include <stdlib.h>

static const unsigned start_mask =
    CAROM_MASS | CAROM_FORCES | CAROM_GAPS | CAROM_ROWS | CAROM_ENERGY;

// of beams: what explicit schemes need
static void print_stiffest(const carom_model *model)
{
    carom_stiffest stiffest;
    if (!carom_model_is_elastic(model) || carom_model_stiffest(model, &stiffest, NULL) != CAROM_OK)
        return;
    printf(
        "stiffest       %.4g rad/s, damping ratio %.3g: explicit schemes need steps up to %.3g s\n",
        stiffest.frequency, stiffest.damping, carom_stiffest_step(&stiffest, 2));
}

// of linear bodies: a wrong file of matrices, or a wrong order of its unknowns, shows here
static void print_elastic(const carom_model *model)
{
    for (int i = 0; i < carom_model_n_elastic(model); i++) {
        carom_elastic_facts facts;
        if (carom_model_elastic(model, i, &facts, NULL) != CAROM_OK) continue;
        printf("elastic        %s: %d nodes, %d unknowns, mass", CAROM_PLAIN(facts.name),
               facts.n_node, facts.n);
        for (int k = 0; k < facts.n_mass; k++)
            printf("%s %.6g kg along %c", k ? "," : "", facts.mass[k], facts.direction[k]);
        printf("\n  %d rigid motion%s, then", facts.n_rigid, facts.n_rigid == 1 ? "" : "s");
        for (int k = 0; k < facts.n_frequency; k++)
            printf("%s %.6g", k ? "," : "", facts.frequency[k]);
        printf(facts.n_frequency > 0 ? " rad/s\n" : " frequencies that were not found\n");
        if (facts.n_before > 0)
            printf("  reduced from %d unknowns: %d modes kept, the first dropped has %.6g rad/s\n",
                   facts.n_before, facts.n_kept, facts.first_dropped);
    }
}

static bool is_rough(const carom_contact_facts *facts)
{
    return facts->mu > 0 || facts->varies & (CAROM_VARIES_FRICTION | CAROM_VARIES_GRIP);
}

static void print_sizes(const carom_job *job)
{
    const carom_sizes size = carom_model_sizes(job->model);
    const char *about = carom_model_about(job->model);
    const char *source = carom_model_source(job->model);
    int n_friction = 0;
    for (int i = 0; i < size.n_contact - size.n_disc; i++)
        n_friction += is_rough(carom_model_contact(job->model, i));
    printf("model          %s\n", CAROM_PLAIN(carom_model_name(job->model)));
    if (about && *about) printf("about          %s\n", CAROM_PLAIN(about));
    if (source && *source) printf("source         %s\n", CAROM_PLAIN(source));
    printf("file           %s\n", CAROM_PLAIN(job->path));
    printf("coordinates    %d\n", size.nq);
    printf("constraints    %d\n", size.n_constraint);
    printf("contacts       %d (%d with friction)\n", size.n_contact - size.n_disc, n_friction);
    if (size.n_disc > 0) printf("limited forces %d\n", size.n_disc);
    printf("rows           %d\n", size.n_row);
    printf("extra outputs  %d\n", size.n_record);
    print_elastic(job->model);
    print_stiffest(job->model);
}

static void print_state(const carom_job *job, const carom_eval *eval)
{
    const carom_sizes size = carom_model_sizes(job->model);
    const double *q = carom_model_start_q(job->model), *u = carom_model_start_u(job->model);
    carom_job_print_assembled(job);
    printf("energy         %.9g J (kinetic %.9g, potential %.9g)\n",
           eval->energy.kinetic + eval->energy.potential, eval->energy.kinetic,
           eval->energy.potential);
    printf("\n%-20s %16s %16s\n", "coordinate", "start", "rate");
    for (int i = 0; i < size.nq && size.nq != size.nu; i++)
        printf("%-20s %16.9g\n", CAROM_PLAIN(carom_model_coordinate_name(job->model, i)), q[i]);
    for (int i = 0; i < size.nu && size.nq != size.nu; i++)
        printf("%-20s %16s %16.9g\n", CAROM_PLAIN(carom_model_velocity_name(job->model, i)), "",
               u[i]);
    for (int i = 0; i < size.nq && size.nq == size.nu; i++)
        printf("%-20s %16.9g %16.9g\n", CAROM_PLAIN(carom_model_coordinate_name(job->model, i)),
               q[i], u[i]);
}

// rows that could be left out: allowed, but their reactions are not unique
static carom_status print_redundancy(const carom_job *job, carom_error *error)
{
    carom_redundancy found;
    CAROM_TRY(carom_redundancy_find(job->model, &found, error));
    if (!found.is_known)
        printf("\nredundant rows are not looked for: there are too many constraints (%d)\n",
               found.n_row);
    if (found.n_group > 0)
        printf("\nredundant      %d of %d constraint rows (reactions are the smallest; their sums "
               "are unique)\n",
               found.n_group, found.n_row);
    for (int g = 0; g < found.n_group; g++) {
        printf("  one of these rows is implied by the others:");
        for (int k = found.start[g]; k < found.start[g + 1]; k++)
            printf("%s %s", k > found.start[g] ? "," : "",
                   CAROM_PLAIN(carom_model_constraint_name(job->model, found.row[k])));
        putchar('\n');
    }
    carom_redundancy_free(&found);
    return CAROM_OK;
}

static void print_constraints(const carom_job *job, const carom_eval *eval, const double *gamma)
{
    const carom_sizes size = carom_model_sizes(job->model);
    if (size.n_constraint > 0) printf("\n%-20s %16s %16s\n", "constraint", "value", "rate");
    for (int i = 0; i < size.n_constraint; i++)
        printf("%-20s %16.9g %16.9g\n", CAROM_PLAIN(carom_model_constraint_name(job->model, i)),
               eval->gaps.constraint[i], gamma[i]);
}

// dry friction of a given load, drives of limited strength
static void print_discs(const carom_job *job, const carom_eval *eval, const double *gamma)
{
    const carom_sizes size = carom_model_sizes(job->model);
    if (size.n_disc > 0) printf("\n%-20s %16s %16s\n", "limited force", "limit", "slip rate");
    for (int i = size.n_contact - size.n_disc; i < size.n_contact; i++) {
        const carom_contact_facts *facts = carom_model_contact(job->model, i);
        double slip = 0;
        for (int k = 1; k <= facts->n_slip; k++) slip = hypot(slip, gamma[facts->row + k]);
        printf("%-20s %16.9g %16.9g%s\n", CAROM_PLAIN(facts->name), eval->rows.limit[i], slip,
               facts->of > 0       ? "   (limit: times what the contact presses with)"
               : facts->n_load > 0 ? "   (limit: times what the joint holds)"
                                   : "");
    }
}

// which measured restitution is not what was asked: laws are solved to 1e-9 of their scale, the
// work of Stronge's is integrated to 1e-4, and with Poisson's friction may press on
static bool is_wrong(const carom_contact_facts *facts, const carom_restitution *found)
{
    const double more = found->measured - found->e;
    const bool may_be_more = facts->law == CAROM_LAW_POISSON || facts->law == CAROM_LAW_SEQUENTIAL;
    return fabs(more) > (facts->law == CAROM_LAW_STRONGE ? 1e-4 : 1e-8) &&
           !(may_be_more && more > 0);
}

static const char *measure_of(const carom_contact_facts *facts)
{
    switch (facts->law) {
    case CAROM_LAW_POISSON:
        return "   (poisson: of the impulses)";
    case CAROM_LAW_SEQUENTIAL:
        return "   (sequential: of the impulses)";
    case CAROM_LAW_STRONGE:
        return "   (stronge: of the work)";
    default:
        return "";
    }
}

// returns how many contacts do not show the restitution they were given
static int print_contacts(const carom_job *job, const carom_eval *eval, const double *gamma,
                          const carom_restitution *found)
{
    const carom_sizes size = carom_model_sizes(job->model);
    int n_wrong = 0;
    unsigned varies = 0;
    if (size.n_contact > size.n_disc)
        printf("\n%-20s %16s %16s %8s %10s %8s\n", "contact", "gap", "rate", "e", "measured", "mu");
    for (int i = 0; i < size.n_contact - size.n_disc; i++) {
        const carom_contact_facts *facts = carom_model_contact(job->model, i);
        char text[32] = "-";
        if (isfinite(found[i].measured)) snprintf(text, sizeof text, "%.6g", found[i].measured);
        printf("%-20s %16.9g %16.9g %8.4g %10s %8.4g%s\n", CAROM_PLAIN(facts->name),
               eval->gaps.value[i], gamma[facts->row], found[i].e, text, found[i].mu,
               measure_of(facts));
        varies |= facts->varies;
        if (!is_wrong(facts, &found[i])) continue;
        n_wrong++;
        carom_message_error("contact %s: restitution %.9g asked, %s measured", facts->name,
                            found[i].e, text);
    }
    if (varies)
        printf(
            "  e and mu that are expressions: as the contact closes at %g m/s, with the slip that "
            "goes with it\n",
            CAROM_ARRIVAL_SPEED);
    return n_wrong;
}

static carom_status show_start(const carom_job *job, int *n_wrong, carom_error *error)
{
    carom_plan *plan = NULL;
    const carom_sizes size = carom_model_sizes(job->model);
    double *gamma = calloc((size_t)size.n_row + 1, sizeof *gamma);
    carom_restitution *found = calloc((size_t)size.n_contact + 1, sizeof *found);
    carom_status status =
        gamma && found ? CAROM_OK : carom_fail(error, CAROM_NO_MEMORY, "memory ran out");
    if (status == CAROM_OK) status = carom_plan_new(job->model, &start_mask, 1, &plan, error);
    carom_eval *eval = plan ? carom_plan_eval(plan) : NULL;
    const carom_point start = {.q = carom_model_start_q(job->model),
                               .u = carom_model_start_u(job->model)};
    if (status == CAROM_OK && !eval) status = carom_fail(error, CAROM_NO_MEMORY, "memory ran out");
    if (status == CAROM_OK) status = carom_model_eval(plan, &start, start_mask, eval, error);
    if (status == CAROM_OK) {
        carom_dynamics_rates(eval, start.u, gamma);
        print_state(job, eval);
        print_constraints(job, eval, gamma);
        print_discs(job, eval, gamma);
        status = print_redundancy(job, error);
    }
    if (status == CAROM_OK) status = carom_restitution_measure(job->model, found, error);
    if (status == CAROM_OK) *n_wrong = print_contacts(job, eval, gamma, found);
    carom_plan_free(plan);
    free(gamma);
    free(found);
    return status;
}

// the run section: a simulation is made, to hear what the scheme and the solver say, but not run
static carom_status check_run(carom_job *job, carom_error *error)
{
    carom_sim *sim = NULL;
    carom_sim_options *o = &job->options;
    CAROM_TRY(carom_job_plan(job, NULL, CAROM_PLAN_PART, error));
    const carom_sim_options asked = *o;
    if (o->step == 0 && !o->is_auto_step) o->step = o->end > 0 ? o->end : 1e-3;
    if (o->end == 0) o->end = o->is_auto_step ? 1 : o->step;
    CAROM_TRY(carom_job_simulation(job, &sim, error));
    printf("run            scheme %s, solver %s", carom_sim_scheme(sim), carom_sim_solver(sim));
    if (asked.step > 0) printf(", step %g s", asked.step);
    if (asked.is_auto_step) printf(", step auto");
    if (asked.tolerance > 0) printf(", tolerance %g", asked.tolerance);
    if (asked.end > 0) printf(", end %g s", asked.end);
    if (asked.step == 0 && asked.tolerance == 0 && !asked.is_auto_step)
        printf(" (no step: run needs --step)");
    if (asked.end == 0) printf(" (no end: run needs --end)");
    putchar('\n');
    carom_sim_free(sim);
    return CAROM_OK;
}

static int check(const carom_arguments *arguments)
{
    carom_job job;
    carom_error error = {0};
    int n_wrong = 0;
    int code = carom_job_open(&job, arguments);
    if (code == 0) {
        print_sizes(&job);
        if (check_run(&job, &error) != CAROM_OK || show_start(&job, &n_wrong, &error) != CAROM_OK) {
            carom_message_error("%s", error.message);
            code = CAROM_EXIT_USAGE;
        }
    }
    if (code == 0) carom_job_warn_of_model(&job);
    if (code == 0 && n_wrong > 0) code = CAROM_EXIT_AUDIT;
    code = carom_job_strict_code(&job, code);
    carom_job_close(&job);
    return code;
}

static const carom_argument rows[] = {
    {"scheme", 0, "S", false, "check the model for this time integrator"},
    CAROM_JOB_RUN_ROWS,
    CAROM_JOB_MODEL_ROWS,
    CAROM_JOB_START_ROWS,
    CAROM_JOB_STRICT_ROWS,
    {0},
};

const carom_command carom_command_check = {
    .name = "check",
    .usage = "MODEL.yaml [options]",
    .brief = "validate a model and show its start",
    .about =
        "Validates a model and its run section, and prints the derived sizes, the energy, the gaps "
        "and\n"
        "rates at the start, and which constraints are redundant. For each contact the restitution is\n"
        "measured: the contact is made to close at 1 m/s, and the contact law must send it back at "
        "the\n"
        "restitution asked.\n"
        "\n"
        "exit code: 0 valid, 1 a measured restitution is wrong or with --strict a warning,\n"
        "2 wrong usage or model.",
    .argument = rows,
    .run = check,
};
