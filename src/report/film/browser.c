// SPDX-License-Identifier: Apache-2.0
// Messages are JSON, ended by a zero byte:
//
//     {"id":3,"method":"Page.captureScreenshot","params":{...},"sessionId":"..."}
//     {"id":3,"result":{"data":"<base64>"},"sessionId":"..."}
//
// What is looked for in answers (ids, base64, true or false) has no escapes, so that a key and
// quotes find it. Other messages are events, which nobody has asked for.
//
// The profile is a new folder that goes with the browser. WebGL is drawn in software, so that a
// film is the same on all machines; the page allows no script but its own, by its hash.
#define _GNU_SOURCE // SOCK_CLOEXEC, mkdtemp
#include "report/film/browser.h"

#include "base/files/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PATH_ROOM = 600, ID_ROOM = 80, PATIENCE_MS = 60000, READ_BYTES = 65536, MOST_LOG = 300 };

struct carom_browser {
    carom_kept kept;
    bool is_kept;
    int talk;
    char nest[PATH_ROOM], log[PATH_ROOM + 8];
    char session[ID_ROOM]; ///< "" = to the browser itself
    int n_sent;
    char *heard; ///< (room), what has been read: first an answer up to its zero byte
    size_t n_heard, n_answer, room;
};

const char *carom_browser_nest(const carom_browser *browser)
{
    return browser->nest;
}

// the last line of what the browser printed, without the place in its own source
static void read_log(const carom_browser *b, char line[MOST_LOG])
{
    char next[MOST_LOG];
    FILE *file = fopen(b->log, "r");
    line[0] = 0;
    while (file && fgets(next, sizeof next, file)) {
        next[strcspn(next, "\r\n")] = 0;
        if (next[0]) memcpy(line, next, sizeof next);
    }
    if (file) fclose(file);
    for (char *c = line; *c; c++)
        if ((unsigned char)*c < ' ') *c = ' ';
}

static carom_status fail(const carom_browser *b, const char *what, carom_error *error)
{
    char line[MOST_LOG];
    read_log(b, line);
    return carom_fail(error, CAROM_IO, "the browser %s%s%s", what, line[0] ? "; it said: " : "",
                      line);
}

