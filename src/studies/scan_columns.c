// SPDX-License-Identifier: Apache-2.0
// Which columns of the simulation are shown, by their names in either spelling.
#include "studies/study_scan.h"

#include "base/files/csv_names.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

// entries that the scan itself has put into the model
static bool is_own(const char *name)
{
    return strncmp(name, "study_", 6) == 0;
}

// der(x) for der_x too: as starts are written
static bool is_name(const char *known, const char *asked)
{
    char rate[256];
    const size_t n = strlen(asked);
    if (strcmp(known, asked) == 0 || carom_csv_names_match(known, asked)) return true;
    if (strncmp(asked, "der(", 4) != 0 || asked[n - 1] != ')' || n >= sizeof rate) return false;
    snprintf(rate, sizeof rate, "der_%.*s", (int)(n - 5), asked + 4);
    return strcmp(known, rate) == 0 || carom_csv_names_match(known, rate);
}

static carom_status find_column(const carom_sim *sim, carom_text name, int *column,
                                carom_error *error)
{
    char hint[120];
    carom_nearest nearest = carom_nearest_to(name.text);
    for (int i = 0; i < carom_sim_n_column(sim); i++) {
        const char *known = carom_sim_column(sim, i)->name;
        if (is_own(known)) continue;
        if (is_name(known, name.text)) {
            *column = i;
            return CAROM_OK;
        }
        carom_nearest_try(&nearest, known);
    }
    return carom_fail_at(error, name.place, CAROM_BAD_INPUT,
                         "no column '%s' in the output of this model%s", name.text,
                         carom_nearest_hint(&nearest, hint, sizeof hint));
}

carom_status carom_columns_read(carom_scan *scan, const carom_text *show, int n, int usual,
                                const carom_sim *sim, carom_error *error)
{
    carom_scan_points *p = &scan->points;
    const int n_column = carom_sim_n_column(sim);
    p->show = CAROM_TAKE(scan->arena, int, n + n_column);
    if (!p->show) return carom_scan_no_memory(error);
    for (int i = 0; i < n; i++) CAROM_TRY(find_column(sim, show[i], &p->show[i], error));
    p->n_show = n;
    for (int i = 1; n == 0 && i < n_column && p->n_show < usual; i++) // the first is time
        if (!is_own(carom_sim_column(sim, i)->name)) p->show[p->n_show++] = i;
    return CAROM_OK;
}

carom_status carom_columns_add(carom_scan *scan, const carom_sim *sim, carom_error *error)
{
    for (int i = 0; i < scan->points.n_show; i++)
        CAROM_TRY(carom_scan_add_column(scan, error, "%s",
                                        carom_sim_column(sim, scan->points.show[i])->name));
    return CAROM_OK;
}
