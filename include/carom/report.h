// SPDX-License-Identifier: Apache-2.0
// One self-contained HTML page from one or more runs: the mechanism moving, plots, events, audit,
// the model's text. It needs no network and cannot use one.
#ifndef CAROM_REPORT_H
#define CAROM_REPORT_H

#include "carom/output.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Points of a study at the head of a page: a click on one shows the run that stands for it, alone.
typedef struct carom_report_map {
    const char *title, *x_label, *y_label;
    const double *x, *y; ///< (n)
    const int *run;      ///< (n) from 0, -1 = none
    const int *group;    ///< (n) colours, from 0
    long n;
} carom_report_map;

/// How much goes into a page, for all its runs together.
typedef struct carom_report_options {
    long most_points;            ///< numbers of the plots
    long most_frames;            ///< numbers of the drawings
    long most_events;            ///< lines of the event tables
    long most_touches;           ///< contacts that come and go, of all frames of the drawings
    const carom_access *access;  ///< limits and folders for the models; NULL = the defaults
    const carom_report_map *map; ///< NULL = all runs are laid over each other
} carom_report_options;
CAROM_API carom_report_options carom_report_default(void);

/// What the page had to leave out of a run.
typedef struct carom_report_notes {
    bool is_reduced;       ///< rows became envelopes of lowest and highest values
    int columns_left_out;  ///< groups with very many columns are cut
    char no_drawing[1024]; ///< why the mechanism cannot be drawn, or ""
} carom_report_notes;

/// Writes path, whole or not at all, from runs in HDF5 files; notes (n_run) may be NULL. The
/// drawing comes from the model's text in the file; a run whose model cannot be made again (a table
/// that is gone, a model file that changed and names tables, a model of callbacks) gets a page
/// without it.
CAROM_API carom_status carom_report_write(carom_results *const *run, int n_run,
                                          const carom_report_options *options, const char *path,
                                          carom_report_notes *notes, carom_error *error);

/// What goes into files for ParaView and other programs that read VTK.
typedef struct carom_vtk_options {
    double from, to;            ///< of the run [s]
    long most_frames;           ///< rows evenly, if there are more
    const carom_access *access; ///< limits and folders for the model; NULL = the defaults
} carom_vtk_options;
/// All of the run, up to 1000 frames.
CAROM_API carom_vtk_options carom_vtk_default(void);

/// What was written.
typedef struct carom_vtk_notes {
    long n_frame, n_row; ///< of so many rows between from and to
} carom_vtk_notes;

/// Writes the surfaces of bodies as they move, drawn lines, and contacts that press with their
/// forces, from a run in an HDF5 file: path ends with .vtkhdf, one file (ParaView 5.12), or with
/// .pvd, a list of .vtp files, which go to a folder beside it of the same name. notes may be NULL.
CAROM_API carom_status carom_vtk_write(carom_results *run, const carom_vtk_options *options,
                                       const char *path, carom_vtk_notes *notes,
                                       carom_error *error);

/// What a film shows and how large it is. 0 = chosen by the kind of film.
typedef struct carom_film_options {
    double from, to;            ///< of the run [s]
    double rate;                ///< seconds of the run in one second of the film
    double frames_per_second;   ///< 30; GIF 25
    int width, height;          ///< [pixels] 1280 x 720; GIF 800 x 450
    bool is_dark;               ///< light on dark
    const char *follow;         ///< the body that the camera goes with (in space), or NULL
    carom_watch watch;          ///< hears of pictures that are done, and may stop the film
    const carom_access *access; ///< limits and folders for the models; NULL = the defaults
} carom_film_options;
/// All of the run; in its own time from 4 to 40 s, else in about 15 s.
CAROM_API carom_film_options carom_film_default(void);

/// What was made.
typedef struct carom_film_notes {
    long n_frame;
    double rate, frames_per_second;
} carom_film_notes;

/// Films the drawing of a page: pictures by Chromium (a program of its own, without a window), put
/// together by ffmpeg where path ends with .mp4 or .gif, which is there whole or not at all. Where
/// it is a folder, or has a place for a number (frame-%04d.png), the pictures are files, from 1 on.
/// Both programs are looked for in PATH, or named by CAROM_CHROMIUM and CAROM_FFMPEG. notes may be
/// NULL.
CAROM_API carom_status carom_film_write(carom_results *const *run, int n_run,
                                        const carom_film_options *options, const char *path,
                                        carom_film_notes *notes, carom_error *error);

#ifdef __cplusplus
}
#endif
#endif