static carom_status send_all(carom_browser *b, const char *text, size_t n, carom_error *error)
{
    while (n > 0) {
        const ssize_t sent = send(b->talk, text, n, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return fail(b, "has ended", error);
        text += sent;
        n -= (size_t)sent;
    }
    return CAROM_OK;
}

static carom_status make_room(carom_browser *b, carom_error *error)
{
    if (b->room - b->n_heard > READ_BYTES) return CAROM_OK;
    const size_t room = 2 * b->room + 2 * READ_BYTES;
    char *larger = realloc(b->heard, room);
    if (!larger) return carom_fail(error, CAROM_NO_MEMORY, "memory ran out");
    b->heard = larger;
    b->room = room;
    return CAROM_OK;
}

// the next message stands in heard, with its zero byte
static carom_status hear_message(carom_browser *b, carom_error *error)
{
    memmove(b->heard, b->heard + b->n_answer, b->n_heard - b->n_answer);
    b->n_heard -= b->n_answer;
    b->n_answer = 0;
    for (size_t looked = 0;;) {
        const char *end = memchr(b->heard + looked, 0, b->n_heard - looked);
        if (end) {
            b->n_answer = (size_t)(end - b->heard) + 1;
            return CAROM_OK;
        }
        looked = b->n_heard;
        CAROM_TRY(make_room(b, error));
        struct pollfd ready = {.fd = b->talk, .events = POLLIN};
        const int n_ready = poll(&ready, 1, PATIENCE_MS);
        if (n_ready < 0 && errno == EINTR) continue;
        if (n_ready <= 0) return fail(b, "does not answer", error);
        const ssize_t n = read(b->talk, b->heard + b->n_heard, READ_BYTES);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return fail(b, "has ended", error);
        b->n_heard += (size_t)n;
    }
}

// the text behind "key": in the answer, up to its quote, or NULL
static char *find_text(const carom_browser *b, const char *key, size_t *n)
{
    char wanted[40];
    snprintf(wanted, sizeof wanted, "\"%s\":\"", key);
    char *at = strstr(b->heard, wanted);
    if (!at) return NULL;
    at += strlen(wanted);
    *n = strcspn(at, "\"");
    return at;
}

// sends a request and waits for its answer
__attribute__((format(printf, 4, 5))) static carom_status call(carom_browser *b, carom_error *error,
                                                               const char *method,
                                                               const char *params, ...)
{
    char text[4 * PATH_ROOM], begin[40];
    va_list list;
    const int id = ++b->n_sent;
    size_t n = (size_t)snprintf(text, sizeof text, "{\"id\":%d,\"method\":\"%s\",\"params\":{", id,
                                method);
    va_start(list, params);
    n += (size_t)vsnprintf(text + n, sizeof text - n, params, list);
    va_end(list);
    n += (size_t)snprintf(text + n, sizeof text - n,
                          b->session[0] ? "},\"sessionId\":\"%s\"}" : "}}", b->session);
    CAROM_TRY(send_all(b, text, n + 1, error));
    snprintf(begin, sizeof begin, "{\"id\":%d,", id);
    do CAROM_TRY(hear_message(b, error));
    while (strncmp(b->heard, begin, strlen(begin)) != 0);
    if (strncmp(b->heard + strlen(begin), "\"error\"", 7) != 0) return CAROM_OK;
    size_t length = 0;
    const char *why = find_text(b, "message", &length);
    return carom_fail(error, CAROM_IO, "the browser refuses %s: %.*s", method, (int)length,
                      why ? why : "");
}

static bool make_nest(carom_browser *b)
{
    const char *temporary = getenv("TMPDIR");
    if (!temporary || temporary[0] != '/' || strlen(temporary) > PATH_ROOM / 4) temporary = "/tmp";
    snprintf(b->nest, sizeof b->nest, "%s/carom-film-XXXXXX", temporary);
    if (!mkdtemp(b->nest)) return false;
    snprintf(b->log, sizeof b->log, "%s/log", b->nest);
    return true;
}

static carom_status start_program(carom_browser *b, const char *program, carom_error *error)
{
    char profile[PATH_ROOM + 40], temporary[PATH_ROOM + 8];
    int end[2];
    snprintf(temporary, sizeof temporary, "TMPDIR=%s", b->nest); // it leaves things there
    snprintf(profile, sizeof profile, "--user-data-dir=%s/profile", b->nest);
    const char *const word[] = {
        "env", temporary, program, "--headless", "--remote-debugging-pipe", profile,
        "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
        "--disable-quic", "--no-first-run", "--no-default-browser-check",
        "--disable-background-networking", "--disable-component-update", "--disable-sync",
        "--disable-extensions", "--disable-breakpad", "--disable-dev-shm-usage",
        "--hide-scrollbars", "--mute-audio", "--force-color-profile=srgb",
        // its sandbox does not work for the superuser; the page is our own
        geteuid() == 0 ? "--no-sandbox" : "about:blank", "about:blank", NULL};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, end) != 0)
        return carom_fail(error, CAROM_IO, "cannot talk to a browser: %s", strerror(errno));
    const carom_kept_command command = {.word = word,
                                        .log = b->log,
                                        .nest = b->nest,
                                        .talk = end[1],
                                        .talk_as = {3, 4},
                                        .seconds = INFINITY,
                                        .bytes = INFINITY};
    b->talk = end[0];
    b->is_kept = carom_keeper_start(&b->kept, &command);
    const int why = errno;
    close(end[1]);
    if (!b->is_kept)
        return carom_fail(error, CAROM_IO, "'%s' does not start: %s", program, strerror(why));
    return CAROM_OK;
}

static carom_status copy_id(carom_browser *b, const char *key, char id[ID_ROOM], carom_error *error)
{
    size_t n = 0;
    const char *text = find_text(b, key, &n);
    if (!text || n >= ID_ROOM) return fail(b, "gives no page", error);
    snprintf(id, ID_ROOM, "%.*s", (int)n, text);
    return CAROM_OK;
}

