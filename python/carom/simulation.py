# SPDX-License-Identifier: Apache-2.0
"""Simulations: a model in motion, stepped by hand or run to its end."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Callable, Mapping, NamedTuple

import numpy as np

from ._c import Call, InputError, Keep, array_of, doubles, ffi, flat, lib, number_text, string
from ._choice import Choice

if TYPE_CHECKING:
    from .model import Model
    from .result import Result

EVENT_KINDS = ("impact", "open", "close", "stick", "slip", "accumulated", "edge")
_REACHED = {lib.CAROM_REACHED_END: "end", lib.CAROM_REACHED_TIME: "time", lib.CAROM_REACHED_EVENT: "event",
            lib.CAROM_REACHED_CROSSING: "crossing"}
_CROSSINGS = {None: 0, "up": 1, "down": -1, "both": 2}


class State(NamedTuple):
    """Where a motion is: copies, which stay as they are."""

    t: float
    q: np.ndarray
    u: np.ndarray


class _Watch:
    """Called by the library twenty times a second while it runs; looks for Ctrl-C, and for what the caller wants."""

    def __init__(self, progress: Callable[[float, float, int], Any] | None):
        self.progress, self.raised = progress, None


def _interrupted(kind: Any, value: BaseException, trace: Any) -> bool:
    """A signal came before the first line of the function below."""
    if trace is not None and "handle" in trace.tb_frame.f_locals:
        ffi.from_handle(trace.tb_frame.f_locals["handle"]).raised = value
    return True


@ffi.def_extern(error=True, onerror=_interrupted)
def carom_py_tick(handle: Any, t: float, end: float, steps: int) -> bool:
    """What carom_watch calls. Signals are seen here, because Python is running again."""
    watch = ffi.from_handle(handle)
    try:
        return bool(watch.progress(t, end, steps)) if watch.progress else False
    except BaseException as why:  # Ctrl-C too: it is raised again when the library has returned
        watch.raised = why
        return True


class Simulation:
    """Owns all that changes in a motion. Options as those of Model.run; step and end must be known.

    q, u and P are views of the library's own memory: what they show is the state now, and until the next step. Ask
    for them again after a step, or copy them. A simulation is used by one thread at a time; others run beside it,
    because the library runs without Python's lock.
    """

    def __init__(self, model: "Model", *, record: bool = False,
                 progress: Callable[[float, float, int], Any] | None = None, **options: Any):
        self.model = model
        self._choice = Choice(model, options)
        self._choice.check()
        self._call, made = Call(), ffi.new("carom_sim **")
        self._busy = False
        self._changes, self._c_model = model._change_lines(), model._model
        model._call(self._call, lib.carom_sim_new, model._model, self._choice.options, made)
        self._sim = ffi.gc(made[0], lib.carom_sim_free)
        self._state = lib.carom_sim_state(self._sim)
        self._size = lib.carom_model_sizes(model._model)
        self._views: dict[int, np.ndarray] = {}
        self._gaps = np.zeros(self._size.n_contact)
        self._error, self._step = self._call.error, lib.carom_sim_step
        self._log: Any = None
        if record:
            self._log = ffi.gc(lib.carom_py_log_new(), lib.carom_py_log_free)
            self._call(lib.carom_py_log_record, self._log, self._sim)
        self._watch = _Watch(progress)
        self._handle = ffi.new_handle(self._watch)
        lib.carom_sim_set_watch(self._sim, ffi.new("carom_watch *", [self._handle, lib.carom_py_tick])[0])

    # ---- going on ----

    def _enter(self) -> None:
        if self._busy:
            raise RuntimeError("this simulation is running already, in another thread or in a callback")
        self._busy = True

    def _calling(self, function: Any, *arguments: Any) -> None:
        self._enter()
        try:
            self.model._call(self._call, function, *arguments)
        finally:
            self._busy = False

    def _raise_watched(self) -> None:
        raised, self._watch.raised = self._watch.raised, None
        if raised is not None:
            raise raised

    def step(self, n: int = 1) -> None:
        """Takes a step, or n of them; stops at the end. On failure the state is that before the step that failed."""
        if self._busy:
            self._enter()
        self._busy = True
        try:
            if n == 1:
                if self._step(self._sim, self._error):
                    self._fail()
            elif lib.carom_py_steps(self._sim, n, self._error):
                self._fail()
        finally:
            self._busy = False

    def _fail(self) -> None:
        self.model._raise_if_raised()
        self._raise_scheme()
        raise self._call.failure(self._error.status)

    def _raise_scheme(self) -> None:
        scheme = next((kept for kept in self._choice.keep._kept if hasattr(kept, "_raise_if_raised")), None)
        if scheme is not None:
            scheme._raise_if_raised()

    def run(self) -> "Result":
        """Runs to the end. A run that stops on its way returns what there is, and says why (Result.message)."""
        from .result import Result

        self._enter()
        try:
            status = lib.carom_sim_run(self._sim, self._error)
        finally:
            self._busy = False
        failure = None
        if status:
            failure = self._call.failure(status)
            self.model._raise_if_raised()
            self._raise_scheme()
            self._raise_watched()
        return Result(self, failure)

    def run_until(self, t: float | None = None, event: str | None = None, contact: str | int | None = None,
                  crossing: str | None = None) -> str:
        """Steps until the first of: a time, an event ("impact", ... or "any") of a contact, a crossing of the section.

        Returns what was reached: "time", "event", "crossing", or "end". No row is cut: the run goes on.
        """
        stop = ffi.new("carom_stop *", lib.carom_stop_default())
        if t is not None:
            stop.t = t
        if event is not None or contact is not None:
            stop.events = self._event_bits(event or "any")
        if contact is not None:
            stop.contact = self._contact(contact)
        if crossing not in _CROSSINGS:
            raise InputError(f"a crossing is up, down or both, not {crossing!r}")
        stop.crossing = _CROSSINGS[crossing]
        reached = ffi.new("carom_reached *")
        try:
            self._calling(lib.carom_sim_run_until, self._sim, stop, reached)
        except Exception:
            self._raise_scheme()
            self._raise_watched()
            raise
        return _REACHED[reached[0]]

    @staticmethod
    def _event_bits(event: str) -> int:
        if event == "any":
            return (1 << len(EVENT_KINDS)) - 1
        if event not in EVENT_KINDS:
            raise InputError(f"there is no event '{event}': {', '.join(EVENT_KINDS)}, any")
        return 1 << EVENT_KINDS.index(event)

    def _contact(self, contact: str | int) -> int:
        names = [c.name for c in self.model.contacts]
        if isinstance(contact, str):
            if contact not in names:
                raise InputError(f"there is no contact '{contact}': {', '.join(names) or 'the model has none'}")
            return names.index(contact)
        if not 0 <= contact < len(names):
            raise InputError(f"there is no contact number {contact}: the model has {len(names)}")
        return contact

    # ---- the state ----

    def _view(self, pointer: Any, n: int) -> np.ndarray:
        address = int(ffi.cast("uintptr_t", pointer))
        view = self._views.get(address)
        if view is None:
            view = self._views[address] = array_of(pointer, n, self._sim)
        return view

    @property
    def t(self) -> float:
        """The time [s]."""
        return self._state.t

    @property
    def q(self) -> np.ndarray:
        """(nq) positions now: a view."""
        return self._view(self._state.q, self._size.nq)

    @property
    def u(self) -> np.ndarray:
        """(nu) velocities now: a view."""
        return self._view(self._state.u, self._size.nu)

    @property
    def P(self) -> np.ndarray:
        """(n_row) impulses of the last step [N s]: a view. First the constraints, then of each contact its rows."""
        return self._view(self._state.P, self._size.n_row)

    @property
    def la(self) -> np.ndarray:
        """(n_row) forces at the end of the last step [N]: a view; 0 where the scheme has none."""
        return self._view(self._state.la, self._size.n_row)

    @property
    def gaps(self) -> np.ndarray:
        """(n_contact) gaps now [m]. One array, into which the library writes each time it is asked for."""
        audit = ffi.new("carom_audit *")
        self._calling(lib.carom_sim_audit, self._sim, audit, doubles(self._gaps) if self._gaps.size else ffi.NULL)
        return self._gaps

    @property
    def state(self) -> State:
        """Where it is, as copies. May be set: the run starts again from there, to the same end."""
        return State(self.t, self.q.copy(), self.u.copy())

    @state.setter
    def state(self, state: State | tuple[float, Any, Any]) -> None:
        self.start_from(*state)

    def start_from(self, t: float, q: Any, u: Any, **live: Any) -> None:
        """Starts again from a state, with new values of live parameters. What the scheme remembers is new."""
        self._begin_again()
        keep = Keep()
        positions, velocities = flat("q", q, self._size.nq).copy(), flat("u", u, self._size.nu).copy()
        moment = ffi.new("carom_moment *", [t, keep.doubles(positions), keep.doubles(velocities)])
        values, n = self._live(live, keep)
        self._calling(lib.carom_sim_start_from, self._sim, moment, values, n)

    def _begin_again(self) -> None:
        if self._log is not None and self.t > 0:
            raise InputError("a simulation that has recorded rows starts no second time: make a new one")

    def _live(self, values: Mapping[str, Any], keep: Keep) -> tuple[Any, int]:
        rows = [[keep.chars(name), float(self.model._number(name, number_text(value)))] for name, value in values.items()]
        return keep.hold(ffi.new("carom_parameter[]", rows or 1)), len(rows)

    def set(self, values: Mapping[str, Any] | None = None, /, **parameters: Any) -> None:
        """New values of live parameters (Model.live), all at once; the run starts again at t = 0."""
        self._begin_again()
        keep = Keep()
        rows, n = self._live({**(values or {}), **parameters}, keep)
        self._calling(lib.carom_sim_set_parameters, self._sim, rows, n)

    def parameter(self, name: str) -> float:
        """The value of a live parameter."""
        value = lib.carom_sim_parameter(self._sim, Keep().chars(name))
        if value != value:
            raise InputError(f"the model has no live parameter '{name}' (Model.live makes them)")
        return value

    def reset(self) -> None:
        """Starts again at t = 0, with nothing counted."""
        self._begin_again()
        self._calling(lib.carom_sim_reset, self._sim)

    @property
    def end(self) -> float:
        """The end of the run [s]; may be moved."""
        return self._choice.options.end

    @end.setter
    def end(self, end: float) -> None:
        self._calling(lib.carom_sim_set_end, self._sim, end)
        self._choice.options.end = end

    @property
    def is_done(self) -> bool:
        """Whether the end is reached."""
        return bool(lib.carom_sim_is_done(self._sim))

    def checkpoint(self, path: str | os.PathLike[str]) -> None:
        """Writes all that the continuation depends on."""
        self._calling(lib.carom_sim_checkpoint, self._sim, Keep().chars(path))

    def restart(self, path: str | os.PathLike[str]) -> None:
        """Goes on from a checkpoint, bit for bit; model, scheme, options and step must be those that wrote it."""
        self._calling(lib.carom_sim_restart, self._sim, Keep().chars(path))

    # ---- what is known of it ----

    @property
    def columns(self) -> list[str]:
        """The names of what a row holds."""
        return [string(lib.carom_sim_column(self._sim, i).name) for i in range(lib.carom_sim_n_column(self._sim))]

    def row(self) -> dict[str, float]:
        """All columns now, with impulses 0."""
        value = np.zeros(lib.carom_sim_n_column(self._sim))
        self._calling(lib.carom_sim_row, self._sim, self._state, doubles(value))
        return dict(zip(self.columns, value.tolist()))

    def reaction(self, joint: str) -> np.ndarray:
        """(6) force [N] and torque [N m] of a joint on its second body: Fx, Fy, Fz, Tx, Ty, Tz."""
        number = lib.carom_model_joint(self._c_model, Keep().chars(joint))
        if number < 0:
            raise InputError(f"there is no joint '{joint}' that holds a body by constraints")
        wrench = np.zeros(6)
        self._calling(lib.carom_sim_reaction, self._sim, number, doubles(wrench))
        return wrench

    @property
    def scheme(self) -> str:
        """The time integrator."""
        return string(lib.carom_sim_scheme(self._sim))

    @property
    def solver(self) -> str:
        """The contact solver."""
        return string(lib.carom_sim_solver(self._sim))

    @property
    def is_native(self) -> bool:
        """Whether the equations are compiled."""
        return bool(lib.carom_sim_native(self._sim, ffi.NULL))

    def __repr__(self) -> str:
        return f"<carom.Simulation of {self.model.name} by {self.scheme}: t = {self.t:g} of {self.end:g}>"
