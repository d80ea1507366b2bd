// SPDX-License-Identifier: Apache-2.0
// ffmpeg reads PNG pictures one behind the other from its standard input, writes beside the target,
// and the result is moved there when it has ended well: a film is whole or not there. A GIF gets a
// palette for each picture, so that no picture must be kept in memory.
#define _GNU_SOURCE // SOCK_CLOEXEC
#include "report/film/reel.h"

#include "base/files/beside.h"
#include "base/files/keeper.h"
#include "base/files/wholefile.h"
#include "base/text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_ROOM = 4096, MOST_LOG = 300, MOST_DIGITS = 9 };

struct carom_reel {
    carom_reel_kind kind;
    char path[PATH_ROOM]; ///< of pictures: with its %0Nd
    int n_picture;
    carom_kept kept;
    bool is_kept;
    int talk;
    char *part, *log; ///< files beside the target
};

static bool is_folder(const char *path)
{
    struct stat facts;
    return carom_text_ends(path, "/") || (stat(path, &facts) == 0 && S_ISDIR(facts.st_mode));
}

// one %d or %0Nd, and no other %
static bool is_pattern(const char *path)
{
    const char *at = strchr(path, '%');
    if (!at || !carom_text_ends(path, ".png")) return false;
    const char *c = at + 1;
    if (*c == '0') c++;
    if (c > at + 1 && *c >= '1' && *c <= '0' + MOST_DIGITS) c++;
    return *c == 'd' && !strchr(c, '%');
}

carom_status carom_reel_kind_of(const char *path, carom_reel_kind *kind, carom_error *error)
{
    *kind = CAROM_REEL_PICTURES;
    if (carom_text_ends(path, ".mp4"))
        *kind = CAROM_REEL_MP4;
    else if (carom_text_ends(path, ".gif"))
        *kind = CAROM_REEL_GIF;
    else if (carom_text_ends(path, ".png") && !is_pattern(path) && !is_folder(path))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "'%s': a film has many pictures; say where their number goes "
                          "('frame-%%04d.png'), or name a folder ('frames/')",
                          path);
    else if (!is_pattern(path) && !is_folder(path))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "'%s' has no known ending for a film; there are .mp4, .gif, pictures "
                          "('frame-%%04d.png') and folders of pictures ('frames/')",
                          path);
    if (strlen(path) + 32 < PATH_ROOM) return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT, "the path of the film is too long");
}

static carom_status open_pictures(carom_reel *reel, const char *path, carom_error *error)
{
    if (!is_folder(path)) return CAROM_OK;
    const bool has_slash = carom_text_ends(path, "/");
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return carom_fail(error, CAROM_IO, "cannot make the folder '%s': %s", path,
                          strerror(errno));
    // a % of the folder's own is none of the pattern
    char *out = reel->path;
    for (const char *c = path; *c && out < reel->path + PATH_ROOM - 32; c++) {
        if (*c == '%') *out++ = '%';
        *out++ = *c;
    }
    snprintf(out, 32, "%sframe-%%05d.png", has_slash ? "" : "/");
    return CAROM_OK;
}

static carom_status make_beside(const char *path, const char *ending, char **name,
                                carom_error *error)
{
    const int descriptor = carom_beside_create(path, ending, name);
    if (descriptor < 0)
        return carom_fail(error, CAROM_IO, "cannot write '%s': %s", path, strerror(errno));
    close(descriptor);
    return CAROM_OK;
}

// ffmpeg gets a socket as its standard input
static carom_status start_program(carom_reel *reel, const char *const *word, carom_error *error)
{
    int end[2];
    const char *const litter[] = {reel->part, reel->log, NULL};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, end) != 0)
        return carom_fail(error, CAROM_IO, "cannot talk to ffmpeg: %s", strerror(errno));
    const carom_kept_command command = {.word = word,
                                        .log = reel->log,
                                        .litter = litter,
                                        .talk = end[1],
                                        .talk_as = {0, 0},
                                        .seconds = INFINITY,
                                        .bytes = INFINITY};
    reel->talk = end[0];
    reel->is_kept = carom_keeper_start(&reel->kept, &command);
    const int why = errno;
    close(end[1]);
    if (!reel->is_kept)
        return carom_fail(error, CAROM_IO, "'%s' does not start: %s", word[0], strerror(why));
    return CAROM_OK;
}

