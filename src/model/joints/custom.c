// SPDX-License-Identifier: Apache-2.0
// Custom: rows that are given as texts.
#include "model/bodies/fitting.h"

#include <stdio.h>

static carom_status weave(carom_fitting *f)
{
    static const carom_allowed positions = {.no_rates =
                                                "a joint is an equation of positions and time"};
    const carom_word_text *rows = carom_fitting_word(f, "rows");
    char suffix[16];
    for (int i = 0; rows && i < rows->n; i++) {
        carom_ref row;
        CAROM_TRY(carom_making_node(f->making, rows->value[i], positions, &row));
        snprintf(suffix, sizeof suffix, "r%d", i + 1);
        CAROM_TRY(carom_fitting_row(f, suffix, row));
    }
    if (rows && rows->n > 0) return CAROM_OK;
    return carom_fail_at(f->making->error, f->text->place, CAROM_BAD_INPUT,
                         "'%.60s' needs its rows (write rows: [a.x - 2*b.x])", f->text->name.text);
}

static const carom_word_facts word[] = {
    {"rows", "rows: [a.x - 2*b.x]", "what is kept at zero"},
    CAROM_WORDS_OF_REACTION,
    {0},
};
const carom_joint_kind carom_joint_kind_custom = {
    .facts = {"custom", "keeps equations of names at zero", "custom: [a, b], rows: [a.x - 2*b.x]",
              word},
    .n_to = 2,
    .fits = CAROM_FITS_BODIES,
    .needs_points = false,
    .weave = weave,
    .space = weave,
};
