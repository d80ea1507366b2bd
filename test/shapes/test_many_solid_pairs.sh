#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A million random pairs of shapes in space against exact references, where the quick test takes
# 20 000, and more of a box and a cylinder, whose prism overlaps otherwise than the round body.
# label: slow
set -eu
CAROM_PAIRS=1000000 "$(dirname "$1")/test/shapes_solid_pairs"
CAROM_PAIRS=20000 CAROM_KINDS=box,cylinder "$(dirname "$1")/test/shapes_solid_pairs"
