// SPDX-License-Identifier: Apache-2.0
// JSON for a <script> element. What is not UTF-8 becomes U+FFFD, so that the page is valid text.
#include "report/encode.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

static void put(carom_encoder *e, const char *text)
{
    carom_wholefile_write(e->file, text, strlen(text));
}

// length of the UTF-8 character at c, 0 where there is none
static int character(const unsigned char *c)
{
    const int n = *c < 0x80                  ? 1
                  : *c >= 0xc2 && *c <= 0xdf ? 2
                  : *c >= 0xe0 && *c <= 0xef ? 3
                  : *c >= 0xf0 && *c <= 0xf4 ? 4
                                             : 0;
    for (int i = 1; i < n; i++)
        if ((c[i] & 0xc0) != 0x80) return 0;
    // surrogates and characters written too long
    if (n == 3 && ((c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xed && c[1] > 0x9f))) return 0;
    if (n == 4 && ((c[0] == 0xf0 && c[1] < 0x90) || (c[0] == 0xf4 && c[1] > 0x8f))) return 0;
    return n;
}

static void put_quoted(carom_encoder *e, const char *text)
{
    put(e, "\"");
    for (const unsigned char *c = (const unsigned char *)text; *c;) {
        char escape[8];
        const int n = character(c);
        const bool is_plain = n > 1 || (n == 1 && *c >= 0x20 && !strchr("\"\\<>&'\x7f", *c));
        if (is_plain) {
            carom_wholefile_write(e->file, (const char *)c, (size_t)n);
        } else {
            snprintf(escape, sizeof escape, "\\u%04x", n == 0 ? 0xfffdu : (unsigned)*c);
            put(e, escape);
        }
        c += n > 0 ? n : 1;
    }
    put(e, "\"");
}

static void lead(carom_encoder *e, const char *name)
{
    if (e->has_item) put(e, ",\n");
    e->has_item = true;
    if (!name) return;
    put_quoted(e, name);
    put(e, ":");
}

void carom_encode_begin(carom_encoder *encoder, const char *name, char bracket)
{
    lead(encoder, name);
    put(encoder, (const char[]){bracket, 0});
    encoder->has_item = false;
}

void carom_encode_end(carom_encoder *encoder, char bracket)
{
    put(encoder, (const char[]){bracket, 0});
    encoder->has_item = true;
}

void carom_encode_text(carom_encoder *encoder, const char *name, const char *text)
{
    lead(encoder, name);
    put_quoted(encoder, text);
}

void carom_encode_number(carom_encoder *encoder, const char *name, double value)
{
    char number[40];
    lead(encoder, name);
    put(encoder, isfinite(value) ? carom_number_text(value, number, sizeof number) : "null");
}

void carom_encode_switch(carom_encoder *encoder, const char *name, bool value)
{
    lead(encoder, name);
    put(encoder, value ? "true" : "false");
}

// three bytes become four letters
static void put_triple(carom_encoder *e, const unsigned char *byte, int n)
{
    static const char letter[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned bits = (unsigned)byte[0] << 16 | (n > 1 ? (unsigned)byte[1] << 8 : 0u) |
                          (n > 2 ? (unsigned)byte[2] : 0u);
    const char four[4] = {letter[bits >> 18], letter[bits >> 12 & 63],
                          n > 1 ? letter[bits >> 6 & 63] : '=', n > 2 ? letter[bits & 63] : '='};
    carom_wholefile_write(e->file, four, sizeof four);
}

/// Bytes on their way to base64, least significant byte first.
typedef struct byte_queue {
    carom_encoder *encoder;
    unsigned char byte[3];
    int n;
} byte_queue;

static void push(byte_queue *queue, unsigned long long bits, int bytes)
{
    for (int i = 0; i < bytes; i++) {
        queue->byte[queue->n++] = (unsigned char)(bits >> (8 * i) & 255);
        if (queue->n < 3) continue;
        put_triple(queue->encoder, queue->byte, 3);
        queue->n = 0;
    }
}

static byte_queue start(carom_encoder *encoder, const char *name)
{
    lead(encoder, name);
    put(encoder, "\"");
    return (byte_queue){.encoder = encoder};
}

static void finish(byte_queue *queue)
{
    if (queue->n > 0) put_triple(queue->encoder, queue->byte, queue->n);
    put(queue->encoder, "\"");
}

void carom_encode_doubles(carom_encoder *encoder, const char *name, const double *value, long n)
{
    byte_queue queue = start(encoder, name);
    for (long i = 0; i < n; i++) {
        unsigned long long bits;
        memcpy(&bits, &value[i], sizeof bits);
        push(&queue, bits, 8);
    }
    finish(&queue);
}

void carom_encode_floats(carom_encoder *encoder, const char *name, const float *value, long n)
{
    byte_queue queue = start(encoder, name);
    for (long i = 0; i < n; i++) {
        unsigned bits;
        memcpy(&bits, &value[i], sizeof bits);
        push(&queue, bits, 4);
    }
    finish(&queue);
}

void carom_encode_shorts(carom_encoder *encoder, const char *name, const unsigned short *value,
                         long n)
{
    byte_queue queue = start(encoder, name);
    for (long i = 0; i < n; i++) push(&queue, value[i], 2);
    finish(&queue);
}
