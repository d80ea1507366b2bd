// SPDX-License-Identifier: Apache-2.0
// How large a model is [m], which says whether a penetration is deep: the largest distance of what
// is drawn at the start (box around all points, discs with their radius). Where nothing is drawn,
// or all of it in one place, the largest of the start gaps and of |dg/dq_i q_i|, what a coordinate
// by itself contributes to a gap: a length also where the coordinate is an angle.
#include "model/model.h"

#include <math.h>
#include <string.h>

typedef struct box {
    double low[3], high[3];
} box;

static void widen_box(box *b, const double *point, int dim, double radius)
{
    for (int k = 0; k < dim && k < 3; k++) {
        b->low[k] = fmin(b->low[k], point[k] - radius);
        b->high[k] = fmax(b->high[k], point[k] + radius);
    }
}

static double drawn_extent(const carom_model *model, const carom_eval *at)
{
    box b = {{INFINITY, INFINITY, 0}, {-INFINITY, -INFINITY, 0}};
    for (int i = 0; i < model->size.n_drawing; i++) {
        const carom_drawing *drawing = &model->drawing[i];
        const double *number = at->draw + drawing->first;
        const bool is_disc = drawing->has_size && strcmp(drawing->kind, "disc") == 0;
        const double radius = is_disc ? fabs(number[drawing->dim * drawing->n_point]) : 0;
        for (int k = 0; k < drawing->n_point; k++)
            widen_box(&b, number + drawing->dim * k, drawing->dim, radius);
    }
    const double across = hypot(b.high[0] - b.low[0], b.high[1] - b.low[1]);
    const double size = hypot(across, b.high[2] - b.low[2]);
    return b.high[0] >= b.low[0] && isfinite(size) ? size : 0;
}

static double contact_extent(const carom_model *model, const double *q0, const carom_eval *at)
{
    const carom_sparse *W = &at->rows.W;
    double size = 0;
    for (int c = 0; c < model->size.n_contact; c++) {
        const int r = model->contact[c].row;
        if (isfinite(at->gaps.value[c])) size = fmax(size, fabs(at->gaps.value[c]));
        for (int k = W->start[r]; k < W->start[r + 1]; k++)
            size = fmax(size, fabs(W->value[k] * carom_model_size_along(model, q0, W->index[k])));
    }
    return isfinite(size) ? size : 0;
}

double carom_model_extent(const carom_model *model, const double *q0, const carom_eval *at)
{
    const double drawn = drawn_extent(model, at);
    return drawn > 0 ? drawn : contact_extent(model, q0, at);
}
