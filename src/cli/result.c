// SPDX-License-Identifier: Apache-2.0
// What a run came to. The status is the first that holds of: stopped (the end was not reached),
// unconverged (some step's contact residual is larger than asked), limits (a --max-... option is
// broken), unstable (the energy rose without end), warnings (something was warned of, with
// --strict), held (what was asked is a residual larger than that of an exact answer, and some step
// needed that), done.
#include "result.h"

#include "carom/bodies.h"
#include "terminal/message.h"
#include "terminal/plain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// a limit that is off is infinite; !(x <= limit) also holds where x is not a number
static bool is_broken(double x, double limit)
{
    return isfinite(limit) && !(x <= limit);
}

static bool is_deep(const carom_result *r)
{
    return is_broken(-r->audit.min_gap, r->job->limits.penetration);
}

static bool is_adrift(const carom_result *r)
{
    return is_broken(r->audit.max_drift, r->job->limits.drift);
}

static bool is_off_energy(const carom_result *r)
{
    return is_broken(fabs(r->audit.energy_error), r->job->limits.energy_error);
}

// with --strict
static bool is_warned(const carom_result *r)
{
    return carom_arguments_value(r->job->arguments, "strict") &&
           (r->audit.warnings[0] || r->job->n_warning > 0);
}

static const char *status_word(const carom_result *r)
{
    if (r->run != CAROM_OK) return "stopped";
    if (r->counts.unconverged > 0) return "unconverged";
    if (is_deep(r) || is_adrift(r) || is_off_energy(r)) return "limits";
    if (r->audit.is_unstable) return "unstable";
    if (is_warned(r)) return "warnings";
    const bool is_coarse = r->audit.goal > CAROM_CONTACT_TOLERANCE;
    return is_coarse && r->audit.residual > CAROM_CONTACT_TOLERANCE ? "held" : "done";
}

bool carom_result_is_good(const carom_result *r)
{
    return strcmp(r->status, "done") == 0 || strcmp(r->status, "held") == 0;
}

static carom_audit no_audit(void)
{
    return (carom_audit){.min_gap = NAN,
                         .max_drift = NAN,
                         .residual = NAN,
                         .goal = NAN,
                         .cone_violation = NAN,
                         .energy_start = NAN,
                         .energy_end = NAN,
                         .kinetic_end = NAN,
                         .potential_end = NAN,
                         .work = NAN,
                         .impact_loss = NAN,
                         .friction_loss = NAN,
                         .energy_error = NAN,
                         .largest_rise = NAN,
                         .largest_kinetic = NAN,
                         .model_size = NAN,
                         .min_gap_at = "",
                         .max_drift_at = "",
                         .residual_at = "",
                         .min_gap_time = NAN,
                         .max_drift_time = NAN,
                         .residual_time = NAN,
                         .warnings = ""};
}

bool carom_result_take(carom_result *result, const carom_job *job, carom_sim *sim, carom_status run)
{
    carom_error error = {0};
    *result = (carom_result){.job = job, .sim = sim, .run = run};
    result->size = carom_model_sizes(job->model);
    result->gap = malloc(sizeof(double) * (size_t)(result->size.n_contact + 1));
    if (!result->gap) {
        carom_message_error("memory ran out");
        return false;
    }
    if (carom_sim_audit(sim, &result->audit, result->gap, &error) != CAROM_OK) {
        carom_message_error("%s", error.message);
        if (run == CAROM_OK) result->run = error.status;
        for (int i = 0; i < result->size.n_contact; i++) result->gap[i] = NAN;
        result->audit = no_audit();
    }
    result->counts = carom_sim_counts(sim);
    result->times = carom_sim_times(sim);
    result->times.setup += job->seconds;
    result->status = status_word(result);
    return true;
}

void carom_result_free(carom_result *result)
{
    free(result->gap);
    result->gap = NULL;
}

double carom_result_step_time(const carom_result *result)
{
    return result->counts.steps > 0 ? 1e6 * result->times.stepping / (double)result->counts.steps
                                    : 0;
}

