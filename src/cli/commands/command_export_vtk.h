// SPDX-License-Identifier: Apache-2.0
// carom export of results: surfaces for ParaView.
#ifndef CAROM_CLI_COMMAND_EXPORT_VTK_H
#define CAROM_CLI_COMMAND_EXPORT_VTK_H

#include "arguments.h"

/// Whether the words ask for it: results are given, or a file of VTK is wanted.
bool carom_export_wants_vtk(const carom_arguments *arguments);
int carom_export_vtk(const carom_arguments *arguments);

#endif
