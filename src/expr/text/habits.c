// SPDX-License-Identifier: Apache-2.0
// Habits as tables: names of functions and constants elsewhere, units, and marks of rates.
#include "expr/text/habits.h"

#include <stdio.h>
#include <string.h>

typedef struct habit {
    const char *name, *way_out;
} habit;

static const char RATE[] = "; the time derivative of x is der(x)";

static const habit functions[] = {
    {"diff", RATE},
    {"ddt", RATE},
    {"dt", RATE},
    {"dot", RATE},
    {"d", RATE},
    {"D", RATE},
    {"derivative", RATE},
    {"deriv", RATE},
    {"ln", "; the natural logarithm is log(x)"},
    {"log10", "; write log(x)/log(10)"},
    {"log2", "; write log(x)/log(2)"},
    {"pow", "; write a^b"},
    {"power", "; write a^b"},
    {"sqr", "; write x^2"},
    {"square", "; write x^2"},
    {"cbrt", "; write x^(1/3)"},
    {"sgn", "; write sign(x)"},
    {"signum", "; write sign(x)"},
    {"fabs", "; write abs(x)"},
    {"heaviside", "; write step(x)"},
    {"ceil", "; write -floor(-x)"},
    {"round", "; write floor(x + 0.5)"},
    {"norm", "; of numbers write norm([a, b]), or hypot(a, b)"},
    {"rad", "; angles are in radians; deg(30) is 30 degrees"},
    {"radians", "; angles are in radians; deg(30) is 30 degrees"},
    {"deg2rad", "; angles are in radians; deg(30) is 30 degrees"},
    {"degrees", "; angles are in radians; write x*180/pi for degrees"},
};

static const habit names_elsewhere[] = {
    {"time", "; the time is t"},
    {"T", "; the time is t"},
    {"Pi", "; write pi"},
    {"PI", "; write pi"},
    {"e", "; write exp(1), or exp(x)"},
    {"inf", "; write a large number"},
    {"true", "; write a comparison"},
    {"false", "; write a comparison"},
    {"slip_rate", "; it is known in 'friction' of contacts only"},
    {"arrival_speed", "; it is known in 'restitution' of contacts only"},
};

// factors to SI
static const struct {
    const char *name;
    double factor;
} units[] = {
    {"s", 1},     {"ms", 1e-3}, {"us", 1e-6}, {"m", 1},   {"mm", 1e-3},
    {"cm", 1e-2}, {"km", 1e3},  {"um", 1e-6}, {"kg", 1},  {"g", 1e-3},
    {"N", 1},     {"kN", 1e3},  {"mN", 1e-3}, {"Nm", 1},  {"J", 1},
    {"kJ", 1e3},  {"W", 1},     {"kW", 1e3},  {"Pa", 1},  {"MPa", 1e6},
    {"GPa", 1e9}, {"Hz", 1},    {"kHz", 1e3}, {"rad", 1}, {"mrad", 1e-3},
};

static const char *find_habit(const habit *row, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(row[i].name, name) == 0) return row[i].way_out;
    return NULL;
}

const char *carom_habit_function(const char *name)
{
    return find_habit(functions, sizeof functions / sizeof *functions, name);
}

const char *carom_habit_name(const char *name)
{
    return find_habit(names_elsewhere, sizeof names_elsewhere / sizeof *names_elsewhere, name);
}

const char *carom_habit_unit(const char *number, double value, const char *name, char *buffer,
                             size_t room)
{
    buffer[0] = 0;
    const bool is_angle = strcmp(name, "deg") == 0 || strcmp(name, "degrees") == 0;
    if (is_angle) snprintf(buffer, room, "; write deg(%.40s)", number);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(units[i].name, name) == 0)
            snprintf(
                buffer, room,
                "; write %.40s*%s, or %g if a unit is meant: numbers have none here, all is in "
                "m, kg, s, N, rad",
                number, name, value * units[i].factor);
    return buffer;
}

// the name without a mark in front or behind, into stem; false where it has none
static bool without_mark(const char *name, const char *mark, bool is_behind, char *stem,
                         size_t room)
{
    const size_t n = strlen(name), m = strlen(mark);
    if (n <= m || n - m >= room) return false;
    const char *at = is_behind ? name + n - m : name;
    if (memcmp(at, mark, m) != 0) return false;
    memcpy(stem, is_behind ? name : name + m, n - m);
    stem[n - m] = 0;
    return true;
}

const char *carom_habit_rate(const carom_names *names, const char *name, const int *index,
                             int n_index, char *buffer, size_t room)
{
    static const struct {
        const char *mark;
        bool is_behind, is_second;
    } row[] = {
        {"''", true, true},   {"'", true, false},    {"der_", false, false}, {"_ddot", true, true},
        {"ddot", true, true}, {"_dot", true, false}, {"dot", true, false},   {"dd", true, true},
        {"_dt", true, false}, {"dt", true, false},   {"_t", true, false},    {"_d", true, false},
        {"d", true, false},   {"_p", true, false},   {"p", true, false},     {"v_", false, false},
        {"v", false, false},  {"d_", false, false},  {"d", false, false},    {"dot_", false, false},
        {"u_", false, false}, {"vel_", false, false}};
    char stem[64];
    carom_ref ref;
    buffer[0] = 0;
    for (size_t i = 0; names->find && i < sizeof row / sizeof *row; i++) {
        if (!without_mark(name, row[i].mark, row[i].is_behind, stem, sizeof stem)) continue;
        if (!names->find(names->self, stem, index, n_index, &ref)) continue;
        const char *brackets = n_index > 0 ? "[...]" : "";
        if (row[i].is_second)
            snprintf(buffer, room, "; there are no second time derivatives, the first is der(%s%s)",
                     stem, brackets);
        else
            snprintf(buffer, room, "; the rate of '%s' is der(%s%s)", stem, stem, brackets);
        return buffer;
    }
    return buffer;
}