// the lines of the warnings from number `first` on; calls put with each
typedef void put_line(void *self, const char *line, int length);
static int each_warning(const carom_result *r, int first, put_line *put, void *self)
{
    int n = 0;
    for (const char *line = r->audit.warnings; *line; n++) {
        const size_t length = strcspn(line, "\n");
        if (n >= first && put) put(self, line, (int)length);
        line += length + (line[length] != 0);
    }
    return n;
}

typedef struct complaint {
    carom_job *job;
    const char *lead;
} complaint;

static void say(void *self, const char *line, int length)
{
    const complaint *to = self;
    carom_job_warn(to->job, "%s%.*s", to->lead, length, line);
}

void carom_result_complain(const carom_result *r, carom_job *job, const char *lead)
{
    const carom_audit_limits *limits = &r->job->limits;
    const carom_audit *a = &r->audit;
    complaint to = {job, lead};
    each_warning(r, carom_model_n_warning(job->model), say, &to);
    if (r->counts.unconverged > 0)
        carom_message_error("%s%ld of %ld steps did not converge; the largest contact residual is "
                            "%.3g, of '%s' at t = %.6g (try a smaller --step or another --solver)",
                            lead, r->counts.unconverged, r->counts.steps, a->residual,
                            a->residual_at, a->residual_time);
    if (is_deep(r))
        carom_message_error("%spenetration %.6g m is above --max-penetration %g (contact '%s', t = "
                            "%.6g)",
                            lead, -a->min_gap, limits->penetration, a->min_gap_at, a->min_gap_time);
    if (is_adrift(r))
        carom_message_error("%sdrift %.6g is above --max-drift %g (constraint '%s', t = %.6g)",
                            lead, a->max_drift, limits->drift, a->max_drift_at, a->max_drift_time);
    if (is_off_energy(r))
        carom_message_error("%senergy error %.6g J is above --max-energy-error %g", lead,
                            a->energy_error, limits->energy_error);
}

// of all constraints and of the contacts' normals: the last step's impulses, the forces at the end
static void put_multipliers(const carom_result *r, carom_json *json, const char *name,
                            const double *value)
{
    const carom_model *model = r->job->model;
    carom_json_begin(json, name, '{');
    for (int i = 0; i < r->size.n_constraint; i++)
        carom_json_number(json, carom_model_constraint_name(model, i), value[i]);
    for (int i = 0; i < r->size.n_contact; i++) {
        const carom_contact_facts *contact = carom_model_contact(model, i);
        carom_json_number(json, contact->name, value[contact->row]);
    }
    carom_json_end(json);
}

// of all joints on their second bodies, at the end
static void put_reactions(const carom_result *r, carom_json *json)
{
    static const char *const component[] = {"Fx", "Fy", "Fz", "Tx", "Ty", "Tz"};
    const bool is_plane = r->size.n_reaction == 3 * r->size.n_joint;
    if (r->size.n_joint == 0) return;
    carom_json_begin(json, "reactions", '{');
    for (int j = 0; j < r->size.n_joint; j++) {
        double wrench[6];
        if (carom_sim_reaction(r->sim, j, wrench, NULL) != CAROM_OK) continue;
        carom_json_begin(json, carom_model_joint_name(r->job->model, j), '{');
        for (int k = 0; k < 6; k++)
            if (!is_plane || k < 2 || k == 5) carom_json_number(json, component[k], wrench[k]);
        carom_json_end(json);
    }
    carom_json_end(json);
}

static void put_states(const carom_result *r, carom_json *json)
{
    const carom_model *model = r->job->model;
    const carom_state *state = carom_sim_state(r->sim);
    carom_json_number(json, "t", state->t);
    carom_json_begin(json, "q", '{');
    for (int i = 0; i < r->size.nq; i++)
        carom_json_number(json, carom_model_coordinate_name(model, i), state->q[i]);
    carom_json_end(json);
    carom_json_begin(json, "u", '{');
    for (int i = 0; i < r->size.nu; i++)
        carom_json_number(json,
                          r->size.nq == r->size.nu ? carom_model_coordinate_name(model, i)
                                                   : carom_model_velocity_name(model, i),
                          state->u[i]);
    carom_json_end(json);
    carom_json_begin(json, "gaps", '{');
    for (int i = 0; i < r->size.n_contact - r->size.n_disc; i++)
        carom_json_number(json, carom_model_contact(model, i)->name, r->gap[i]);
    carom_json_end(json);
    put_multipliers(r, json, "P", state->P);
    put_multipliers(r, json, "la", state->la);
    put_reactions(r, json);
}

