// SPDX-License-Identifier: Apache-2.0
// A saver of contact problems as checkpoints see it.
#ifndef CAROM_CONTACT_FILES_SAVE_H
#define CAROM_CONTACT_FILES_SAVE_H

#include "carom/contact_file.h"

/// Goes on counting where an earlier run was.
void carom_saver_continue(carom_contact_saver *saver, long seen, long written);

#endif
