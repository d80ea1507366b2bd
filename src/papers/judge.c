// SPDX-License-Identifier: Apache-2.0
// The verdict of a claim. What was published holds where every number lies in its bounds and the
// order is right; the numbers are the known ones where each lies within its tolerance.
//
//     published   known      verdict
//     holds       holds      reproduced            (known: also where none are given)
//     fails       holds      differs, with the known reason   (known numbers must be given)
//     otherwise              differs
#include "papers/paper.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

const char *carom_verdict_text(carom_verdict verdict)
{
    static const char *const text[] = {"reproduced", "differs, with the known reason", "differs",
                                       "not run"};
    return (size_t)verdict < sizeof text / sizeof *text ? text[verdict] : "unknown";
}

// ---- formulas ----

// a formula sees the measures before it as parameters
static carom_status evaluate_formula(const carom_claim_plan *claim, int upto, const double *value,
                                     double *result, carom_error *error)
{
    carom_builder *builder = carom_builder_new();
    carom_status status = builder ? CAROM_OK : carom_paper_no_memory(error);
    for (int i = 0; status == CAROM_OK && i < upto; i++) {
        char text[32];
        carom_number_text(value[i], text, sizeof text);
        const carom_text number = {text, claim->measure.item[i].name.place};
        status = carom_builder_parameter(builder, claim->measure.item[i].name, number, error);
    }
    if (status == CAROM_OK)
        status = carom_builder_number(builder, claim->measure.item[upto].formula, result, error);
    carom_builder_free(builder);
    return status;
}

enum { MOST_MEASURES = 64, FEWEST_DIGITS = 5, MOST_DIGITS = 15 };

carom_status carom_paper_check_formulas(const carom_claim_plan *claim, carom_error *error)
{
    double value[MOST_MEASURES], result;
    if (claim->measure.n > MOST_MEASURES)
        return carom_fail_at(error, claim->place, CAROM_BAD_INPUT,
                             "a claim has at most %d measures (make two claims of it)",
                             MOST_MEASURES);
    for (int i = 0; i < claim->measure.n; i++) {
        value[i] = 1.25 + 0.31 * i; // any numbers that are all different
        if (claim->measure.item[i].formula.text)
            CAROM_TRY(evaluate_formula(claim, i, value, &result, error));
    }
    return CAROM_OK;
}

static void work_out(carom_claim_plan *claim)
{
    double value[MOST_MEASURES];
    for (int i = 0; i < claim->measure.n; i++) {
        carom_paper_measure *m = &claim->measure.item[i];
        carom_error ignored = {0};
        bool is_whole = true;
        for (int k = 0; k < i; k++) is_whole = is_whole && isfinite(value[k]);
        if (m->formula.text &&
            (!is_whole || evaluate_formula(claim, i, value, &m->value, &ignored) != CAROM_OK))
            m->value = NAN;
        value[i] = m->value;
    }
}

// ---- verdict ----

bool carom_claim_is_expected(const carom_claim *claim)
{
    if (!claim) return false;
    if (claim->verdict == CAROM_VERDICT_MISSING || claim->verdict == claim->expected) return true;
    return claim->is_timing && claim->verdict != CAROM_DIFFERS;
}

static double named(const carom_claim_plan *claim, const char *name)
{
    for (int i = 0; i < claim->measure.n; i++)
        if (strcmp(claim->measure.item[i].name.text, name) == 0)
            return claim->measure.item[i].value;
    return NAN;
}

static bool published_holds(const carom_claim_plan *claim)
{
    for (int i = 0; i < claim->measure.n; i++) {
        const carom_paper_measure *m = &claim->measure.item[i];
        if (!m->has_published) continue;
        if (!(m->value >= m->above && m->value <= m->below)) return false;
        if (!isnan(m->published) && !(fabs(m->value - m->published) <= m->within)) return false;
    }
    for (int i = 1; i < claim->decreasing.n; i++)
        if (!(named(claim, claim->decreasing.item[i - 1].text) >
              named(claim, claim->decreasing.item[i].text)))
            return false;
    return true;
}

static bool known_holds(const carom_claim_plan *claim, int *n_known)
{
    *n_known = 0;
    for (int i = 0; i < claim->measure.n; i++) {
        const carom_paper_measure *m = &claim->measure.item[i];
        if (!m->has_known) continue;
        ++*n_known;
        if (!(fabs(m->value - m->known) <= m->known_within)) return false;
    }
    return true;
}

static carom_verdict decide_verdict(const carom_claim_plan *claim)
{
    int n_known;
    if (!known_holds(claim, &n_known)) return CAROM_DIFFERS;
    if (published_holds(claim)) return CAROM_REPRODUCED;
    return n_known > 0 && *claim->facts.reason ? CAROM_DIFFERS_KNOWN : CAROM_DIFFERS;
}

// ---- text ----

// appends, and says nothing where it does not fit
__attribute__((format(printf, 3, 4))) static void append_text(char *text, size_t room,
                                                              const char *format, ...)
{
    const size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, room - used, format, arguments);
    va_end(arguments);
}

static void put_troubles(const carom_paper *paper, const carom_paper_measure *m, char *text,
                         size_t room)
{
    const carom_paper_run *run = m->run >= 0 ? &paper->run.item[m->run] : NULL;
    const carom_error *why = run ? &run->failure : NULL;
    if (m->study >= 0) why = &paper->study.item[m->study].failure;
    if (why && why->status != CAROM_OK) append_text(text, room, " (%.200s)", why->message);
    if (run && run->unconverged > 0)
        append_text(text, room, " (%ld steps did not converge)", run->unconverged);
}

int carom_paper_digits(const carom_paper_measure *m)
{
    double within = isnan(m->published) ? INFINITY : m->within;
    if (m->has_known) within = fmin(within, m->known_within);
    const double share = m->value != 0 ? within / fabs(m->value) : 1;
    if (!(share > 0) || !(share < 1e-4)) return FEWEST_DIGITS;
    return share > 1e-14 ? 1 - (int)floor(log10(share)) : MOST_DIGITS;
}

carom_status carom_paper_judge(carom_paper *paper, carom_claim_plan *claim, carom_error *error)
{
    char text[4096] = "";
    work_out(claim);
    claim->facts.verdict = decide_verdict(claim);
    for (int i = 0; i < claim->measure.n; i++) {
        const carom_paper_measure *m = &claim->measure.item[i];
        if (!m->is_shown) continue;
        append_text(text, sizeof text, "%s%s ", *text ? "; " : "", m->label);
        if (isnan(m->value))
            append_text(text, sizeof text, "none");
        else
            append_text(text, sizeof text, "%.*g%s%s", carom_paper_digits(m), m->value,
                        *m->unit ? " " : "", m->unit);
        put_troubles(paper, m, text, sizeof text);
    }
    claim->facts.obtained = carom_arena_string(paper->arena, text);
    return claim->facts.obtained ? CAROM_OK : carom_paper_no_memory(error);
}
