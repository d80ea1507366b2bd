#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A million random pairs of plane shapes against brute force, where the quick test takes 20 000.
# label: slow
set -eu
CAROM_PAIRS=1000000 "$(dirname "$1")/test/shapes_flat_pairs"
