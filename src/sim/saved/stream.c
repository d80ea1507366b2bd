// SPDX-License-Identifier: Apache-2.0
// What a run has sent so far; see the header. The hash takes a word at a time:
//
//     h <- (h xor w) a,   h <- h xor (h >> 32)
#include "sim/saved/stream.h"

#include <math.h>
#include <string.h>

static uint64_t mix(uint64_t hash, double value)
{
    uint64_t word = UINT64_C(0x7ff8000000000000);
    if (!isnan(value)) memcpy(&word, &value, sizeof word);
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

void carom_stream_add(carom_stream *stream, const double *value, int n)
{
    uint64_t hash = stream->hash + 1; // rows of zeros count too
    for (int i = 0; i < n; i++) hash = mix(hash, value[i]);
    stream->hash = hash;
    stream->count++;
}

void carom_event_numbers(const carom_event *event, double number[CAROM_EVENT_NUMBERS])
{
    number[0] = event->t;
    number[1] = event->contact;
    number[2] = event->kind;
    number[3] = event->rate_before;
    number[4] = event->rate_after;
    number[5] = event->P;
    number[6] = event->energy_lost;
}

carom_event carom_event_from_numbers(const double number[CAROM_EVENT_NUMBERS])
{
    return (carom_event){.t = number[0],
                         .contact = (int)number[1],
                         .kind = (carom_event_kind)number[2],
                         .rate_before = number[3],
                         .rate_after = number[4],
                         .P = number[5],
                         .energy_lost = number[6]};
}

void carom_stream_add_event(carom_stream *stream, const carom_event *event)
{
    double number[CAROM_EVENT_NUMBERS];
    carom_event_numbers(event, number);
    carom_stream_add(stream, number, CAROM_EVENT_NUMBERS);
}

void carom_line_numbers(const carom_contact_line *line, double number[CAROM_LINE_NUMBERS])
{
    number[0] = (double)line->step;
    number[1] = line->t;
    memcpy(&number[2], &line->key, sizeof line->key);
    number[3] = line->gap;
    number[4] = line->rate;
    number[5] = line->P;
    number[6] = line->la;
    for (int i = 0; i < 3; i++) {
        number[7 + i] = line->point[i];
        number[10 + i] = line->normal[i];
    }
    for (int k = 0; k < 2; k++) number[13 + k] = (double)line->body[k];
}

carom_contact_line carom_line_from_numbers(const double number[CAROM_LINE_NUMBERS])
{
    carom_contact_line line = {.step = (long)number[0],
                               .t = number[1],
                               .gap = number[3],
                               .rate = number[4],
                               .P = number[5],
                               .la = number[6]};
    memcpy(&line.key, &number[2], sizeof line.key);
    for (int i = 0; i < 3; i++) {
        line.point[i] = number[7 + i];
        line.normal[i] = number[10 + i];
    }
    for (int k = 0; k < 2; k++) line.body[k] = (long)number[13 + k];
    return line;
}

void carom_stream_add_line(carom_stream *stream, const carom_contact_line *line)
{
    double number[CAROM_LINE_NUMBERS];
    carom_line_numbers(line, number);
    carom_stream_add(stream, number, CAROM_LINE_NUMBERS);
}
