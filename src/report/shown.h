// SPDX-License-Identifier: Apache-2.0
// Which shapes of bodies a page shows, and where their bodies are: what a shape looks like is told
// once, a frame has a few numbers for each body.
//
//     plane    x, y, R11, R21                                         a point s is at r + R s
//     space    r, R by rows;  once flat, with axes right, up and depth = right x up:
//              r.right, r.up, r.depth, R' right, R' up                depth points to who looks
#ifndef CAROM_REPORT_SHOWN_H
#define CAROM_REPORT_SHOWN_H

#include "carom/shapes.h"
#include "report/encode.h"

typedef struct carom_shown {
    const carom_model *model;
    bool is_space;
    int n_body;
    int *body;    ///< (n_body) those with a shape that can be shown
    int n_number; ///< of all bodies in a frame
} carom_shown;

/// is_space: the drawing is one in space. A model in space whose file draws in the plane shows no
/// shapes.
carom_status carom_shown_open(carom_shown *shown, const carom_model *model, bool is_space,
                              carom_error *error);
void carom_shown_close(carom_shown *shown);
/// (n_number) from the poses of an evaluation (carom_eval.pose).
void carom_shown_gather(const carom_shown *shown, const double *pose, double *number);
/// Widens a box in space by the shapes of bodies that move, not by those of the ground.
void carom_shown_widen(const carom_shown *shown, const double *number, double low[3],
                       double high[3]);
/// From number, in space, to flat, which may begin before it; returns how many numbers that are,
/// carom_shown_flat.
int carom_shown_flat(const carom_shown *shown);
int carom_shown_flatten(const carom_shown *shown, const int axis[2], const double *number,
                        double *flat);
/// The axis that a flat drawing does not show; +1 where depth = right x up grows along it, else -1.
int carom_shown_depth(const int axis[2], int *third);
/// The number of a body among those shown; -1 = it is none of them.
int carom_shown_find(const carom_shown *shown, long body);
/// Members "bodies" and "looks"; a look that is a scaled copy of an earlier one only says so. first
/// is where the numbers of bodies begin in a frame.
carom_status carom_shown_encode(const carom_shown *shown, carom_encoder *encoder, int first,
                                carom_error *error);

#endif
