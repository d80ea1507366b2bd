// SPDX-License-Identifier: Apache-2.0
// What motors and dry friction bring: rows on velocity level only, and forces of limited strength.
#ifndef CAROM_MODEL_RUB_H
#define CAROM_MODEL_RUB_H

#include "model/bodies/fitting.h"

/// A row of rates that is to be kept at zero.
carom_status carom_rub_row(carom_fitting *fitting, const char *suffix, carom_ref rate);
/// A force of at most limit against up to three slip rates.
carom_status carom_rub_disc(carom_fitting *fitting, const char *suffix, const carom_ref *rate,
                            int n_slip, carom_ref limit);
/// The most that a word (torque, force, ...) allows: a text of positions and time.
carom_status carom_rub_limit(carom_fitting *fitting, const char *key, carom_ref *limit);

/// Friction of a joint, called where its rows have just been woven: what the n rows from the last
/// but `back` on press with, times the factor, opposes the rate of free. Nothing where the word
/// `friction` is absent.
carom_status carom_rub_loaded(carom_fitting *fitting, const char *suffix, carom_ref free,
                              carom_ref factor, int back, int n);
/// Friction of a pin that the last n rows hold: friction, pin_radius.
carom_status carom_rub_pin(carom_fitting *fitting, carom_ref angle, int n);
/// Friction of a slide whose last two rows are a force and a moment: friction, half_length.
carom_status carom_rub_slide(carom_fitting *fitting, carom_ref displacement);

#define CAROM_WORDS_OF_PINS                                                                        \
    {"friction", "friction: 0.1", "dry, under what the joint holds; with"},                        \
    {                                                                                              \
        "pin_radius", "pin_radius: 0.002", "the radius that it acts at [m]"                        \
    }
#define CAROM_WORDS_OF_SLIDES                                                                      \
    {"friction", "friction: 0.1", "dry, under the force across the axis; and where given"},        \
    {                                                                                              \
        "half_length", "half_length: 0.02", "of the guide [m]: under the moment over it, too"      \
    }

#endif
