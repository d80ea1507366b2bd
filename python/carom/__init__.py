# SPDX-License-Identifier: Apache-2.0
"""Carom: mechanical systems that hit, stick, slip and separate.

    import carom
    r = carom.Model.from_file("slider-crank").run()
    r["th1"], r.gaps, r.audit.energy_error

Models come from files (Model), from words in Python (Builder) or from functions (System). A Simulation is stepped by
hand. solve_contact solves contact problems; sweep, poincare, bif, frf and the other kinds of studies run a model many times.
"""
import keyword as _keyword
from typing import TYPE_CHECKING as _TYPE_CHECKING

from ._c import (CaromError, ContractError, FileError, InputError, NotConvergedError, NotFiniteError, OutOfMemoryError,
                 StoppedError, ffi, lib, string)
from ._choice import solver_names
from .model import Access, Contact, Model, Sizes, models
from .simulation import Simulation, State
from .result import Audit, Counts, Result, Times
from .figure import Figure
from .evaluation import Evaluation
from .system import Plain, Quaternion, System
from .builder import Builder
from .contact import Block, ContactSolution, solve_contact
from .scheme import ACCELERATION, CURVATURE, FORCES, GAPS, MASS, ROWS, Scheme
from .study import Table, kind_function, kinds, study

__version__ = string(lib.carom_version())


def schemes() -> list[str]:
    """The names of the time integrators."""
    return [string(lib.carom_scheme_at(i).name) for i in range(lib.carom_scheme_count())]


def solvers() -> list[str]:
    """The names of the contact solvers."""
    return solver_names()


for _kind in kinds():  # carom.sweep, carom.poincare, carom.bif, ...: those that this library has
    globals()[_kind + "_" * _keyword.iskeyword(_kind)] = kind_function(_kind)
del _kind

if _TYPE_CHECKING:
    from typing import Callable

    def __getattr__(name: str) -> Callable[..., Table]:
        raise AttributeError(name)
