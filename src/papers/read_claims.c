// SPDX-License-Identifier: Apache-2.0
// The claims of a paper: words, numbers to measure, what was published about each, and the verdict
// that is expected.
#include "papers/paper.h"

#include <math.h>
#include <string.h>

#include "base/text.h"

// clang-format off
static const carom_field claim_field[] = {
    {"id", CAROM_FIELD_TEXT, true, "id: fig10-energy"},
    {"claim", CAROM_FIELD_TEXT, true, "claim: the energy falls"},
    {"published", CAROM_FIELD_TEXT, true, "published: 3.2 J"},
    {"verdict", CAROM_FIELD_TEXT, true, "verdict: reproduced"},
    {"reason", CAROM_FIELD_TEXT, false, "reason: why it differs"},
    {"figure", CAROM_FIELD_TEXT, false, "figure: fig10"},
    {"slow", CAROM_FIELD_TEXT, false, "slow: yes"},
    {"timing", CAROM_FIELD_TEXT, false, "timing: yes"},
    {"measures", CAROM_FIELD_LIST, true, "measures: [{name: energy, take: last, column: energy, run: ball}]"},
    {"decreasing", CAROM_FIELD_TEXTS, false, "decreasing: [large, small]"},
    {NULL, CAROM_FIELD_END, false, NULL},
};
enum { ID, CLAIM, PUBLISHED, VERDICT, REASON, FIGURE, SLOW, TIMING, MEASURES, DECREASING };

static const carom_field measure_field[] = {
    {"name", CAROM_FIELD_TEXT, true, "name: energy"},
    {"take", CAROM_FIELD_TEXT, false, "take: last"},
    {"run", CAROM_FIELD_TEXT, false, "run: ball"},
    {"column", CAROM_FIELD_TEXT, false, "column: energy"},
    {"from", CAROM_FIELD_TEXT, false, "from: 0.1"},
    {"to", CAROM_FIELD_TEXT, false, "to: 0.2"},
    {"time", CAROM_FIELD_TEXT, false, "time: 0.1"},
    {"limit", CAROM_FIELD_TEXT, false, "limit: 0"},
    {"contact", CAROM_FIELD_TEXT, false, "contact: floor"},
    {"event", CAROM_FIELD_TEXT, false, "event: impact"},
    {"number", CAROM_FIELD_TEXT, false, "number: 1"},
    {"study", CAROM_FIELD_TEXT, false, "study: table"},
    {"scheme", CAROM_FIELD_TEXT, false, "scheme: tdg_velocity"},
    {"step", CAROM_FIELD_TEXT, false, "step: 1e-4"},
    {"formula", CAROM_FIELD_TEXT, false, "formula: one/other"},
    {"published", CAROM_FIELD_TEXT, false, "published: 3.2"},
    {"within", CAROM_FIELD_TEXT, false, "within: 1%"},
    {"above", CAROM_FIELD_TEXT, false, "above: 0"},
    {"below", CAROM_FIELD_TEXT, false, "below: 1"},
    {"known", CAROM_FIELD_TEXT, false, "known: 3.274"},
    {"known_within", CAROM_FIELD_TEXT, false, "known_within: 1e-3"},
    {"label", CAROM_FIELD_TEXT, false, "label: at the end"},
    {"unit", CAROM_FIELD_TEXT, false, "unit: J"},
    {"show", CAROM_FIELD_TEXT, false, "show: no"},
    {NULL, CAROM_FIELD_END, false, NULL},
};
enum { NAME, TAKE, RUN, COLUMN, FROM, TO, TIME, LIMIT, CONTACT, EVENT, NUMBER, STUDY, SCHEME, STEP,
       FORMULA, M_PUBLISHED, WITHIN, ABOVE, BELOW, KNOWN, KNOWN_WITHIN, LABEL, UNIT, SHOW };
// clang-format on

