// SPDX-License-Identifier: Apache-2.0
// The kinds of studies, studies/kinds/<name>.c: X(name) for each, in the order in which they are
// listed. (no include guard: read with different meanings of X)
X(sweep)
X(poincare)
X(bif)
X(frf)
X(orbit)
X(sensitivity)
X(lyap)
X(continue)
X(basin)
