// SPDX-License-Identifier: Apache-2.0
// One self-contained page for a paper: each figure redrawn from the runs, beside it the claims it
// belongs to with what was published, what is obtained and the verdict; then the claims without a
// figure. All texts are escaped, nothing is loaded from elsewhere.
#include "papers/paper.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/wholefile.h"
#include "base/need.h"
#include "carom/plot.h"

static const char style[] =
    ":root{color-scheme:light dark;--ink:#1d2433;--soft:#5a6478;--paper:#f6f7f9;--card:#fff;"
    "--line:#d9dee7;--good:#17663a;--good-bg:#dff3e6;--known:#7a4b00;--known-bg:#fdeccc;"
    "--bad:#9c1c1c;--bad-bg:#fbdcdc}"
    "@media(prefers-color-scheme:dark){:root{--ink:#e6e9ef;--soft:#a4adbd;--paper:#12151b;"
    "--card:#1b2029;--line:#333b48;--good:#8fdcae;--good-bg:#173524;--known:#f3c77a;"
    "--known-bg:#3b2c10;--bad:#f3a3a3;--bad-bg:#451b1b}figure>svg{filter:invert(1) "
    "hue-rotate(180deg);mix-blend-mode:screen}}"
    "*{box-sizing:border-box}body{margin:0;background:var(--paper);color:var(--ink);"
    "font:16px/1.5 system-ui,sans-serif}main{max-width:1240px;margin:0 auto;padding:1.5rem 1rem "
    "3rem}h1{font-size:1.5rem;line-height:1.25;margin:0 0 .4rem}p{margin:.4rem 0}"
    ".soft{color:var(--soft)}section{margin-top:1.5rem;display:grid;gap:1rem;"
    "grid-template-columns:minmax(0,1fr)}figure{margin:0;background:var(--card);"
    "border:1px solid var(--line);border-radius:8px;padding:.5rem;overflow:hidden}"
    "figure>svg{display:block;width:100%;height:auto}.claims{display:grid;gap:1rem;"
    "align-content:start;grid-template-columns:minmax(0,1fr)}"
    "@media(min-width:960px){section.pair,section.plain{grid-template-columns:repeat(2,"
    "minmax(0,1fr))}figure{position:sticky;top:1rem;align-self:start}}"
    "article{background:var(--card);border:1px solid var(--line);border-radius:8px;"
    "padding:.8rem 1rem;overflow-wrap:break-word;overflow-x:auto}article "
    "h2{font-size:.85rem;margin:0;"
    "color:var(--soft);font-weight:600}article .head{display:flex;flex-wrap:wrap;gap:.5rem;"
    "justify-content:space-between;align-items:center}.badge{display:inline-block;font-size:.8rem;"
    "font-weight:600;"
    "padding:.1rem .6rem;border-radius:1rem}.v0{color:var(--good);background:var(--good-bg)}"
    ".v1{color:var(--known);background:var(--known-bg)}.v2{color:var(--bad);"
    "background:var(--bad-bg)}.v3{color:var(--soft);border:1px solid var(--line)}"
    "table{border-collapse:collapse;width:100%;font-size:.85rem;margin-top:.5rem}"
    "th,td{text-align:left;vertical-align:top;padding:.2rem .6rem .2rem 0;"
    "border-top:1px solid var(--line)}th{color:var(--soft);font-weight:600}"
    "td:last-child,th:last-child{padding-right:0}.n{font-variant-numeric:tabular-nums}";

// ---- text ----

__attribute__((format(printf, 2, 3))) static void put_text(carom_wholefile *page,
                                                           const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(page->stream, format, arguments);
    va_end(arguments);
}

static void put_escaped(carom_wholefile *page, const char *text)
{
    for (; *text; text++) {
        const char *name = *text == '&'    ? "&amp;"
                           : *text == '<'  ? "&lt;"
                           : *text == '>'  ? "&gt;"
                           : *text == '"'  ? "&quot;"
                           : *text == '\'' ? "&#39;"
                                           : NULL;
        if (name)
            fputs(name, page->stream);
        else
            putc(*text, page->stream);
    }
}

