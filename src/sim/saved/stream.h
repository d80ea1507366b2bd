// SPDX-License-Identifier: Apache-2.0
// What a run has sent to its recorders so far: how many rows (or events), and a number that only
// the same ones in the same order give. A checkpoint keeps both, so that a run that continues can
// tell whether a file holds what came before, and up to where.
#ifndef CAROM_SIM_STREAM_H
#define CAROM_SIM_STREAM_H

#include "carom/sim.h"

#include <stdint.h>

typedef struct carom_stream {
    long count;
    long has_hole; ///< some were not sent, because no recorder took them
    uint64_t hash;
} carom_stream;

enum { CAROM_EVENT_NUMBERS = 7, CAROM_LINE_NUMBERS = 15 };

/// One more of n numbers. Not-a-number is one value here: text files know no other.
void carom_stream_add(carom_stream *stream, const double *value, int n);
/// One more event.
void carom_stream_add_event(carom_stream *stream, const carom_event *event);
/// An event as numbers: t, contact, kind, rates, impulse, loss.
void carom_event_numbers(const carom_event *event, double number[CAROM_EVENT_NUMBERS]);
carom_event carom_event_from_numbers(const double number[CAROM_EVENT_NUMBERS]);
/// One more line of the table of contacts, and a line as numbers: its key is the bits of one.
void carom_stream_add_line(carom_stream *stream, const carom_contact_line *line);
void carom_line_numbers(const carom_contact_line *line, double number[CAROM_LINE_NUMBERS]);
carom_contact_line carom_line_from_numbers(const double number[CAROM_LINE_NUMBERS]);

#endif
