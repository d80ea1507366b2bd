// SPDX-License-Identifier: Apache-2.0
// The contact solvers: X(name) for each file of this folder, in the order in which they are listed.
// (no include guard: read with different meanings of X)
X(auto)
X(enumerate)
X(lemke)
X(newton)
X(nsgs)
X(prox)