carom_status carom_browser_open(const char *program, carom_browser **browser, carom_error *error)
{
    char target[ID_ROOM] = "";
    carom_browser *b = calloc(1, sizeof *b);
    *browser = b;
    if (!b) return carom_fail(error, CAROM_NO_MEMORY, "memory ran out");
    b->talk = -1;
    if (!make_nest(b))
        return carom_fail(error, CAROM_IO, "cannot make a folder for the browser: %s",
                          strerror(errno));
    CAROM_TRY(make_room(b, error));
    CAROM_TRY(start_program(b, program, error));
    CAROM_TRY(call(b, error, "Target.createTarget", "\"url\":\"about:blank\""));
    CAROM_TRY(copy_id(b, "targetId", target, error));
    CAROM_TRY(
        call(b, error, "Target.attachToTarget", "\"targetId\":\"%s\",\"flatten\":true", target));
    return copy_id(b, "sessionId", b->session, error);
}

void carom_browser_free(carom_browser *browser)
{
    if (!browser) return;
    if (browser->is_kept)
        carom_keeper_stop(&browser->kept);
    else if (browser->nest[0])
        rmdir(browser->nest);
    if (browser->talk >= 0) close(browser->talk);
    free(browser->heard);
    free(browser);
}

// nothing in a path means anything in JSON or in an address
static void write_address(const char *path, char *text, size_t room)
{
    size_t n = (size_t)snprintf(text, room, "file://");
    for (const unsigned char *c = (const unsigned char *)path; *c && n + 4 < room; c++) {
        const bool is_plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
                              (*c >= '0' && *c <= '9') || strchr("/-_.#", *c);
        n += (size_t)snprintf(text + n, room - n, is_plain ? "%c" : "%%%02X", *c);
    }
}

carom_status carom_browser_show(carom_browser *b, const char *page, int width, int height,
                                bool is_dark, carom_error *error)
{
    char path[2 * PATH_ROOM], address[3 * PATH_ROOM];
    snprintf(path, sizeof path, "%s/%s", b->nest, page);
    write_address(path, address, sizeof address);
    CAROM_TRY(call(b, error, "Emulation.setDeviceMetricsOverride",
                   "\"width\":%d,\"height\":%d,\"deviceScaleFactor\":1,\"mobile\":false", width,
                   height));
    CAROM_TRY(call(b, error, "Emulation.setEmulatedMedia",
                   "\"features\":[{\"name\":\"prefers-color-scheme\",\"value\":\"%s\"}]",
                   is_dark ? "dark" : "light"));
    return call(b, error, "Page.navigate", "\"url\":\"%s\"", address);
}

carom_status carom_browser_ask(carom_browser *b, const char *expression, bool *is_true,
                               carom_error *error)
{
    CAROM_TRY(call(b, error, "Runtime.evaluate",
                   "\"expression\":\"%s\",\"awaitPromise\":true,\"returnByValue\":true",
                   expression));
    if (strstr(b->heard, "\"exceptionDetails\"")) return fail(b, "cannot show the page", error);
    *is_true = strstr(b->heard, "\"value\":true") != NULL;
    return CAROM_OK;
}

static int digit_of(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

// in place: three bytes from four characters
static size_t decode(char *text, size_t n)
{
    unsigned char *out = (unsigned char *)text;
    unsigned int bits = 0;
    int n_bit = 0;
    for (size_t i = 0; i < n; i++) {
        const int digit = digit_of(text[i]);
        if (digit < 0) break; // what fills up the end
        bits = bits << 6 | (unsigned int)digit;
        n_bit += 6;
        if (n_bit < 8) continue;
        n_bit -= 8;
        *out++ = (unsigned char)(bits >> n_bit);
    }
    return (size_t)(out - (unsigned char *)text);
}

carom_status carom_browser_picture(carom_browser *b, const void **png, size_t *n,
                                   carom_error *error)
{
    size_t length = 0;
    CAROM_TRY(
        call(b, error, "Page.captureScreenshot", "\"format\":\"png\",\"optimizeForSpeed\":true"));
    char *data = find_text(b, "data", &length);
    if (!data) return fail(b, "gives no picture", error);
    *png = data;
    *n = decode(data, length);
    return CAROM_OK;
}