static carom_status read_switch(const carom_node *node, bool fallback, bool *value,
                                carom_error *error)
{
    static const char *const yes[] = {"yes", "true", "on"}, *const no[] = {"no", "false", "off"};
    *value = fallback;
    if (!node) return CAROM_OK;
    for (int i = 0; i < 3; i++) {
        if (strcmp(node->text, yes[i]) == 0) return *value = true, CAROM_OK;
        if (strcmp(node->text, no[i]) == 0) return *value = false, CAROM_OK;
    }
    return carom_fail_at(error, node->place, CAROM_BAD_INPUT, "'%s' must be yes or no, not '%.40s'",
                         node->key->text, node->text);
}

// a tolerance: a number, or "2%" of the value it belongs to
static carom_status read_within(carom_paper *paper, const carom_node *node, double of,
                                double *within, carom_error *error)
{
    carom_node copy = *node;
    const size_t length = strlen(node->text);
    const bool is_share = length > 1 && node->text[length - 1] == '%';
    if (is_share) copy.written = copy.text = carom_arena_copy(paper->arena, node->text, length - 1);
    if (!copy.text) return carom_paper_no_memory(error);
    CAROM_TRY(carom_paper_number(&copy, within, error));
    if (!(*within >= 0))
        return carom_fail_at(error, node->place, CAROM_BAD_INPUT,
                             "a tolerance must be at least 0, not %s", node->text);
    if (is_share) *within *= fabs(of) / 100;
    return CAROM_OK;
}

static carom_status need_within(const carom_node *value, const carom_node *within,
                                const char *example, carom_error *error)
{
    if (!value || within) return CAROM_OK;
    return carom_fail_at(error, value->place, CAROM_BAD_INPUT,
                         "'%s' needs a tolerance (write %s, or 2%% for a share of it)",
                         value->key->text, example);
}

static carom_status read_bounds(carom_paper *paper, const carom_node *const *value,
                                carom_paper_measure *m, carom_error *error)
{
    m->above = -INFINITY;
    m->below = INFINITY;
    CAROM_TRY(need_within(value[M_PUBLISHED], value[WITHIN], "within: 0.01", error));
    CAROM_TRY(need_within(value[KNOWN], value[KNOWN_WITHIN], "known_within: 0.01", error));
    m->has_published = value[M_PUBLISHED] || value[ABOVE] || value[BELOW];
    m->published = NAN;
    if (value[M_PUBLISHED]) CAROM_TRY(carom_paper_number(value[M_PUBLISHED], &m->published, error));
    if (value[WITHIN])
        CAROM_TRY(read_within(paper, value[WITHIN], m->published, &m->within, error));
    if (value[ABOVE]) CAROM_TRY(carom_paper_number(value[ABOVE], &m->above, error));
    if (value[BELOW]) CAROM_TRY(carom_paper_number(value[BELOW], &m->below, error));
    m->has_known = value[KNOWN] != NULL;
    if (!m->has_known) return CAROM_OK;
    CAROM_TRY(carom_paper_number(value[KNOWN], &m->known, error));
    return read_within(paper, value[KNOWN_WITHIN], m->known, &m->known_within, error);
}

static carom_status read_what(const carom_node *const *value, carom_paper_measure *m,
                              carom_error *error)
{
    carom_measure *what = &m->what;
    double number = 1;
    *what = carom_measure_default();
    what->take = m->take.text;
    if (value[COLUMN]) what->column = value[COLUMN]->text;
    if (value[CONTACT]) what->contact = value[CONTACT]->text;
    if (value[EVENT]) what->event = value[EVENT]->text;
    if (value[FROM]) CAROM_TRY(carom_paper_number(value[FROM], &what->from, error));
    if (value[TO]) CAROM_TRY(carom_paper_number(value[TO], &what->to, error));
    if (value[TIME]) CAROM_TRY(carom_paper_number(value[TIME], &what->time, error));
    if (value[LIMIT]) CAROM_TRY(carom_paper_number(value[LIMIT], &what->limit, error));
    if (value[NUMBER]) CAROM_TRY(carom_paper_number(value[NUMBER], &number, error));
    if (value[NUMBER] && !(number >= 1 && number <= 1e9 && number == floor(number)))
        return carom_fail_at(error, value[NUMBER]->place, CAROM_BAD_INPUT,
                             "number must be a whole number from 1, not %s", value[NUMBER]->text);
    what->number = (int)number;
    return CAROM_OK;
}

