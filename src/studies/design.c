// SPDX-License-Identifier: Apache-2.0
// Which values go together: a grid of all (the last axis counts fastest), or samples between the
// ends of each axis. Point i depends on the texts and on i alone.
#include "studies/study_scan.h"

#include "base/text.h"

#include <math.h>

static const long MOST_POINTS = 1000000000;

static carom_status choose_sampling(carom_scan *scan, const carom_scan_texts *texts, carom_text *by,
                                    carom_error *error)
{
    const carom_text given[] = {texts->random, texts->latin, texts->sobol};
    carom_scan_design *design = &scan->design;
    for (int i = 0; i < 3; i++) {
        if (!given[i].text) continue;
        if (by->text)
            return carom_fail_at(error, given[i].place, CAROM_BAD_INPUT,
                                 "samples are random, latin or sobol: one of these");
        *by = given[i];
        design->sampling = (carom_sampling)(CAROM_SAMPLE_RANDOM + i);
    }
    return CAROM_OK;
}

static carom_status count_grid(carom_scan *scan, const carom_scan_texts *texts, carom_error *error)
{
    carom_scan_design *design = &scan->design;
    design->n = 1;
    for (int k = 0; k < design->n_axis; k++) {
        const carom_scan_axis *axis = &design->axis[k];
        const carom_text value = texts->vary[k].value;
        if (!axis->value)
            return carom_fail_at(
                error, value.place, CAROM_BAD_INPUT,
                "'%s' lacks the number of values: write %s:100, or ask for samples "
                "(random, latin, sobol)",
                value.text, value.text);
        if (design->n > MOST_POINTS / axis->n)
            return carom_fail_at(error, value.place, CAROM_BAD_INPUT,
                                 "the grid has more than %ld points", MOST_POINTS);
        design->n *= axis->n;
    }
    return CAROM_OK;
}

static carom_status check_samples(carom_scan *scan, const carom_scan_texts *texts,
                                  carom_error *error)
{
    for (int k = 0; k < scan->design.n_axis; k++)
        if (scan->design.axis[k].value)
            return carom_fail_at(error, texts->vary[k].value.place, CAROM_BAD_INPUT,
                                 "samples lie between two ends: write a:b, not '%s'",
                                 texts->vary[k].value.text);
    return CAROM_OK;
}

carom_status carom_design_read(carom_scan *scan, const carom_scan_texts *texts, carom_error *error)
{
    carom_scan_design *design = &scan->design;
    carom_text by = {0};
    long seed;
    CAROM_TRY(choose_sampling(scan, texts, &by, error));
    CAROM_TRY(
        carom_scan_whole(texts->seed, "seed", (carom_scan_bounds){0, 1L << 53, 1}, &seed, error));
    design->seed = (unsigned long long)seed;
    if (!by.text) return count_grid(scan, texts, error);
    CAROM_TRY(carom_scan_whole(by, "the number of samples", (carom_scan_bounds){1, MOST_POINTS, 0},
                               &design->n, error));
    CAROM_TRY(check_samples(scan, texts, error));
    return carom_samples_prepare(scan->arena, design, error);
}

void carom_design_point(const carom_scan_design *design, long i, double *value)
{
    for (int k = design->n_axis - 1; k >= 0; k--) {
        const carom_scan_axis *axis = &design->axis[k];
        if (design->sampling == CAROM_SAMPLE_GRID) {
            value[k] = axis->value[i % axis->n];
            i /= axis->n;
            continue;
        }
        const double x = carom_sample(design, i, k);
        value[k] = axis->is_log ? axis->low * pow(axis->high / axis->low, x)
                                : axis->low + x * (axis->high - axis->low);
    }
}
