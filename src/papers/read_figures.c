// SPDX-License-Identifier: Apache-2.0
// The figures of a paper: curves y(x) of columns of its runs, x being the time unless given, or
// measures of a claim over given numbers.
#include "papers/paper.h"

#include <math.h>
#include <string.h>

static const carom_field figure_field[] = {
    {"id", CAROM_FIELD_TEXT, true, "id: fig10"},
    {"title", CAROM_FIELD_TEXT, true, "title: Fig. 10, energy"},
    {"x", CAROM_FIELD_TEXT, true, "x: t [s]"},
    {"y", CAROM_FIELD_TEXT, true, "y: energy [J]"},
    {"curves", CAROM_FIELD_LIST, true, "curves: [{run: ball, y: energy}]"},
    {"y_range", CAROM_FIELD_LIST, false, "y_range: [-1, 1]"},
    {"log", CAROM_FIELD_TEXTS, false, "log: [x, y]"},
    {NULL, CAROM_FIELD_END, false, NULL},
};
enum { ID, TITLE, X_LABEL, Y_LABEL, CURVES, Y_RANGE, LOG };

static const carom_field curve_field[] = {
    {"run", CAROM_FIELD_TEXT, false, "run: ball"},
    {"x", CAROM_FIELD_TEXT, false, "x: t"},
    {"y", CAROM_FIELD_TEXT, false, "y: energy"},
    {"label", CAROM_FIELD_TEXT, false, "label: e = 0.1"},
    {"from", CAROM_FIELD_TEXT, false, "from: 0.1"},
    {"to", CAROM_FIELD_TEXT, false, "to: 0.2"},
    {"scale_x", CAROM_FIELD_TEXT, false, "scale_x: 1000"},
    {"scale_y", CAROM_FIELD_TEXT, false, "scale_y: 1000"},
    {"shift_y", CAROM_FIELD_TEXT, false, "shift_y: -100"},
    {"claim", CAROM_FIELD_TEXT, false, "claim: table2"},
    {"xs", CAROM_FIELD_LIST, false, "xs: [1e-2, 1e-4]"},
    {"ys", CAROM_FIELD_LIST, false, "ys: [coarse, fine]"},
    {NULL, CAROM_FIELD_END, false, NULL},
};
enum { RUN, X, Y, LABEL, FROM, TO, SCALE_X, SCALE_Y, SHIFT_Y, CLAIM, XS, YS };

// columns of a run
static carom_status read_columns(carom_paper *paper, const carom_node *const *value,
                                 carom_curve *curve, carom_error *error)
{
    carom_text run;
    CAROM_TRY(carom_fields_text(value[RUN], "run: ball", &run, error));
    CAROM_TRY(carom_paper_find_run(paper, run, &curve->run, error));
    if (!curve->label) curve->label = run.text;
    if (value[X]) CAROM_TRY(carom_fields_text(value[X], "x: t", &curve->x, error));
    if (value[FROM]) CAROM_TRY(carom_paper_number(value[FROM], &curve->from, error));
    if (value[TO]) CAROM_TRY(carom_paper_number(value[TO], &curve->to, error));
    if (value[SCALE_X]) CAROM_TRY(carom_paper_number(value[SCALE_X], &curve->scale_x, error));
    if (value[SCALE_Y]) CAROM_TRY(carom_paper_number(value[SCALE_Y], &curve->scale_y, error));
    if (value[SHIFT_Y]) CAROM_TRY(carom_paper_number(value[SHIFT_Y], &curve->shift_y, error));
    return carom_fields_text(value[Y], "y: energy", &curve->y, error);
}

// numbers over which measures of a claim are drawn
static carom_status read_points(carom_paper *paper, const carom_node *const *value,
                                carom_curve *curve, carom_error *error)
{
    CAROM_TRY(carom_fields_text(value[CLAIM], "claim: table2", &curve->claim, error));
    if (!curve->label) curve->label = curve->claim.text;
    const int n = value[XS]->n;
    if (n != value[YS]->n || n < 1)
        return carom_fail_at(error, value[YS]->place, CAROM_BAD_INPUT,
                             "xs and ys must be as long, not %d and %d", n, value[YS]->n);
    curve->x_value = CAROM_TAKE(paper->arena, double, n);
    curve->y_name = CAROM_TAKE(paper->arena, carom_text, n);
    if (!curve->x_value || !curve->y_name) return carom_paper_no_memory(error);
    const carom_node *x = value[XS]->first, *y = value[YS]->first;
    for (; x; x = x->next, y = y->next, curve->n_value++) {
        CAROM_TRY(carom_paper_number(x, &curve->x_value[curve->n_value], error));
        CAROM_TRY(carom_fields_text(y, "a measure", &curve->y_name[curve->n_value], error));
    }
    return CAROM_OK;
}