// a number with the place and time where it was found
static void put_worst(carom_json *json, const char *name, double value, const char *at, double t)
{
    char key[40];
    carom_json_number(json, name, value);
    if (!at[0]) return;
    snprintf(key, sizeof key, "%s_at", name);
    carom_json_text(json, key, at);
    snprintf(key, sizeof key, "%s_time", name);
    carom_json_number(json, key, t);
}

static void put_audit(const carom_result *r, carom_json *json)
{
    const carom_audit *a = &r->audit;
    carom_json_begin(json, "audit", '{');
    put_worst(json, "min_gap", a->min_gap, a->min_gap_at, a->min_gap_time);
    put_worst(json, "max_drift", a->max_drift, a->max_drift_at, a->max_drift_time);
    put_worst(json, "residual", a->residual, a->residual_at, a->residual_time);
    carom_json_number(json, "residual_goal", a->goal);
    carom_json_number(json, "cone_violation", a->cone_violation);
    carom_json_number(json, "energy_start", a->energy_start);
    carom_json_number(json, "energy_end", a->energy_end);
    carom_json_number(json, "work", a->work);
    carom_json_number(json, "impact_loss", a->impact_loss);
    carom_json_number(json, "friction_loss", a->friction_loss);
    carom_json_number(json, "energy_error", a->energy_error);
    carom_json_number(json, "largest_rise", a->largest_rise);
    carom_json_number(json, "largest_kinetic", a->largest_kinetic);
    carom_json_number(json, "model_size", a->model_size);
    carom_json_end(json);
}

static void put_warning(void *self, const char *line, int length)
{
    char text[2048];
    snprintf(text, sizeof text, "%.*s", length, line);
    carom_json_text(self, NULL, text);
}

static void put_warnings(const carom_result *r, carom_json *json)
{
    carom_json_begin(json, "warnings", '[');
    each_warning(r, 0, put_warning, json);
    carom_json_end(json);
}

// what assembling has changed of the start
static void put_assembled(const carom_result *r, carom_json *json)
{
    const carom_assembled done = carom_model_assembled(r->job->model);
    if (!done.positions && !done.velocities) return;
    carom_json_begin(json, "assembled", '{');
    carom_json_number(json, "move", done.move);
    carom_json_text(json, "moved", done.moved);
    carom_json_number(json, "change", done.change);
    carom_json_text(json, "changed", done.changed);
    carom_json_count(json, "passes", done.passes);
    carom_json_end(json);
}

static void put_counts(const carom_result *r, carom_json *json)
{
    const carom_counts *c = &r->counts;
    carom_json_begin(json, "counts", '{');
    carom_json_count(json, "steps", c->steps);
    carom_json_count(json, "impact_steps", c->impact_steps);
    carom_json_count(json, "contact_steps", c->contact_steps);
    carom_json_count(json, "events", c->events);
    carom_json_count(json, "unconverged", c->unconverged);
    carom_json_count(json, "solver_iterations", c->solver_iterations);
    carom_json_count(json, "rejected", c->rejected);
    carom_json_count(json, "evaluations", c->evaluations);
    carom_json_count(json, "energy_rises", c->energy_rises);
    carom_json_count(json, "ambiguous", c->ambiguous);
    carom_json_end(json);
}