static carom_status complain_take(carom_text take, carom_error *error)
{
    char hint[120];
    carom_nearest nearest = carom_nearest_to(take.text);
    for (int i = 0; i < carom_measure_count(); i++)
        carom_nearest_try(&nearest, carom_measure_at(i)->name);
    carom_nearest_try(&nearest, "error");
    carom_nearest_try(&nearest, "order");
    return carom_fail_at(error, take.place, CAROM_BAD_INPUT,
                         "unknown measure '%.60s'%s; 'carom list measures' shows all", take.text,
                         carom_nearest_hint(&nearest, hint, sizeof hint));
}

static carom_status need_key(const carom_node *node, const carom_paper_measure *m, const char *key,
                             const char *example, carom_error *error)
{
    if (node) return CAROM_OK;
    return carom_fail_at(error, m->take.place, CAROM_BAD_INPUT, "'%s' needs '%s' (write %s)",
                         m->take.text, key, example);
}

// error or order of one run of a study
static carom_status read_of_study(carom_paper *paper, const carom_node *const *value,
                                  carom_paper_measure *m, carom_error *error)
{
    if (strcmp(m->take.text, "error") != 0 && strcmp(m->take.text, "order") != 0)
        return carom_fail_at(error, m->take.place, CAROM_BAD_INPUT,
                             "a study gives 'error' or 'order', not '%.60s'", m->take.text);
    CAROM_TRY(need_key(value[SCHEME], m, "scheme", "scheme: tdg_velocity", error));
    CAROM_TRY(need_key(value[STEP], m, "step", "step: 1e-4", error));
    CAROM_TRY(carom_fields_text(value[STUDY], "study: table", &m->study_id, error));
    CAROM_TRY(carom_paper_find_study(paper, m->study_id, &m->study, error));
    CAROM_TRY(carom_fields_text(value[SCHEME], "scheme: tdg_velocity", &m->scheme, error));
    CAROM_TRY(carom_paper_number(value[STEP], &m->step, error));
    const carom_paper_study *study = &paper->study.item[m->study];
    for (int i = 0; i < study->n_scheme; i++)
        if (strcmp(study->scheme[i].text, m->scheme.text) == 0) return CAROM_OK;
    return carom_fail_at(error, m->scheme.place, CAROM_BAD_INPUT,
                         "the study '%s' has no scheme '%.60s' (add it to its schemes)",
                         study->id.text, m->scheme.text);
}

static carom_status read_of_run(carom_paper *paper, const carom_node *const *value,
                                carom_paper_measure *m, carom_error *error)
{
    const carom_measure_facts *facts = carom_measure_find(m->take.text);
    if (!facts) return complain_take(m->take, error);
    CAROM_TRY(need_key(value[RUN], m, "run", "run: ball", error));
    if (facts->needs_column)
        CAROM_TRY(need_key(value[COLUMN], m, "column", "column: energy", error));
    if (facts->needs_time) CAROM_TRY(need_key(value[TIME], m, "time", "time: 0.1", error));
    if (facts->needs_limit) CAROM_TRY(need_key(value[LIMIT], m, "limit", "limit: 0", error));
    CAROM_TRY(carom_fields_text(value[RUN], "run: ball", &m->run_id, error));
    CAROM_TRY(carom_paper_find_run(paper, m->run_id, &m->run, error));
    paper->run.item[m->run].n_measure++;
    if (facts->is_cost) paper->run.item[m->run].is_alone = true;
    return CAROM_OK;
}

