// SPDX-License-Identifier: Apache-2.0
// Names of columns in CSV files. Every character that is not a letter, digit or underscore becomes
// an underscore, but a bracket that ends the name is left out:
//
//     crank.x -> crank_x     x[3] -> x_3     gap_tooth[2,1] -> gap_tooth_2_1
//
// The brackets of slip_c[2]1 (first direction) stay apart from slip_c[21]: slip_c_2_1, slip_c_21.
#include "base/files/csv_names.h"

#include "base/text.h"

// the next letter of the spelling; 0 at the end
static char next_letter(const char **at)
{
    const char c = **at;
    const bool is_end = c == 0 || (c == ']' && (*at)[1] == 0);
    if (is_end) return 0;
    const int bytes = carom_text_character(*at);
    *at += bytes > 0 ? bytes : 1;
    const bool is_plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return is_plain ? c : '_';
}

const char *carom_csv_name(const char *name, char *buffer, size_t room)
{
    size_t n = 0;
    if (!name || !buffer) return NULL;
    for (char c; n + 1 < room && (c = next_letter(&name)); n++) buffer[n] = c;
    if (room > 0) buffer[n] = 0;
    return buffer;
}

bool carom_csv_names_match(const char *a, const char *b)
{
    char c;
    do {
        c = next_letter(&a);
        if (c != next_letter(&b)) return false;
    } while (c);
    return true;
}
