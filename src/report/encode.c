// SPDX-License-Identifier: Apache-2.0
// JSON for a <script> element. What is not UTF-8 becomes U+FFFD, so that the page is valid text.
#include "report/encode.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

static void put_text(carom_encoder *e, const char *text)
{
    carom_wholefile_write(e->file, text, strlen(text));
}

static void put_quoted(carom_encoder *e, const char *text)
{
    put_text(e, "\"");
    for (const char *c = text; *c;) {
        char escape[8];
        const unsigned char byte = (unsigned char)*c;
        const int n = carom_text_character(c);
        const bool is_plain = n > 1 || (n == 1 && byte >= 0x20 && !strchr("\"\\<>&'\x7f", *c));
        if (is_plain) {
            carom_wholefile_write(e->file, c, (size_t)n);
        } else {
            snprintf(escape, sizeof escape, "\\u%04x", n == 0 ? 0xfffdu : (unsigned)byte);
            put_text(e, escape);
        }
        c += n > 0 ? n : 1;
    }
    put_text(e, "\"");
}

static void put_name(carom_encoder *e, const char *name)
{
    if (e->has_item) put_text(e, ",\n");
    e->has_item = true;
    if (!name) return;
    put_quoted(e, name);
    put_text(e, ":");
}

void carom_encode_begin(carom_encoder *encoder, const char *name, char bracket)
{
    put_name(encoder, name);
    put_text(encoder, (const char[]){bracket, 0});
    encoder->has_item = false;
}

void carom_encode_end(carom_encoder *encoder, char bracket)
{
    put_text(encoder, (const char[]){bracket, 0});
    encoder->has_item = true;
}

void carom_encode_text(carom_encoder *encoder, const char *name, const char *text)
{
    put_name(encoder, name);
    put_quoted(encoder, text);
}

void carom_encode_number(carom_encoder *encoder, const char *name, double value)
{
    char number[40];
    put_name(encoder, name);
    put_text(encoder, isfinite(value) ? carom_number_text(value, number, sizeof number) : "null");
}

void carom_encode_switch(carom_encoder *encoder, const char *name, bool value)
{
    put_name(encoder, name);
    put_text(encoder, value ? "true" : "false");
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

static void push_bytes(byte_queue *queue, unsigned long long bits, int bytes)
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
    put_name(encoder, name);
    put_text(encoder, "\"");
    return (byte_queue){.encoder = encoder};
}

static void finish_bytes(byte_queue *queue)
{
    if (queue->n > 0) put_triple(queue->encoder, queue->byte, queue->n);
    put_text(queue->encoder, "\"");
}

void carom_encode_doubles(carom_encoder *encoder, const char *name, const double *value, long n)
{
    byte_queue queue = start(encoder, name);
    for (long i = 0; i < n; i++) {
        unsigned long long bits;
        memcpy(&bits, &value[i], sizeof bits);
        push_bytes(&queue, bits, 8);
    }
    finish_bytes(&queue);
}

void carom_encode_floats(carom_encoder *encoder, const char *name, const float *value, long n)
{
    byte_queue queue = start(encoder, name);
    for (long i = 0; i < n; i++) {
        unsigned bits;
        memcpy(&bits, &value[i], sizeof bits);
        push_bytes(&queue, bits, 4);
    }
    finish_bytes(&queue);
}

void carom_encode_shorts(carom_encoder *encoder, const char *name, const unsigned short *value,
                         long n)
{
    byte_queue queue = start(encoder, name);
    for (long i = 0; i < n; i++) push_bytes(&queue, value[i], 2);
    finish_bytes(&queue);
}

void carom_encode_integers(carom_encoder *encoder, const char *name, const int *value, long n)
{
    byte_queue queue = start(encoder, name);
    for (long i = 0; i < n; i++) push_bytes(&queue, (unsigned)value[i], 4);
    finish_bytes(&queue);
}
