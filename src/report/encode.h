// SPDX-License-Identifier: Apache-2.0
// JSON that may stand inside a <script> element of HTML: '<', '>' and '&' are written as escapes,
// so that no text can end the element. Arrays of numbers are base64 of little-endian bytes.
#ifndef CAROM_REPORT_ENCODE_H
#define CAROM_REPORT_ENCODE_H

#include "base/files/wholefile.h"

typedef struct carom_encoder {
    carom_wholefile *file;
    bool has_item; ///< a comma goes before the next one
} carom_encoder;

/// '{' or '[', as the member called name (NULL inside a list).
void carom_encode_begin(carom_encoder *encoder, const char *name, char bracket);
void carom_encode_end(carom_encoder *encoder, char bracket);
void carom_encode_text(carom_encoder *encoder, const char *name, const char *text);
/// null where it is not finite.
void carom_encode_number(carom_encoder *encoder, const char *name, double value);
void carom_encode_switch(carom_encoder *encoder, const char *name, bool value);
/// Bytes as base64, by four functions for four kinds of numbers.
void carom_encode_doubles(carom_encoder *encoder, const char *name, const double *value, long n);
void carom_encode_floats(carom_encoder *encoder, const char *name, const float *value, long n);
void carom_encode_shorts(carom_encoder *encoder, const char *name, const unsigned short *value,
                         long n);
void carom_encode_integers(carom_encoder *encoder, const char *name, const int *value, long n);

#endif