static carom_status read_source(carom_paper *paper, const carom_node *node,
                                const carom_node *const *value, carom_paper_measure *m,
                                carom_error *error)
{
    m->run = m->study = -1;
    if ((value[FORMULA] != NULL) == (value[TAKE] != NULL))
        return carom_fail_at(error, node->place, CAROM_BAD_INPUT,
                             "a measure takes something from a run or is a formula of measures "
                             "before it (write take: last, or formula: one/other)");
    if (value[FORMULA])
        return carom_fields_text(value[FORMULA], "formula: one/other", &m->formula, error);
    CAROM_TRY(carom_fields_text(value[TAKE], "take: last", &m->take, error));
    CAROM_TRY(read_what(value, m, error));
    return value[STUDY] ? read_of_study(paper, value, m, error)
                        : read_of_run(paper, value, m, error);
}

static carom_status read_measure(carom_paper *paper, carom_claim_plan *claim,
                                 const carom_node *node, carom_error *error)
{
    const carom_node *value[CAROM_MOST_FIELDS];
    carom_paper_measure m = {.value = NAN};
    CAROM_TRY(
        carom_fields_kind(node, CAROM_NODE_MAPPING, "{name: energy, take: last, ...}", error));
    CAROM_TRY(carom_fields_read(node, "a measure", measure_field, value, error));
    CAROM_TRY(carom_fields_text(value[NAME], "name: energy", &m.name, error));
    for (int i = 0; i < claim->measure.n; i++)
        if (strcmp(claim->measure.item[i].name.text, m.name.text) == 0)
            return carom_fail_at(error, m.name.place, CAROM_BAD_INPUT,
                                 "two measures of this claim are called '%.60s'", m.name.text);
    m.label = value[LABEL] ? value[LABEL]->text : m.name.text;
    m.unit = carom_paper_prose(value[UNIT]);
    CAROM_TRY(read_switch(value[SHOW], true, &m.is_shown, error));
    CAROM_TRY(read_source(paper, node, value, &m, error));
    CAROM_TRY(read_bounds(paper, value, &m, error));
    carom_paper_measure *kept = CAROM_LIST_ADD(paper->arena, &claim->measure);
    if (!kept) return carom_paper_no_memory(error);
    *kept = m;
    return CAROM_OK;
}

static carom_status read_verdict(const carom_node *node, carom_verdict *verdict, carom_error *error)
{
    for (*verdict = CAROM_REPRODUCED; *verdict <= CAROM_DIFFERS; ++*verdict)
        if (strcmp(node->text, carom_verdict_text(*verdict)) == 0) return CAROM_OK;
    return carom_fail_at(error, node->place, CAROM_BAD_INPUT,
                         "verdict must be 'reproduced', 'differs, with the known reason' or "
                         "'differs', not '%.60s'",
                         node->text);
}

static carom_status read_decreasing(carom_paper *paper, carom_claim_plan *claim,
                                    const carom_node *node, carom_error *error)
{
    if (!node) return CAROM_OK;
    CAROM_TRY(carom_fields_kind(node, CAROM_NODE_LIST, "decreasing: [large, small]", error));
    for (const carom_node *entry = node->first; entry; entry = entry->next) {
        carom_text *name = CAROM_LIST_ADD(paper->arena, &claim->decreasing);
        if (!name) return carom_paper_no_memory(error);
        CAROM_TRY(carom_fields_text(entry, "decreasing: [large, small]", name, error));
        int i = 0;
        while (i < claim->measure.n && strcmp(claim->measure.item[i].name.text, name->text) != 0)
            i++;
        if (i == claim->measure.n)
            return carom_fail_at(error, name->place, CAROM_BAD_INPUT,
                                 "no measure of this claim is called '%.60s'", name->text);
    }
    return CAROM_OK;
}