void carom_result_json(const carom_result *r, carom_json *json)
{
    carom_json_text(json, "model", carom_model_name(r->job->model));
    carom_json_text(json, "scheme", carom_sim_scheme(r->sim));
    carom_json_text(json, "solver", carom_sim_solver(r->sim));
    carom_json_text(json, "version", carom_version());
    carom_json_text(json, "status", r->status);
    put_assembled(r, json);
    put_states(r, json);
    carom_json_number(json, "energy", r->audit.energy_end);
    carom_json_number(json, "kinetic", r->audit.kinetic_end);
    carom_json_number(json, "potential", r->audit.potential_end);
    put_audit(r, json);
    put_warnings(r, json);
    put_counts(r, json);
    carom_json_begin(json, "time", '{');
    carom_json_number(json, "setup", r->times.setup);
    carom_json_number(json, "compiling", r->times.compiling);
    carom_json_number(json, "stepping", r->times.stepping);
    carom_json_number(json, "contact", r->times.contact);
    carom_json_number(json, "output", r->times.output);
    carom_json_end(json);
}

static void print_energy(const carom_audit *a)
{
    printf("energy         start %.9g J, end %.9g J\n", a->energy_start, a->energy_end);
    printf("  work         %.6g J\n", a->work);
    printf("  impact loss  %.6g J\n", a->impact_loss);
    printf("  friction     %.6g J lost\n", a->friction_loss);
    printf("  error        %.3g J\n", a->energy_error);
}

// "label  number unit (name, t = time)"
static void print_worst(const char *line, const char *at, double t)
{
    printf("%s", line);
    if (at[0]) printf(" (%s, t = %.6g s)", at, t);
    putchar('\n');
}

static void print_laws(const carom_result *r)
{
    const carom_audit *a = &r->audit;
    char line[80];
    snprintf(line, sizeof line, "smallest gap   %.6g m", a->min_gap);
    if (r->size.n_contact > r->size.n_disc) print_worst(line, a->min_gap_at, a->min_gap_time);
    snprintf(line, sizeof line, "largest drift  %.3g", a->max_drift);
    if (r->size.n_constraint > 0) print_worst(line, a->max_drift_at, a->max_drift_time);
    snprintf(line, sizeof line, "residual       %.3g of the contact law", a->residual);
    if (r->size.n_row > 0) print_worst(line, a->residual_at, a->residual_time);
    if (r->size.n_contact > 0) printf("friction cone  %.3g N s outside\n", a->cone_violation);
}

void carom_result_print(const carom_result *r)
{
    const carom_audit *a = &r->audit;
    const carom_counts *c = &r->counts;
    printf("model          %s\n", CAROM_PLAIN(carom_model_name(r->job->model)));
    printf("scheme         %s, solver %s\n", carom_sim_scheme(r->sim), carom_sim_solver(r->sim));
    carom_job_print_assembled(r->job);
    printf("status         %s at t = %.9g s\n", r->status, carom_sim_state(r->sim)->t);
    if (strcmp(r->status, "held") == 0)
        printf("  held to      %.3g of the contact law (solver.tolerance %.3g)\n", a->residual,
               a->goal);
    printf("steps          %ld (%ld with contact, %ld with impact, %ld unconverged)\n", c->steps,
           c->contact_steps, c->impact_steps, c->unconverged);
    if (c->rejected > 0) printf("rejected       %ld attempts of the step control\n", c->rejected);
    if (c->ambiguous > 0)
        printf("ambiguous      %ld steps have contact problems with several answers\n",
               c->ambiguous);
    if (c->evaluations > 0) printf("evaluations    %ld\n", c->evaluations);
    printf("events         %ld\n", c->events);
    char compiling[48] = "";
    if (carom_sim_native(r->sim, NULL))
        snprintf(compiling, sizeof compiling, " (%.3g s compiling)", r->times.compiling);
    char contact[48] = "";
    if (r->times.contact > 0)
        snprintf(contact, sizeof contact, ", %.3g s in large contact problems", r->times.contact);
    printf("time           %.3g s stepping (%.3g us per step%s), %.3g s set-up%s, %.3g s output\n",
           r->times.stepping, carom_result_step_time(r), contact, r->times.setup, compiling,
           r->times.output);
    print_laws(r);
    print_energy(a);
    if (c->energy_rises > 0)
        printf("  rises        at %ld impacts, the largest %.6g J\n", c->energy_rises,
               a->largest_rise);
    const int n_warning = each_warning(r, 0, NULL, NULL);
    if (n_warning > 0) printf("warnings       %d, on standard error\n", n_warning);
}
