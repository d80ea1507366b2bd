// SPDX-License-Identifier: Apache-2.0
// A fingerprint of bytes that two different texts do not share (SHA-256).
#ifndef CAROM_BASE_DIGEST_H
#define CAROM_BASE_DIGEST_H

#include <stddef.h>
#include <stdint.h>

enum { CAROM_DIGEST_BYTES = 32, CAROM_DIGEST_TEXT = 65 };

typedef struct carom_digest {
    uint32_t state[8];
    uint64_t n_byte;
    unsigned char block[64];
} carom_digest;

carom_digest carom_digest_start(void);
void carom_digest_add(carom_digest *digest, const void *bytes, size_t n);
/// Ends the digest; it cannot be added to any more.
void carom_digest_end(carom_digest *digest, unsigned char result[CAROM_DIGEST_BYTES]);
/// The digest as 64 hexadecimal digits.
void carom_digest_text(const unsigned char result[CAROM_DIGEST_BYTES],
                       char text[CAROM_DIGEST_TEXT]);

#endif