// something must be at stake, and what differs needs its reason
static carom_status check_claim(const carom_claim_plan *claim, carom_error *error)
{
    bool is_held = claim->decreasing.n > 1, has_known = false;
    for (int i = 0; i < claim->measure.n; i++) {
        is_held = is_held || claim->measure.item[i].has_published;
        has_known = has_known || claim->measure.item[i].has_known;
    }
    if (!is_held)
        return carom_fail_at(error, claim->place, CAROM_BAD_INPUT,
                             "nothing in this claim can be wrong (give a measure 'published' with "
                             "'within', 'above' or 'below', or the claim 'decreasing')");
    if (claim->facts.expected != CAROM_DIFFERS_KNOWN) return CAROM_OK;
    if (has_known && *claim->facts.reason) return CAROM_OK;
    return carom_fail_at(error, claim->place, CAROM_BAD_INPUT,
                         "a claim that differs needs 'reason', and 'known' with 'known_within' in "
                         "a measure");
}

static carom_status find_figure(const carom_paper *paper, carom_text figure, carom_error *error)
{
    char hint[120];
    if (!figure.text) return CAROM_OK;
    carom_nearest nearest = carom_nearest_to(figure.text);
    for (int i = 0; i < paper->figure.n; i++) {
        if (strcmp(paper->figure.item[i].id.text, figure.text) == 0) return CAROM_OK;
        carom_nearest_try(&nearest, paper->figure.item[i].id.text);
    }
    return carom_fail_at(error, figure.place, CAROM_BAD_INPUT,
                         "there is no figure '%.60s' in this paper%s", figure.text,
                         carom_nearest_hint(&nearest, hint, sizeof hint));
}

static carom_status read_claim(carom_paper *paper, const carom_node *node, carom_error *error)
{
    const carom_node *value[CAROM_MOST_FIELDS];
    CAROM_TRY(carom_fields_kind(node, CAROM_NODE_MAPPING, "{id: ..., claim: ...}", error));
    CAROM_TRY(carom_fields_read(node, "a claim", claim_field, value, error));
    carom_claim_plan claim = {.place = node->place};
    claim.facts = (carom_claim){.id = carom_paper_prose(value[ID]),
                                .claim = carom_paper_prose(value[CLAIM]),
                                .published = carom_paper_prose(value[PUBLISHED]),
                                .reason = carom_paper_prose(value[REASON]),
                                .obtained = "",
                                .verdict = CAROM_VERDICT_MISSING};
    for (int i = 0; i < paper->claim.n; i++)
        if (strcmp(paper->claim.item[i].facts.id, claim.facts.id) == 0)
            return carom_fail_at(error, value[ID]->place, CAROM_BAD_INPUT,
                                 "two claims are called '%.60s'", claim.facts.id);
    CAROM_TRY(read_verdict(value[VERDICT], &claim.facts.expected, error));
    CAROM_TRY(read_switch(value[SLOW], false, &claim.facts.is_slow, error));
    CAROM_TRY(read_switch(value[TIMING], false, &claim.facts.is_timing, error));
    if (value[FIGURE]) CAROM_TRY(carom_fields_text(value[FIGURE], "fig1", &claim.figure, error));
    CAROM_TRY(find_figure(paper, claim.figure, error));
    for (const carom_node *entry = value[MEASURES]->first; entry; entry = entry->next)
        CAROM_TRY(read_measure(paper, &claim, entry, error));
    CAROM_TRY(read_decreasing(paper, &claim, value[DECREASING], error));
    CAROM_TRY(check_claim(&claim, error));
    CAROM_TRY(carom_paper_check_formulas(&claim, error));
    carom_claim_plan *kept = CAROM_LIST_ADD(paper->arena, &paper->claim);
    if (!kept) return carom_paper_no_memory(error);
    *kept = claim;
    return CAROM_OK;
}

carom_status carom_paper_read_claims(carom_paper *paper, const carom_node *node, carom_error *error)
{
    for (const carom_node *entry = node->first; entry; entry = entry->next)
        CAROM_TRY(read_claim(paper, entry, error));
    return CAROM_OK;
}
