// SPDX-License-Identifier: Apache-2.0
// The contact solvers: X(name) for each file of this folder, in the order in which they are listed.
// (no include guard: read with different meanings of X)
X(active_set)
X(admm)
X(anderson)
X(auto)
X(enumerate)
X(interior_point)
X(lemke)
X(newton)
X(nsgs)
X(pivot)
X(prox)
