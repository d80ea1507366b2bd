// SPDX-License-Identifier: Apache-2.0
// Axes. Ticks stand at 1, 2 or 5 times a power of ten; on a logarithmic axis at powers of ten, with
// short ticks at 2 .. 9 times those. Numbers are written over a power of a thousand that keeps them
// short, which becomes the prefix of the unit (m -> mm), or a factor in front of it.
#include "plot/axis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double round_step(double least)
{
    const double power = pow(10, floor(log10(least)));
    const double ratio = least / power;
    return power * (ratio <= 1 ? 1 : ratio <= 2 ? 2 : ratio <= 5 ? 5 : 10);
}

// a number as 10^n with raised digits
static void write_power(int n, char *text, size_t room)
{
    static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    char digits[16];
    snprintf(digits, sizeof digits, "%d", n < 0 ? -n : n);
    size_t used = (size_t)snprintf(text, room, "10%s", n < 0 ? "⁻" : "");
    for (const char *d = digits; *d && used < room; d++)
        used += (size_t)snprintf(text + used, room - used, "%s", raised[*d - '0']);
}

// the power of ten (a multiple of 3) that the numbers of an axis are written over
static int factor_of(double largest)
{
    if (!(largest > 0) || (largest >= 0.1 && largest < 1e4)) return 0;
    return 3 * (int)floor(log10(largest) / 3 + 1e-9);
}

static bool has_prefix(const char *unit)
{
    static const char *const known[] = {"m", "m/s", "N", "N s", "N m", "J", "W", "Hz", "s"};
    for (size_t i = 0; unit && i < sizeof known / sizeof *known; i++)
        if (strcmp(unit, known[i]) == 0) return true;
    return false;
}

static void write_title(carom_scale *scale, const carom_axis *axis, int factor)
{
    static const char *const prefix[] = {"p", "n", "µ", "m", "", "k", "M", "G"};
    const char *label = axis->label ? axis->label : "", *unit = axis->unit ? axis->unit : "";
    const char *space = *label ? " " : "";
    char power[CAROM_TICK_ROOM];
    write_power(factor, power, sizeof power);
    const bool fits = factor >= -12 && factor <= (strcmp(unit, "s") == 0 ? 0 : 9);
    if (factor == 0 && !*unit)
        snprintf(scale->title, sizeof scale->title, "%s", label);
    else if (factor == 0)
        snprintf(scale->title, sizeof scale->title, "%s%s[%s]", label, space, unit);
    else if (has_prefix(unit) && fits)
        snprintf(scale->title, sizeof scale->title, "%s%s[%s%s]", label, space,
                 prefix[factor / 3 + 4], unit);
    else
        snprintf(scale->title, sizeof scale->title, "%s%s[%s%s%s]", label, space, power,
                 *unit ? " " : "", unit);
}

static void add_tick(carom_scale *scale, double value, bool is_minor, const char *text)
{
    if (scale->n_tick == CAROM_MOST_TICKS) return;
    carom_tick *tick = &scale->tick[scale->n_tick++];
    *tick = (carom_tick){.value = value, .is_minor = is_minor};
    snprintf(tick->text, sizeof tick->text, "%s", text);
}

static void linear_ticks(carom_scale *scale, const carom_axis *axis, int most)
{
    const double step = round_step((scale->high - scale->low) / most);
    const int factor = factor_of(fmax(fabs(scale->low), fabs(scale->high)));
    const double over = pow(10, factor);
    const int decimals = (int)fmin(12, fmax(0, -floor(log10(step / over) + 1e-9)));
    const double first = ceil(scale->low / step - 1e-9);
    for (int i = 0; i < CAROM_MOST_TICKS; i++) {
        char text[CAROM_TICK_ROOM];
        const double value = (first + i) * step;
        if (value > scale->high + 1e-9 * step) break;
        // no "-0", and a minus as long as the plus would be
        const double shown = fabs(value) < 1e-9 * step ? 0 : value / over;
        snprintf(text, sizeof text, "%s%.*f", shown < 0 ? "−" : "", decimals, fabs(shown));
        add_tick(scale, value, false, text);
    }
    write_title(scale, axis, factor);
}

static void log_ticks(carom_scale *scale, const carom_axis *axis, int most)
{
    const int first = (int)floor(log10(scale->low) + 1e-9);
    const int last = (int)ceil(log10(scale->high) - 1e-9);
    const int every = (last - first) / (most > 1 ? most : 1) + 1;
    for (int n = first; n <= last; n++) {
        char text[CAROM_TICK_ROOM];
        const bool is_named = (n - first) % every == 0;
        write_power(n, text, sizeof text);
        for (int k = 1; k <= (every == 1 && last - first <= 6 ? 9 : 1); k++) {
            const double value = k * pow(10, n);
            const bool is_inside =
                value >= scale->low * (1 - 1e-9) && value <= scale->high * (1 + 1e-9);
            if (is_inside) add_tick(scale, value, k > 1, k == 1 && is_named ? text : "");
        }
    }
    write_title(scale, axis, 0);
}

// a range with room in it, whatever the data
static void widen(carom_scale *scale, const carom_axis *axis, carom_range_found found)
{
    const bool is_given = axis->low < axis->high && (!axis->is_log || axis->low > 0);
    double low = is_given ? axis->low : found.low, high = is_given ? axis->high : found.high;
    if (!(low <= high)) {
        low = axis->is_log ? 0.1 : 0;
        high = 1;
    }
    // numbers that differ by less than rounding are one number
    if (!axis->is_log && high - low <= 1e-12 * fmax(fabs(low), fabs(high))) {
        const double room = fmax(fabs(low), fabs(high)) > 0 ? 0.05 * fabs(high) : 1;
        low -= room;
        high += room;
    }
    if (axis->is_log && high / low < 1.5) {
        low /= 2;
        high *= 2;
    }
    scale->low = low;
    scale->high = high;
}

void carom_scale_make(carom_scale *scale, const carom_axis *axis, carom_range_found found,
                      const double pixels[2], double apart)
{
    *scale = (carom_scale){.is_log = axis->is_log, .from = pixels[0], .to = pixels[1]};
    widen(scale, axis, found);
    const double most = floor(fabs(scale->to - scale->from) / apart);
    if (axis->is_log)
        log_ticks(scale, axis, (int)fmin(most, 20));
    else
        linear_ticks(scale, axis, (int)fmax(2, fmin(most, 20)));
}

bool carom_axis_can_show(bool is_log, double value)
{
    return fabs(value) <= 1e300 && (!is_log || value > 0);
}

bool carom_scale_has(const carom_scale *scale, double value)
{
    return carom_axis_can_show(scale->is_log, value);
}

double carom_scale_pixel(const carom_scale *scale, double value)
{
    const double at = scale->is_log ? log(value / scale->low) / log(scale->high / scale->low)
                                    : (value - scale->low) / (scale->high - scale->low);
    // far outside it only matters on which side
    return scale->from + (scale->to - scale->from) * fmin(100, fmax(-100, at));
}

double carom_label_width(const char *text, double size)
{
    double width = 0;
    for (const char *c = text; *c; c++) {
        if (((unsigned char)*c & 0xc0) == 0x80) continue; // inside a character
        const bool is_narrow = strchr("iljtfI.,:;'|![]() ", *c) != NULL;
        const bool is_wide = strchr("mwMWQO@%", *c) != NULL;
        width += is_narrow ? 0.36 : is_wide ? 0.88 : 0.61;
    }
    return width * size;
}
