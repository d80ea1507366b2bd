// SPDX-License-Identifier: Apache-2.0
// Section `beams`: chains of beam elements, written out as bodies and force elements.
#ifndef CAROM_MODELFILE_BEAMS_H
#define CAROM_MODELFILE_BEAMS_H

#include "modelfile/reader.h"

carom_section_reader carom_read_beams;

#endif
