// SPDX-License-Identifier: Apache-2.0
// The force elements: X(name) for each file of this folder, in the order in which they are listed.
// (no include guard: read with different meanings of X)
X(spring)
X(bumper)
X(torsion)
X(bushing)
X(force)
X(torque)
X(dry_friction)
X(beam)
