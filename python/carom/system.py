# SPDX-License-Identifier: Apache-2.0
"""Models from functions: a class with mass, forces, gaps and rows, written with NumPy.

    class Ball(carom.System):
        q0, u0 = [1.0], [0.0]
        contacts = [carom.Contact("floor", restitution=0.8)]
        def mass(self, t, q): return [[1.0]]
        def forces(self, t, q, u): return [-9.81]
        def gaps(self, t, q): return [q[0]]
        def rows(self, t, q): return [[1.0]]
"""
from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, NamedTuple, Sequence

import numpy as np

from ._c import Call, InputError, Keep, Place, array_of, ffi, lib
from ._choice import RunTexts
from .model import Access, Contact, Model


class Plain(NamedTuple):
    """n positions whose rates are n velocities."""

    n: int


class Quaternion(NamedTuple):
    """The orientation of a body: 4 positions (w, x, y, z), and 3 velocities, its spin in axes of the body.

    inertia: xx, yy, zz, xy, xz, yz, where the forces have -omega x (J omega); see docs/models-in-c.md.
    """

    inertia: Sequence[float] = ()


class _Bridge:
    """What the library holds of a system: not the system itself, which would never be freed."""

    def __init__(self, system: "System"):
        self.system, self.nq, self.nu = system, len(system.q0), len(system.u0)
        self.n_constraint, self.n_contact = len(system.constraint_names), len(system.contacts)
        self.n_row = self.n_constraint + sum(1 + c.n_slip for c in system.contacts)
        self.raised: dict[int, BaseException] = {}

    def read(self, pointer: Any, n: int) -> np.ndarray:
        """A copy: callers may keep what they are given."""
        return np.frombuffer(ffi.buffer(pointer, 8 * n)).copy() if n else np.zeros(0)

    def write(self, what: str, pointer: Any, value: Any, shape: tuple[int, ...]) -> None:
        block = np.asarray(value, dtype=np.float64)
        if block.shape != shape:
            if block.size != int(np.prod(shape)) or (block.ndim > 1 and len(shape) > 1):
                raise InputError(f"{type(self.system).__name__}.{what} gave an array of shape {block.shape}, not {shape}")
            block = block.reshape(shape)
        if block.size and pointer:
            ffi.memmove(pointer, np.ascontiguousarray(block).tobytes(), 8 * block.size)

    def note(self, why: BaseException) -> int:
        self.raised.setdefault(threading.get_ident(), why)
        return 1


def _interrupted(kind: Any, value: BaseException, trace: Any) -> int:
    """A signal came before the first line of a function below, or behind its last."""
    if trace is not None and "user" in trace.tb_frame.f_locals:
        ffi.from_handle(trace.tb_frame.f_locals["user"]).note(value)
    return 1


def _answer(user: Any, give: Any) -> int:
    bridge = ffi.from_handle(user)
    try:
        give(bridge, bridge.system)
    except BaseException as why:  # it is raised again, with its traceback, when the library has returned
        return bridge.note(why)
    return 0


@ffi.def_extern(error=1, onerror=_interrupted)
def carom_py_mass(user: Any, t: float, q: Any, M: Any) -> int:
    return _answer(user, lambda b, s: b.write("mass", M, s.mass(t, b.read(q, b.nq)), (b.nu, b.nu)))


@ffi.def_extern(error=1, onerror=_interrupted)
def carom_py_forces(user: Any, t: float, q: Any, u: Any, f: Any) -> int:
    return _answer(user, lambda b, s: b.write("forces", f, s.forces(t, b.read(q, b.nq), b.read(u, b.nu)), (b.nu,)))