static carom_status read_curve(carom_paper *paper, carom_paper_figure *figure,
                               const carom_node *node, carom_error *error)
{
    const carom_node *value[CAROM_MOST_FIELDS];
    CAROM_TRY(carom_fields_kind(node, CAROM_NODE_MAPPING, "{run: ball, y: energy}", error));
    CAROM_TRY(carom_fields_read(node, "a curve", curve_field, value, error));
    carom_curve curve = {.run = -1, .from = -INFINITY, .to = INFINITY, .scale_x = 1, .scale_y = 1};
    curve.x = (carom_text){"t", node->place};
    if (value[LABEL]) curve.label = value[LABEL]->text;
    if (value[RUN] && value[Y])
        CAROM_TRY(read_columns(paper, value, &curve, error));
    else if (value[CLAIM] && value[XS] && value[YS])
        CAROM_TRY(read_points(paper, value, &curve, error));
    else
        return carom_fail_at(error, node->place, CAROM_BAD_INPUT,
                             "a curve needs 'run' and 'y' (columns of a run), or 'claim', 'xs' and "
                             "'ys' (measures of a claim)");
    carom_curve *kept = CAROM_LIST_ADD(paper->arena, &figure->curve);
    if (!kept) return carom_paper_no_memory(error);
    *kept = curve;
    return CAROM_OK;
}

static carom_status read_axes(const carom_node *const *value, carom_paper_figure *figure,
                              carom_error *error)
{
    const carom_node *range = value[Y_RANGE];
    if (range && (range->n != 2 || range->kind != CAROM_NODE_LIST))
        return carom_fail_at(error, range->place, CAROM_BAD_INPUT,
                             "y_range needs two numbers (write y_range: [-1, 1])");
    if (range) CAROM_TRY(carom_paper_number(range->first, &figure->low, error));
    if (range) CAROM_TRY(carom_paper_number(range->first->next, &figure->high, error));
    carom_text axis[2];
    int n = 0;
    if (value[LOG]) CAROM_TRY(carom_fields_texts(value[LOG], 2, axis, &n, error));
    for (int i = 0; i < n; i++) {
        if (strcmp(axis[i].text, "x") != 0 && strcmp(axis[i].text, "y") != 0)
            return carom_fail_at(error, axis[i].place, CAROM_BAD_INPUT,
                                 "log is for x or y, not '%.40s'", axis[i].text);
        *(axis[i].text[0] == 'x' ? &figure->is_log_x : &figure->is_log_y) = true;
    }
    return CAROM_OK;
}

static carom_status read_figure(carom_paper *paper, const carom_node *node, carom_error *error)
{
    const carom_node *value[CAROM_MOST_FIELDS];
    CAROM_TRY(carom_fields_kind(node, CAROM_NODE_MAPPING, "{id: fig1, curves: [...]}", error));
    CAROM_TRY(carom_fields_read(node, "a figure", figure_field, value, error));
    carom_paper_figure *figure = CAROM_LIST_ADD(paper->arena, &paper->figure);
    if (!figure) return carom_paper_no_memory(error);
    CAROM_TRY(carom_fields_text(value[ID], "id: fig10", &figure->id, error));
    figure->title = carom_paper_prose(value[TITLE]);
    figure->x_label = carom_paper_prose(value[X_LABEL]);
    figure->y_label = carom_paper_prose(value[Y_LABEL]);
    CAROM_TRY(read_axes(value, figure, error));
    for (const carom_node *entry = value[CURVES]->first; entry; entry = entry->next)
        CAROM_TRY(read_curve(paper, figure, entry, error));
    return CAROM_OK;
}

carom_status carom_paper_read_figures(carom_paper *paper, const carom_node *node,
                                      carom_error *error)
{
    for (const carom_node *entry = node->first; entry; entry = entry->next)
        CAROM_TRY(read_figure(paper, entry, error));
    return CAROM_OK;
}

carom_status carom_paper_check_figures(carom_paper *paper, carom_error *error)
{
    for (int f = 0; f < paper->figure.n; f++)
        for (int k = 0; k < paper->figure.item[f].curve.n; k++) {
            const carom_curve *curve = &paper->figure.item[f].curve.item[k];
            for (int i = 0; i < curve->n_value; i++)
                if (!carom_paper_named(paper, curve->claim.text, curve->y_name[i].text))
                    return carom_fail_at(error, curve->y_name[i].place, CAROM_BAD_INPUT,
                                         "there is no measure '%.60s' of a claim '%.60s'",
                                         curve->y_name[i].text, curve->claim.text);
        }
    return CAROM_OK;
}

const carom_paper_measure *carom_paper_named(const carom_paper *paper, const char *claim,
                                             const char *name)
{
    for (int c = 0; c < paper->claim.n; c++) {
        const carom_claim_plan *plan = &paper->claim.item[c];
        if (strcmp(plan->facts.id, claim) != 0) continue;
        for (int i = 0; i < plan->measure.n; i++)
            if (strcmp(plan->measure.item[i].name.text, name) == 0) return &plan->measure.item[i];
    }
    return NULL;
}
