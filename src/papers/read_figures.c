// SPDX-License-Identifier: Apache-2.0
// The figures of a paper: curves y(x) of columns of its runs, x being the time unless given.
#include "papers/paper.h"

#include <math.h>

static const carom_field figure_field[] = {
    {"id", CAROM_FIELD_TEXT, true, "id: fig10"},
    {"title", CAROM_FIELD_TEXT, true, "title: Fig. 10, energy"},
    {"x", CAROM_FIELD_TEXT, true, "x: t [s]"},
    {"y", CAROM_FIELD_TEXT, true, "y: energy [J]"},
    {"curves", CAROM_FIELD_LIST, true, "curves: [{run: ball, y: energy}]"},
    {NULL, CAROM_FIELD_END, false, NULL},
};
enum { ID, TITLE, X_LABEL, Y_LABEL, CURVES };

static const carom_field curve_field[] = {
    {"run", CAROM_FIELD_TEXT, true, "run: ball"},
    {"x", CAROM_FIELD_TEXT, false, "x: t"},
    {"y", CAROM_FIELD_TEXT, true, "y: energy"},
    {"label", CAROM_FIELD_TEXT, false, "label: e = 0.1"},
    {"from", CAROM_FIELD_TEXT, false, "from: 0.1"},
    {"to", CAROM_FIELD_TEXT, false, "to: 0.2"},
    {"scale_x", CAROM_FIELD_TEXT, false, "scale_x: 1000"},
    {"scale_y", CAROM_FIELD_TEXT, false, "scale_y: 1000"},
    {NULL, CAROM_FIELD_END, false, NULL},
};
enum { RUN, X, Y, LABEL, FROM, TO, SCALE_X, SCALE_Y };

static carom_status read_curve(carom_paper *paper, carom_paper_figure *figure, const carom_node *node,
                               carom_error *error)
{
    const carom_node *value[CAROM_MOST_FIELDS];
    carom_text run;
    CAROM_TRY(carom_fields_kind(node, CAROM_NODE_MAPPING, "{run: ball, y: energy}", error));
    CAROM_TRY(carom_fields_read(node, "a curve", curve_field, value, error));
    carom_curve curve = {.from = -INFINITY, .to = INFINITY, .scale_x = 1, .scale_y = 1};
    curve.x = (carom_text){"t", node->place};
    CAROM_TRY(carom_fields_text(value[RUN], "run: ball", &run, error));
    CAROM_TRY(carom_paper_find_run(paper, run, &curve.run, error));
    if (value[X]) CAROM_TRY(carom_fields_text(value[X], "x: t", &curve.x, error));
    CAROM_TRY(carom_fields_text(value[Y], "y: energy", &curve.y, error));
    curve.label = value[LABEL] ? value[LABEL]->text : run.text;
    if (value[FROM]) CAROM_TRY(carom_paper_number(value[FROM], &curve.from, error));
    if (value[TO]) CAROM_TRY(carom_paper_number(value[TO], &curve.to, error));
    if (value[SCALE_X]) CAROM_TRY(carom_paper_number(value[SCALE_X], &curve.scale_x, error));
    if (value[SCALE_Y]) CAROM_TRY(carom_paper_number(value[SCALE_Y], &curve.scale_y, error));
    carom_curve *kept = CAROM_LIST_ADD(paper->arena, &figure->curve);
    if (!kept) return carom_paper_no_memory(error);
    *kept = curve;
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