@ffi.def_extern(error=1, onerror=_interrupted)
def carom_py_gaps(user: Any, t: float, q: Any, constraint: Any, gap: Any) -> int:
    def give(b: _Bridge, s: "System") -> None:
        given = s.gaps(t, b.read(q, b.nq))
        values, gaps = given if isinstance(given, tuple) else ((), given) if b.n_contact else (given, ())
        b.write("gaps (the constraints)", constraint, values, (b.n_constraint,))
        b.write("gaps", gap, gaps, (b.n_contact,))

    return _answer(user, give)


@ffi.def_extern(error=1, onerror=_interrupted)
def carom_py_rows(user: Any, t: float, q: Any, W: Any, w0: Any) -> int:
    def give(b: _Bridge, s: "System") -> None:
        given = s.rows(t, b.read(q, b.nq))
        rows, rates = given if isinstance(given, tuple) else (given, np.zeros(b.n_row))
        b.write("rows", W, rows, (b.n_row, b.nu))
        b.write("rows (w0)", w0, rates, (b.n_row,))

    return _answer(user, give)


@ffi.def_extern(error=1, onerror=_interrupted)
def carom_py_potential(user: Any, t: float, q: Any, V: Any) -> int:
    return _answer(user, lambda b, s: b.write("potential", V, s.potential(t, b.read(q, b.nq)), (1,)))


@ffi.def_extern(error=1, onerror=_interrupted)
def carom_py_power(user: Any, t: float, q: Any, u: Any, p: Any) -> int:
    return _answer(user, lambda b, s: b.write("power", p, s.power(t, b.read(q, b.nq), b.read(u, b.nu)), (1,)))


@ffi.def_extern(error=1, onerror=_interrupted)
def carom_py_d_forces(user: Any, t: float, q: Any, u: Any, df_dq: Any, df_du: Any) -> int:
    def give(b: _Bridge, s: "System") -> None:
        by_q, by_u = s.d_forces(t, b.read(q, b.nq), b.read(u, b.nu))
        b.write("d_forces (by q)", df_dq, by_q, (b.nu, b.nu))
        b.write("d_forces (by u)", df_du, by_u, (b.nu, b.nu))

    return _answer(user, give)


