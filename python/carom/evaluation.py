# SPDX-License-Identifier: Apache-2.0
"""What a model answers at a point (t, q, u), as NumPy arrays."""
from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ._c import Call, array_of, doubles, ffi, flat, lib

if TYPE_CHECKING:
    from .model import Model


@dataclass
class Evaluation:
    """Answers at one point: M u' = f + W' la, gaps and constraints, rates gamma = W u + w0."""

    t: float
    q: np.ndarray
    u: np.ndarray
    mass: np.ndarray  #: (nu, nu) M
    forces: np.ndarray  #: (nu) f
    constraints: np.ndarray  #: (n_constraint) values of the equations
    gaps: np.ndarray  #: (n_contact), +infinity where there is no contact
    rows: np.ndarray  #: (n_row, nu) W: first the constraints, then of each contact its normal and its tangents
    rates: np.ndarray  #: (n_row) w0, the part of the rates that does not depend on u
    kinetic: float
    potential: float


def mass_matrix(mass: Any, n: int) -> np.ndarray:
    """A carom_mass, dense."""
    return np.array([[lib.carom_mass_entry(mass, i, j) for j in range(n)] for i in range(n)]).reshape(n, n)


def dense(matrix: Any) -> np.ndarray:
    """A carom_sparse, dense."""
    full = np.zeros((matrix.n_row, matrix.n_column))
    for i in range(matrix.n_row):
        for k in range(matrix.start[i], matrix.start[i + 1]):
            full[i, matrix.index[k]] += matrix.value[k]
    return full


def evaluate(model: "Model", t: float, q: Any, u: Any) -> Evaluation:
    """Makes a program for this one answer: a simulation is faster for many."""
    size, call = lib.carom_model_sizes(model._model), Call()
    q = flat("q", model.start_q if q is None else q, size.nq)
    u = flat("u", model.start_u if u is None else u, size.nu)
    mask = lib.CAROM_MASS | lib.CAROM_FORCES | lib.CAROM_GAPS | lib.CAROM_ROWS | lib.CAROM_ENERGY
    made = ffi.new("carom_plan **")
    model._call(call, lib.carom_plan_new, model._model, ffi.new("unsigned[1]", [mask]), 1, made)
    plan = ffi.gc(made[0], lib.carom_plan_free)
    answer = lib.carom_plan_eval(plan)
    point = ffi.new("carom_point *", {"t": t, "q": doubles(q), "u": doubles(u)})
    model._call(call, lib.carom_model_eval, plan, point, mask, answer)
    return Evaluation(
        t, q.copy(), u.copy(), mass_matrix(answer.mass, size.nu), array_of(answer.f, size.nu, plan).copy(),
        array_of(answer.gaps.constraint, size.n_constraint, plan).copy(),
        array_of(answer.gaps.value, size.n_contact, plan).copy(),
        dense(answer.rows.W), array_of(answer.rows.w0, size.n_row, plan).copy(),
        answer.energy.kinetic, answer.energy.potential)