static carom_status start_ffmpeg(carom_reel *reel, const char *ffmpeg, double frames_per_second,
                                 carom_error *error)
{
    char rate[40], target[PATH_ROOM + 64];
    snprintf(rate, sizeof rate, "%.9g", frames_per_second);
    snprintf(target, sizeof target, "file:%s", reel->part); // whatever the name begins with
    const char *word[40] = {ffmpeg, "-v",  "error",      "-y", "-f", "image2pipe",
                            "-c:v", "png", "-framerate", rate, "-i", "pipe:0"};
    static const char *const mp4[] = {"-vf",       "pad=ceil(iw/2)*2:ceil(ih/2)*2",
                                      "-c:v",      "libx264",
                                      "-crf",      "18",
                                      "-pix_fmt",  "yuv420p",
                                      "-movflags", "+faststart",
                                      "-f",        "mp4",
                                      NULL};
    static const char *const gif[] = {
        "-filter_complex",
        "split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=new=1:dither=none", "-f",
        "gif", NULL};
    int n = 12;
    for (const char *const *own = reel->kind == CAROM_REEL_GIF ? gif : mp4; *own; own++)
        word[n++] = *own;
    word[n] = target;
    return start_program(reel, word, error);
}

carom_status carom_reel_open(const char *path, const char *ffmpeg, double frames_per_second,
                             carom_reel **made, carom_error *error)
{
    carom_reel *reel = calloc(1, sizeof *reel);
    *made = reel;
    if (!reel) return carom_fail(error, CAROM_NO_MEMORY, "memory ran out");
    reel->talk = -1;
    CAROM_TRY(carom_reel_kind_of(path, &reel->kind, error));
    snprintf(reel->path, sizeof reel->path, "%s", path);
    if (reel->kind == CAROM_REEL_PICTURES) return open_pictures(reel, path, error);
    CAROM_TRY(make_beside(path, "part", &reel->part, error));
    CAROM_TRY(make_beside(path, "log", &reel->log, error));
    return start_ffmpeg(reel, ffmpeg, frames_per_second, error);
}

static carom_status save_picture(carom_reel *reel, const void *png, size_t n, carom_error *error)
{
    char path[PATH_ROOM + 32];
    carom_wholefile file;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral" // is_pattern has looked at it
    snprintf(path, sizeof path, reel->path, reel->n_picture);
#pragma GCC diagnostic pop
    CAROM_TRY(carom_wholefile_open(&file, path, error));
    carom_wholefile_write(&file, png, n);
    return carom_wholefile_close(&file, CAROM_OK, error);
}

static carom_status ffmpeg_failed(const carom_reel *reel, carom_error *error)
{
    char line[MOST_LOG] = "";
    FILE *file = reel->log ? fopen(reel->log, "r") : NULL;
    if (file && fgets(line, sizeof line, file)) line[strcspn(line, "\r\n")] = 0;
    if (file) fclose(file);
    for (char *c = line; *c; c++)
        if ((unsigned char)*c < ' ') *c = ' ';
    return carom_fail(error, CAROM_IO, "ffmpeg failed%s%s", line[0] ? ": " : "", line);
}

carom_status carom_reel_add(carom_reel *reel, const void *png, size_t n, carom_error *error)
{
    reel->n_picture++;
    if (reel->kind == CAROM_REEL_PICTURES) return save_picture(reel, png, n, error);
    for (const char *at = png; n > 0;) {
        const ssize_t sent = send(reel->talk, at, n, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return ffmpeg_failed(reel, error);
        at += sent;
        n -= (size_t)sent;
    }
    return CAROM_OK;
}

carom_status carom_reel_close(carom_reel *reel, carom_status status, carom_error *error)
{
    if (!reel) return status;
    if (reel->talk >= 0) close(reel->talk); // which ends the pictures
    const bool is_good = status == CAROM_OK;
    if (reel->is_kept) {
        const carom_kept_end end =
            is_good ? carom_keeper_wait(&reel->kept) : carom_keeper_stop(&reel->kept);
        if (is_good && end != CAROM_KEPT_DONE) status = ffmpeg_failed(reel, error);
    }
    if (reel->is_kept && status == CAROM_OK && rename(reel->part, reel->path) != 0)
        status = carom_fail(error, CAROM_IO, "cannot write '%s': %s", reel->path, strerror(errno));
    if (reel->part && status != CAROM_OK) remove(reel->part);
    if (reel->log) remove(reel->log);
    free(reel->part);
    free(reel->log);
    free(reel);
    return status;
}