static void put_element(carom_wholefile *page, const char *open, const char *text,
                        const char *close)
{
    if (!*text) return;
    fputs(open, page->stream);
    put_escaped(page, text);
    fputs(close, page->stream);
}

// ---- figures ----

// the points of the curves of a figure as series; x and y lie one behind the other
static carom_status fill_series(const carom_paper *paper, const carom_curve *c,
                                carom_series *series, carom_error *error)
{
    const size_t n = c->n_value > 0 ? (size_t)c->n_value : c->n;
    double *x = malloc(2 * sizeof(double) * (n + 1)), *y = x ? x + n : NULL;
    if (!x) return carom_fail(error, CAROM_NO_MEMORY, "memory ran out for a figure");
    for (size_t i = 0; i < n; i++) {
        const bool is_column = c->n_value == 0;
        x[i] = is_column ? c->point[2 * i] : c->x_value[i];
        y[i] = is_column ? c->point[2 * i + 1]
                         : carom_paper_named(paper, c->claim.text, c->y_name[i].text)->value;
    }
    *series = (carom_series){.name = c->label, .x = x, .y = y, .n = (long)n};
    series->stroke = c->n_value > 0 ? CAROM_STROKE_LINE_POINTS : CAROM_STROKE_LINE;
    return CAROM_OK;
}

static carom_status draw(const carom_paper *paper, const carom_paper_figure *f,
                         carom_wholefile *page, carom_error *error)
{
    const int n = f->curve.n;
    carom_series *series = calloc((size_t)n + 1, sizeof *series);
    if (!series) return carom_fail(error, CAROM_NO_MEMORY, "memory ran out for a figure");
    carom_status status = CAROM_OK;
    for (int i = 0; i < n && status == CAROM_OK; i++)
        status = fill_series(paper, &f->curve.item[i], &series[i], error);
    const carom_plot panel = {
        .title = f->title,
        .x = {.label = f->x_label, .is_log = f->is_log_x},
        .y = {.label = f->y_label, .is_log = f->is_log_y, .low = f->low, .high = f->high},
        .series = series,
        .n_series = n};
    const carom_figure figure = {.panel = &panel, .n_panel = 1, .width = 480, .panel_height = 330};
    const carom_text_sink sink = {page, carom_wholefile_write};
    put_text(page, "<figure>");
    if (status == CAROM_OK) status = carom_figure_svg(&figure, sink, error);
    put_text(page, "</figure>\n");
    for (int i = 0; i < n; i++) free((void *)series[i].x);
    free(series);
    return status;
}

// ---- claims ----

static void put_bounds(carom_wholefile *page, const carom_paper_measure *m)
{
    const char *gap = "";
    if (!isnan(m->published)) put_text(page, "%.12g ± %.3g", m->published, m->within), gap = ", ";
    if (isfinite(m->above)) put_text(page, "%s≥ %.4g", gap, m->above), gap = ", ";
    if (isfinite(m->below)) put_text(page, "%s≤ %.4g", gap, m->below), gap = ", ";
    if (m->has_known) put_text(page, "%scorrect %.6g ± %.2g", gap, m->known, m->known_within);
}

static void put_measures(carom_wholefile *page, const carom_claim_plan *claim)
{
    put_text(page, "<table><tr><th>quantity</th><th>obtained</th><th>held against</th></tr>\n");
    for (int i = 0; i < claim->measure.n; i++) {
        const carom_paper_measure *m = &claim->measure.item[i];
        if (!m->is_shown) continue;
        put_element(page, "<tr><td>", m->label, "</td><td class=n>");
        if (isnan(m->value))
            put_text(page, "none");
        else
            put_text(page, "%.*g ", carom_paper_digits(m), m->value);
        put_escaped(page, m->unit);
        put_text(page, "</td><td class=n>");
        put_bounds(page, m);
        put_text(page, "</td></tr>\n");
    }
    put_text(page, "</table>");
    if (claim->decreasing.n > 1) put_text(page, "<p class=soft>Largest first: ");
    for (int i = 0; i < claim->decreasing.n; i++) {
        if (i > 0) put_text(page, " &gt; ");
        put_escaped(page, claim->decreasing.item[i].text);
    }
    if (claim->decreasing.n > 1) put_text(page, "</p>");
}

