#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# 150 000 random pairs of shapes in space against exact references, where the quick test takes 20 000.
# label: slow
set -eu
CAROM_PAIRS=150000 "$(dirname "$1")/test/shapes_solid_pairs"
