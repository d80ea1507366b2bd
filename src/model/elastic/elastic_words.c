// SPDX-License-Identifier: Apache-2.0
// Words of elastic bodies as numbers: all of them decide matrices, so that none can be live.
#include "model/elastic/elastic_making.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const carom_word_text *carom_elastic_word(const carom_elastic_making *m, const char *key)
{
    for (int i = 0; i < m->text->n_word; i++)
        if (strcmp(m->text->word[i].key.text, key) == 0) return &m->text->word[i];
    return NULL;
}

carom_status carom_elastic_refuse(const carom_elastic_making *m, const char *key,
                                  const char *format, ...)
{
    char why[300];
    const carom_word_text *word = carom_elastic_word(m, key);
    const carom_place place = !word         ? m->text->place
                              : word->n > 0 ? word->value[0].place
                                            : word->key.place;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    return carom_fail_at(m->making->error, place, CAROM_BAD_INPUT, "the elastic body '%.60s' %s",
                         m->text->name.text, why);
}

static carom_status read_number(const carom_elastic_making *m, carom_text text, const char *what,
                                double *value)
{
    CAROM_TRY(carom_making_number(m->making, text, what, value));
    if (isfinite(*value)) return CAROM_OK;
    return carom_fail_at(m->making->error, text.place, CAROM_BAD_INPUT, "%s is not finite", what);
}

carom_status carom_elastic_number(const carom_elastic_making *m, const char *key, double fallback,
                                  double *value)
{
    const carom_word_text *word = carom_elastic_word(m, key);
    *value = fallback;
    if (!word && isnan(fallback)) return carom_elastic_refuse(m, key, "needs '%s'", key);
    if (!word) return CAROM_OK;
    if (word->n != 1)
        return carom_elastic_refuse(m, key, "has one number for '%s', not %d", key, word->n);
    return read_number(m, word->value[0], "a number of an elastic body", value);
}

carom_status carom_elastic_size(const carom_elastic_making *m, const char *key, bool may_be_zero,
                                double fallback, double *value)
{
    CAROM_TRY(carom_elastic_number(m, key, fallback, value));
    if (*value > 0 || (may_be_zero && *value == 0)) return CAROM_OK;
    return carom_elastic_refuse(m, key, "needs '%s' %s, it is %g", key,
                                may_be_zero ? "0 or more" : "above 0", *value);
}

carom_status carom_elastic_vector(const carom_elastic_making *m, const char *key, double value[3])
{
    const carom_word_text *word = carom_elastic_word(m, key);
    value[0] = value[1] = value[2] = 0;
    if (!word) return CAROM_OK;
    if (word->n != m->dim)
        return carom_elastic_refuse(m, key, "lies in %s: '%s' has %d components there, not %d",
                                    m->dim == 2 ? "the plane" : "space", key, m->dim, word->n);
    for (int i = 0; i < word->n; i++)
        CAROM_TRY(read_number(m, word->value[i], "a vector of an elastic body", &value[i]));
    return CAROM_OK;
}
