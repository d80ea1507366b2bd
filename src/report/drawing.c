// SPDX-License-Identifier: Apache-2.0
#include "report/drawing.h"

#include "report/locate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// one number of the drawing over all frames: constant, or 16 bits between its ends
static void encode_draw_number(carom_encoder *e, const carom_frames *f, int i,
                               unsigned short *scratch)
{
    double low = INFINITY, high = -INFINITY;
    for (long k = 0; k < f->n_frame; k++) {
        const double x = f->value[k * f->n_number + i];
        low = fmin(low, x);
        high = fmax(high, x);
    }
    carom_encode_begin(e, NULL, '{');
    carom_encode_number(e, "low", low);
    if (high > low) {
        const double scale = 65535 / (high - low);
        for (long k = 0; k < f->n_frame; k++)
            scratch[k] = (unsigned short)lrint(scale * (f->value[k * f->n_number + i] - low));
        carom_encode_number(e, "high", high);
        carom_encode_shorts(e, "data", scratch, f->n_frame);
    }
    carom_encode_end(e, '}');
}

// of two shapes that stay a contact: where it stands in a frame (-1 = it never presses), and whose
// shapes they are
static void encode_place(carom_encoder *e, const carom_frames *f, int contact)
{
    const carom_contact_facts *facts = carom_model_contact(f->model, contact);
    carom_encode_number(e, "place", carom_frames_first_place(f, contact));
    carom_encode_number(e, "one", carom_shown_find(&f->shown, facts->body[0]));
    carom_encode_number(e, "two", carom_shown_find(&f->shown, facts->body[1]));
}

static void encode_spots(carom_encoder *e, const carom_frames *f, const carom_spot *spot)
{
    static const char *const kind[] = {"none", "point", "pair", "discs", "edge"};
    const carom_sizes size = carom_model_sizes(f->model);
    carom_encode_begin(e, "spots", '[');
    for (int i = 0; i < size.n_contact; i++) {
        const carom_contact_facts *facts = carom_model_contact(f->model, i);
        carom_encode_begin(e, NULL, '{');
        carom_encode_text(e, "name", facts->name);
        carom_encode_text(e, "kind", kind[spot[i].kind]);
        carom_encode_number(e, "a", spot[i].a);
        carom_encode_number(e, "b", spot[i].b);
        carom_encode_number(e, "c", spot[i].c);
        carom_encode_number(e, "nx", spot[i].n[0]);
        carom_encode_number(e, "ny", spot[i].n[1]);
        carom_encode_number(e, "offset", spot[i].offset);
        if (facts->place > 0) encode_place(e, f, i);
        carom_encode_end(e, '}');
    }
    carom_encode_end(e, ']');
}

static void encode_shapes(carom_encoder *e, const carom_frames *f)
{
    const carom_sizes size = carom_model_sizes(f->model);
    carom_encode_begin(e, "shapes", '[');
    for (int i = 0; i < size.n_drawing; i++) {
        const carom_drawing *d = carom_model_drawing(f->model, i);
        carom_encode_begin(e, NULL, '{');
        carom_encode_text(e, "kind", d->kind);
        if (d->body) carom_encode_text(e, "body", d->body);
        carom_encode_number(e, "first", carom_frames_first(f, i));
        carom_encode_number(e, "points", d->n_point);
        if (f->is_space) carom_encode_number(e, "deep", carom_frames_first_depth(f, i));
        carom_encode_switch(e, "sized", d->has_size);
        carom_encode_end(e, '}');
    }
    carom_encode_end(e, ']');
}

// which axes of space the drawing shows
static void encode_view(carom_encoder *e, const carom_frames *f)
{
    char text[8];
    snprintf(text, sizeof text, "%c%c", "xyz"[f->axis[0]], "xyz"[f->axis[1]]);
    carom_encode_text(e, "view", text);
}

carom_status carom_drawing_encode(carom_encoder *e, const carom_frames *f,
                                  const carom_touches *touches, carom_error *error)
{
    if (!f->model || f->n_frame == 0) return CAROM_OK;
    const size_t n_contact = (size_t)carom_model_sizes(f->model).n_contact;
    carom_spot *spot = calloc(n_contact + 1, sizeof *spot);
    unsigned short *scratch = malloc(sizeof *scratch * (size_t)f->n_frame);
    carom_status status = spot && scratch ? carom_locate(f, spot, error)
                                          : carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    if (status == CAROM_OK) {
        carom_encode_text(e, "about",
                          carom_model_about(f->model) ? carom_model_about(f->model) : "");
        carom_encode_text(e, "source",
                          carom_model_source(f->model) ? carom_model_source(f->model) : "");
        carom_encode_begin(e, "drawing", '{');
        carom_encode_doubles(e, "t", f->t, f->n_frame);
        encode_shapes(e, f);
        if (f->is_space) encode_view(e, f);
        encode_spots(e, f, spot);
        status = carom_shown_encode(&f->shown, e, f->n_draw, error);
        carom_encode_begin(e, "numbers", '[');
        for (int i = 0; i < f->n_number; i++) encode_draw_number(e, f, i, scratch);
        carom_encode_end(e, ']');
        if (status == CAROM_OK) status = carom_touches_encode(touches, e, f->n_frame, error);
        carom_encode_end(e, '}');
    }
    free(spot);
    free(scratch);
    return status;
}