static void put_claim(carom_wholefile *page, const carom_claim_plan *claim)
{
    const carom_claim *facts = &claim->facts;
    put_text(page, "<article><div class=head>");
    put_element(page, "<h2>", facts->id, "</h2>");
    put_text(page, "<span class=\"badge v%d\">%s</span></div>\n", (int)facts->verdict,
             carom_verdict_text(facts->verdict));
    put_element(page, "<p>", facts->claim, "</p>\n");
    put_element(page, "<p><b>Published:</b> ", facts->published, "</p>\n");
    put_element(page, "<p class=soft>", facts->reason, "</p>\n");
    if (facts->verdict != CAROM_VERDICT_MISSING) put_measures(page, claim);
    put_text(page, "</article>\n");
}

static bool belongs(const carom_claim_plan *claim, const carom_paper_figure *figure)
{
    const char *id = claim->figure.text;
    return figure ? id && strcmp(id, figure->id.text) == 0 : !id;
}

static int put_claims_of(const carom_paper *paper, const carom_paper_figure *figure,
                         carom_wholefile *page)
{
    int n = 0;
    for (int c = 0; c < paper->claim.n; c++) {
        if (!belongs(&paper->claim.item[c], figure)) continue;
        n++;
        if (page) put_claim(page, &paper->claim.item[c]);
    }
    return n;
}

// ---- the page ----

static void put_head(const carom_paper *paper, carom_wholefile *page)
{
    int count[CAROM_VERDICT_MISSING + 1] = {0};
    put_text(page, "<!doctype html>\n<html lang=en><head><meta charset=utf-8>\n"
                   "<meta name=viewport content=\"width=device-width,initial-scale=1\">\n");
    put_element(page, "<title>Carom reproduces: ", paper->title, "</title>\n");
    put_text(page, "<style>%s</style></head>\n<body><main>\n", style);
    put_element(page, "<h1>", paper->title, "</h1>\n");
    put_element(page, "<p class=soft>", paper->authors, "</p>\n");
    put_element(page, "<p>", paper->about, "</p>\n<p>");
    for (int c = 0; c < paper->claim.n; c++) count[paper->claim.item[c].facts.verdict]++;
    for (int v = 0; v <= CAROM_VERDICT_MISSING; v++)
        if (count[v] > 0)
            put_text(page, "<span class=\"badge v%d\">%d %s</span> ", v, count[v],
                     carom_verdict_text((carom_verdict)v));
    put_text(page, "<span class=soft>Carom %s</span></p>\n", carom_version());
}

static carom_status put_page(const carom_paper *paper, carom_wholefile *page, carom_error *error)
{
    put_head(paper, page);
    for (int f = 0; f < paper->figure.n; f++) {
        const carom_paper_figure *figure = &paper->figure.item[f];
        const bool has_claims = put_claims_of(paper, figure, NULL) > 0;
        put_text(page, "<section class=\"%s\">\n", has_claims ? "pair" : "plain");
        CAROM_TRY(draw(paper, figure, page, error));
        if (has_claims) put_text(page, "<div class=claims>\n");
        put_claims_of(paper, figure, page);
        put_text(page, "%s</section>\n", has_claims ? "</div>" : "");
    }
    put_text(page, "<section class=plain>\n");
    put_claims_of(paper, NULL, page);
    put_text(page, "</section>\n</main></body></html>\n");
    return CAROM_OK;
}

carom_status carom_paper_write_page(const carom_paper *paper, const char *path, carom_error *error)
{
    carom_wholefile page;
    CAROM_NEED(error, paper);
    CAROM_NEED(error, path);
    CAROM_TRY(carom_wholefile_open(&page, path, error));
    const carom_status status = put_page(paper, &page, error);
    return carom_wholefile_close(&page, status, error);
}
