// SPDX-License-Identifier: Apache-2.0
// Where the pictures of a film go: files of their own, or ffmpeg, which makes one file of them.
#ifndef CAROM_REPORT_REEL_H
#define CAROM_REPORT_REEL_H

#include "carom/base.h"

typedef enum carom_reel_kind {
    CAROM_REEL_PICTURES,
    CAROM_REEL_MP4,
    CAROM_REEL_GIF
} carom_reel_kind;

/// By the ending of the path: .mp4, .gif; a folder ("frames/", or one that is there) or a name with
/// a place for the number ("frame-%04d.png").
carom_status carom_reel_kind_of(const char *path, carom_reel_kind *kind, carom_error *error);

typedef struct carom_reel carom_reel;
/// ffmpeg is the program's path; pictures need none (NULL).
carom_status carom_reel_open(const char *path, const char *ffmpeg, double frames_per_second,
                             carom_reel **reel, carom_error *error);
/// Adds a picture as PNG.
carom_status carom_reel_add(carom_reel *reel, const void *png, size_t n, carom_error *error);
/// Ends and frees it: the file is there where status and all that was added were well, and is as it
/// was before otherwise. Returns status, or what went wrong. reel may be NULL.
carom_status carom_reel_close(carom_reel *reel, carom_status status, carom_error *error);

#endif