class System(Model):
    """A model of functions. A class gives attributes and methods; what it does not give has no place in the model.

    Attributes: q0, u0 (the start); coordinate_names, velocity_names; contacts (carom.Contact); constraint_names;
    mass_is_constant; positions: a list of Plain and Quaternion where positions are not velocities integrated.

    Methods: mass(t, q) -> (nu, nu); forces(t, q, u) -> (nu); and where there are contacts or constraints gaps(t, q)
    -> gaps, or (constraints, gaps), and rows(t, q) -> W (n_row, nu), or (W, w0): first the constraints, then of each
    contact its normal and its slips. Optional: potential(t, q), power(t, q, u), d_forces(t, q, u) -> (df_dq, df_du).

    What a method raises is raised by whoever asked, with its traceback. Methods are called by the thread that runs.
    """

    if TYPE_CHECKING:  # what a class may give; those that it does not give are not there

        def mass(self, t: float, q: np.ndarray) -> Any: ...
        def forces(self, t: float, q: np.ndarray, u: np.ndarray) -> Any: ...
        def gaps(self, t: float, q: np.ndarray) -> Any: ...
        def rows(self, t: float, q: np.ndarray) -> Any: ...
        def potential(self, t: float, q: np.ndarray) -> Any: ...
        def power(self, t: float, q: np.ndarray, u: np.ndarray) -> Any: ...
        def d_forces(self, t: float, q: np.ndarray, u: np.ndarray) -> Any: ...

    q0: Sequence[float] = ()
    u0: Sequence[float] = ()
    contacts: Sequence[Contact] = ()  # type: ignore[assignment]
    constraint_names: Sequence[str] = ()
    coordinate_names: Sequence[str] = ()
    velocity_names: Sequence[str] = ()
    mass_is_constant = False
    positions: Sequence[Plain | Quaternion] = ()

    def __init__(self) -> None:
        self._path, self._text_given, self._access = type(self).__name__, None, Access()
        self._file, self._run_texts = None, RunTexts()
        self._changes = []
        bridge = _Bridge(self)
        self._check(bridge)
        call, made = Call(), ffi.new("carom_model **")
        self._bridge = bridge
        self._handle = ffi.new_handle(bridge)
        self._call(call, lib.carom_model_from_callbacks, self._callbacks(bridge), made)
        self._model = ffi.gc(made[0], lib.carom_model_free)

    def _check(self, b: _Bridge) -> None:
        name = type(self).__name__
        needed = ["mass", "forces"] + (["gaps", "rows"] if b.n_row else [])
        missing = [method for method in needed if not callable(getattr(self, method, None))]
        if missing:
            raise InputError(f"{name} has no method {', '.join(missing)}")
        if b.nu == 0:
            raise InputError(f"{name} has no velocities: give q0 and u0")
        if not self.positions and b.nq != b.nu:
            raise InputError(f"{name} has {b.nq} positions and {b.nu} velocities: say in positions how they belong together")

    def _names(self, keep: Keep, names: Sequence[str], n: int, what: str) -> Any:
        if not names:
            return ffi.NULL
        if len(names) != n:
            raise InputError(f"{type(self).__name__} has {n} {what}, but {len(names)} names for them")
        return keep.array("char *", [keep.chars(name) for name in names])

    def _parts(self, keep: Keep) -> Any:
        rows, q, u = [], 0, 0
        for part in self.positions:
            if isinstance(part, Plain):
                rows.append({"kind": lib.CAROM_CHART_PLAIN, "q": q, "u": u, "n": part.n})
                q, u = q + part.n, u + part.n
            else:
                inertia = list(part.inertia) + [0.0] * (6 - len(part.inertia))
                rows.append({"kind": lib.CAROM_CHART_QUATERNION, "q": q, "u": u, "inertia": inertia})
                q, u = q + 4, u + 3
        return {"part": keep.array("carom_chart_part", rows), "n_part": len(rows)}

    def _callbacks(self, b: _Bridge) -> Any:
        keep = self._keep = Keep()
        has = lambda name: callable(getattr(self, name, None))  # noqa: E731
        facts = [{"name": keep.chars(c.name), "n_slip": c.n_slip, "e": c.restitution, "e_t": c.tangential_restitution,
                  "mu": c.friction} for c in self.contacts]
        functions = {name: getattr(lib, f"carom_py_{name}") if has(name) else ffi.NULL
                     for name in ("mass", "forces", "gaps", "rows", "potential", "power", "d_forces")}
        return keep.hold(ffi.new("carom_callbacks *", {
            "user": self._handle, "name": keep.chars(type(self).__name__), "n": b.nu, "n_constraint": b.n_constraint,
            "n_contact": b.n_contact,
            "coordinate_name": self._names(keep, self.coordinate_names, b.nq, "positions"),
            "velocity_name": self._names(keep, self.velocity_names, b.nu, "velocities"),
            "constraint_name": self._names(keep, self.constraint_names, b.n_constraint, "constraints"),
            "contact": keep.array("carom_contact_facts", facts), "q0": keep.doubles(self.q0), "u0": keep.doubles(self.u0),
            "mass_is_constant": self.mass_is_constant, "n_position": b.nq if self.positions else 0,
            **({"positions": self._parts(keep)} if self.positions else {}), **functions}))

    def _raise_if_raised(self) -> None:
        why = self._bridge.raised.pop(threading.get_ident(), None)
        if why is not None:
            raise why

    def _make(self, more: list[tuple[str, str, str]]) -> None:
        raise InputError("a model of functions has no parameters to set: give attributes to its class, and make a new one")

    def _number(self, place: Place | str, text: str) -> float:
        try:
            return float(text)
        except ValueError:
            raise InputError(f"{place}: a model of functions takes numbers, not {text!r}") from None
