// SPDX-License-Identifier: Apache-2.0
// The subcommands: X(name) for each, in the order in which `carom help` lists them.
// (no include guard: read with different meanings of X)
X(run)
X(check)
X(list)
X(compare)
X(converge)
X(equilibrium)
X(plot)
X(report)
X(reproduce)
X(export)
X(contact)
