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
    int n_number;      ///< of a frame: those of drawings, then those of bodies with shapes
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
/// A drawing in space becomes one of two axes, chosen by how far things reach: a frame has two
/// numbers for each point then, and the size; bodies as in shown.h. Nothing to do in the plane.
void carom_frames_flatten(carom_frames *frames);
/// Where the first number of drawing i stands in a flat frame.
int carom_frames_first(const carom_frames *frames, int i);
void carom_frames_close(carom_frames *frames);
/// Offers a row; what cannot be evaluated is left out.
void carom_frames_add(carom_frames *frames, double t, const double *q, const double *u);

#endif
