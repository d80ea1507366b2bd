# SPDX-License-Identifier: Apache-2.0
"""Contact problems as values: xi = G P + b with the laws of contact, friction and constraints between xi and P."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Mapping, NamedTuple, Sequence

import numpy as np

from ._c import Call, InputError, Keep, doubles, ffi, flat, lib, string


class Block(NamedTuple):
    """Rows that belong together: a contact (dim 1, 2 or 3, its normal first), or a bilateral group.

    radius makes a bilateral block a disc, |P| <= radius; lower is the part of a normal impulse that is given.
    """

    dim: int
    mu: float = 0.0
    is_bilateral: bool = False
    radius: float | None = None
    lower: float = 0.0


@dataclass(frozen=True)
class ContactSolution:
    """What a solve came to. residual is computed from (problem, P) alone, and does not depend on units."""

    P: np.ndarray
    xi: np.ndarray
    converged: bool
    residual: float
    iterations: int
    solver: str
    outcome: str  #: "solved", "best found", "no solution"


_OUTCOMES = {lib.CAROM_CONTACT_SOLVED: "solved", lib.CAROM_CONTACT_BEST_FOUND: "best found",
             lib.CAROM_CONTACT_NO_SOLUTION: "no solution"}


def _matrix(G: Any, n: int, keep: Keep) -> dict[str, Any]:
    """carom_matrix of a dense array, or of anything that can say tocsr (scipy.sparse)."""
    if not hasattr(G, "tocsr"):
        full = np.asarray(G, dtype=np.float64)
        if full.shape != (n, n):
            raise InputError(f"G must be a square matrix of {n} rows, as b has them, not {full.shape}")
        if not np.isfinite(full).all():
            raise InputError("G has numbers that are not finite")
        return {"n": n, "dense": keep.doubles(full.T)}  # column by column
    if G.shape != (n, n):
        raise InputError(f"G must be a square matrix of {n} rows, as b has them, not {G.shape}")
    rows = G.tocsr(copy=True)
    rows.sum_duplicates()
    if not np.isfinite(rows.data).all():
        raise InputError("G has numbers that are not finite")
    return {"n": n, **_with_diagonal(rows, n, keep)}


def _with_diagonal(rows: Any, n: int, keep: Keep) -> dict[str, Any]:
    """Sorted rows in which all diagonal entries are present, be they 0."""
    row = np.repeat(np.arange(n), np.diff(rows.indptr))
    has = np.zeros(n, bool)
    has[row[row == rows.indices]] = True
    more = np.flatnonzero(~has)
    row, column = np.concatenate([row, more]), np.concatenate([rows.indices, more])
    value = np.concatenate([rows.data.astype(np.float64), np.zeros(more.size)])
    order = np.lexsort((column, row))
    start = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=n))])
    return {"start": _ints(start, keep), "index": _ints(column[order], keep), "value": keep.doubles(value[order])}


def _ints(values: np.ndarray, keep: Keep) -> Any:
    block = keep.hold(np.ascontiguousarray(values if values.size else [0], dtype=np.int32))
    return ffi.cast("int *", block.ctypes.data)


def _blocks(blocks: Sequence[Block], keep: Keep) -> Any:
    rows, first = [], 0
    for number, block in enumerate(blocks):
        is_bilateral = block.is_bilateral or block.radius is not None
        rows.append({"first": first, "dim": block.dim, "is_bilateral": is_bilateral, "mu": block.mu, "id": number,
                     "is_limited": block.radius is not None, "radius": block.radius or 0.0, "lower": block.lower})
        first += block.dim
    return keep.array("carom_block", rows), first


def _default_blocks(n: int, dim: int, mu: Any) -> list[Block]:
    if dim not in (1, 2, 3) or n % dim:
        raise InputError(f"{n} rows are no contacts of dimension {dim}")
    frictions = np.broadcast_to(np.asarray(mu, dtype=np.float64), (n // dim,))
    return [Block(dim, float(one)) for one in frictions]


def _solve(problem: Any, n: int, P: np.ndarray, solver: str, options: Mapping[str, Any] | None) -> Any:
    call, keep, made, info = Call(), Keep(), ffi.new("carom_contact_solver **"), ffi.new("carom_contact_info *")
    settings, n_setting = keep.settings(dict(options or {}), "option")
    call(lib.carom_contact_solver_new, keep.chars(solver), settings, n_setting, n, made)
    solver_c = ffi.gc(made[0], lib.carom_contact_solver_free)
    call(lib.carom_contact_solve, solver_c, problem, doubles(P), info)
    return info


def solve_contact(G: Any, b: Any, mu: Any = 0.0, dim: int = 1, *, blocks: Sequence[Block] | None = None,
                  solver: str = "auto", guess: Any = None, options: Mapping[str, Any] | None = None) -> ContactSolution:
    """Solves xi = G P + b, 0 <= xi_N _|_ P_N >= 0, and Coulomb friction with mu for contacts of dimension 2 or 3.

    G: (n, n) dense or scipy.sparse; b: (n), restitution is already in it. mu is one number or one for each contact;
    instead of mu and dim, blocks say what each group of rows is (Block). solver: a name of carom.solvers(); guess:
    where it starts. Not to converge is an answer, not an error: look at converged and residual.
    """
    keep = Keep()
    b = np.ascontiguousarray(b, dtype=np.float64).reshape(-1)
    n = b.size
    if not np.isfinite(b).all():
        raise InputError("b has numbers that are not finite")
    rows, covered = _blocks(_default_blocks(n, dim, mu) if blocks is None else blocks, keep)
    if covered != n:
        raise InputError(f"the blocks have {covered} rows, and b has {n}")
    problem = ffi.new("carom_problem *", {"n_row": n, "n_block": len(rows) if n else 0, "block": rows,
                                          "G": _matrix(G, n, keep), "b": keep.doubles(b)})
    P = np.zeros(n) if guess is None else flat("guess", guess, n).copy()
    info = _solve(problem, n, P, solver, options)
    xi = np.asarray(G @ P).reshape(-1) + b if n else b.copy()
    return ContactSolution(P, xi, bool(info.is_converged), info.residual, info.iterations, string(info.solver),
                           _OUTCOMES[info.outcome])

