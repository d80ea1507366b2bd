// SPDX-License-Identifier: Apache-2.0
// How a solve reaches the saver of contact problems.
#ifndef CAROM_CONTACT_FILES_SAVE_H
#define CAROM_CONTACT_FILES_SAVE_H

#include "carom/contact_file.h"

/// Keeps the guess P (n) of the solve that begins.
carom_status carom_saver_keep_guess(carom_contact_saver *saver, int n, const double *P,
                                    carom_error *error);
/// Writes the problem just solved where it is wanted.
carom_status carom_saver_offer_problem(carom_contact_saver *saver, const carom_problem *problem,
                                       const carom_contact_info *info, carom_error *error);
/// Goes on counting where an earlier run was.
void carom_saver_continue(carom_contact_saver *saver, long seen, long written);

#endif
