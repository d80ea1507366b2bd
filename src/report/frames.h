// SPDX-License-Identifier: Apache-2.0
// The drawing of a run: the model is made again from its text, and its points are evaluated at
// recorded rows.
#ifndef CAROM_REPORT_FRAMES_H
#define CAROM_REPORT_FRAMES_H

#include "carom/modelfile.h"
#include "carom/output.h"
#include "report/shown.h"

typedef struct carom_frames {
    carom_modelfile *file;
    carom_model *model; ///< NULL where there is none: see why
    carom_plan *plan;
    carom_eval *eval;
    carom_shown shown; ///< shapes of bodies
    int n_draw;        ///< numbers of drawings in a frame; those of two axes once flat
    int n_place;       ///< contacts that know where they are: those of shapes that last
    int *place;        ///< (n_contact) which of these each is once flat, -1 = none
    int n_number;      ///< of a frame: drawings, bodies with shapes, places; once flat, then depths
    int axis[2];       ///< of a drawing in space: which component is to the right, which up
    bool is_space;
    long stride; ///< every so many rows offered are evaluated
    long n_offered, n_frame, room;
    double *t, *value; ///< (n_frame), (n_frame x n_number)
    char why[1024];
} carom_frames;

/// The masks of frames: drawing and gaps at once.
enum { CAROM_FRAME_MASK = CAROM_DRAW | CAROM_GAPS };

/// What a model is made again from.
typedef struct carom_frames_source {
    const carom_output_head *head;
    const char *run; ///< carom_results_run
    const carom_access *access;
} carom_frames_source;

/// Room for n_offered rows, fewer where that would be more than most_numbers numbers. A model that
/// cannot be made again is no error, nor one that is not the model of the run.
carom_status carom_frames_open(carom_frames *frames, const carom_frames_source *source,
                               long n_offered, long most_numbers, carom_error *error);
/// Closes frames of a model that has other numbers of coordinates and rates than the rows: they
/// would be read past their end. why says so.
void carom_frames_check(carom_frames *frames, int nq, int nu);
/// A drawing in space becomes one of two axes, chosen by how far things reach: a frame has two
/// numbers for each point then, and the size; bodies as in shown.h; of each place right, up, depth
/// of the point and of the normal; last the depths of all points. In the plane a place has four
/// numbers. Only places of contacts that press at some time are kept (n_contact).
carom_status carom_frames_flatten(carom_frames *frames, const bool *presses, carom_error *error);
/// Where the first number of drawing i stands in a flat frame, the first depth of its points, and
/// the place of contact i (-1 = there is none).
int carom_frames_first(const carom_frames *frames, int i);
int carom_frames_first_depth(const carom_frames *frames, int i);
int carom_frames_first_place(const carom_frames *frames, int i);
/// Three components of space as right, up and depth; in the plane as they are. In place allowed.
void carom_frames_turn(const carom_frames *frames, const double from[3], double to[3]);
void carom_frames_close(carom_frames *frames);
/// Offers a row; what cannot be evaluated is left out.
void carom_frames_add(carom_frames *frames, double t, const double *q, const double *u);

#endif
