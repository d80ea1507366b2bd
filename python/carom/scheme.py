# SPDX-License-Identifier: Apache-2.0
"""Own time integrators in Python, to study them: some hundred times slower than in C (docs/extending.md).

    class SemiImplicitEuler(carom.Scheme):
        masks = (carom.MASS | carom.FORCES | carom.GAPS | carom.ROWS,)
        def step(self, s, now):
            ev = s.evaluate(now.t, now.q, now.u, self.masks[0])
            u = s.free_velocity(ev, now.u, s.h)
            u, P = s.contact(ev, now.u, u, active=ev.gaps <= 0)
            return s.state(now.t + s.h, s.move(now.q, u, s.h), u, P)

    model.run(scheme=SemiImplicitEuler(), step=1e-4, end=1)
"""
from __future__ import annotations

import threading
from typing import Any, Sequence

import numpy as np

from ._c import InputError, Keep, array_of, doubles, ffi, flat, lib
from .evaluation import dense, mass_matrix

MASS, FORCES, GAPS, ROWS = lib.CAROM_MASS, lib.CAROM_FORCES, lib.CAROM_GAPS, lib.CAROM_ROWS
CURVATURE, ACCELERATION = lib.CAROM_CURVATURE, lib.CAROM_ACCELERATION


class _Refused(Exception):
    """A call of the library inside of a step failed: its message is in the step already."""

    def __init__(self, status: int):
        super().__init__(status)
        self.status = status


class Answers:
    """What the model answers at a point; only what the mask asked for is valid, and until the next evaluation."""

    def __init__(self, ev: Any, size: Any):
        self._ev, self._size = ev, size

    @property
    def mass(self) -> np.ndarray:
        """(nu, nu) M."""
        return mass_matrix(self._ev.mass, self._size.nu)

    @property
    def forces(self) -> np.ndarray:
        """(nu) f."""
        return array_of(self._ev.f, self._size.nu, self).copy()

    @property
    def acceleration(self) -> np.ndarray:
        """(nu) M^-1 f."""
        return array_of(self._ev.acceleration, self._size.nu, self).copy()

    @property
    def gaps(self) -> np.ndarray:
        """(n_contact)."""
        return array_of(self._ev.gaps.value, self._size.n_contact, self).copy()

    @property
    def constraints(self) -> np.ndarray:
        """(n_constraint)."""
        return array_of(self._ev.gaps.constraint, self._size.n_constraint, self).copy()

    @property
    def rows(self) -> np.ndarray:
        """(n_row, nu) W."""
        return dense(self._ev.rows.W)

    @property
    def rates(self) -> np.ndarray:
        """(n_row) w0."""
        return array_of(self._ev.rows.w0, self._size.n_row, self).copy()


class Point:
    """A state: t, q, u, P."""

    def __init__(self, t: float, q: np.ndarray, u: np.ndarray, P: np.ndarray, active: np.ndarray):
        self.t, self.q, self.u, self.P, self.active = t, q, u, P, active


class Step:
    """What a scheme may ask during one step of length h."""

    def __init__(self, s: Any, now: Any):
        self._s, self._size, self._keep = s, s.size, Keep()
        n = self._size.n_contact
        self.h: float = s.h
        self._P_before = np.frombuffer(ffi.buffer(now.P, 8 * self._size.n_row)).copy() if self._size.n_row else np.zeros(0)
        self._active = np.zeros(n, np.uint8)

    def _check(self, status: int) -> None:
        if status != lib.CAROM_OK:
            raise _Refused(status)

    def evaluate(self, t: float, q: Any, u: Any, mask: int, number: int = 0) -> Answers:
        """Asks the model; mask is one of the scheme's masks, number which of its n_eval rooms takes the answers."""
        if not 0 <= number < 4 or not self._s.ev[number]:
            raise InputError(f"the scheme has no evaluation {number}: say in n_eval how many it needs")
        held = Keep()
        at = ffi.new("carom_point *", {"t": t, "q": held.doubles(flat("q", q, self._size.nq)),
                                       "u": held.doubles(flat("u", u, self._size.nu)), "holds": self._s.holds})
        self._check(lib.carom_model_eval(self._s.plan, at, mask, self._s.ev[number], self._s.error))
        return Answers(self._s.ev[number], self._size)

    def move(self, q: Any, u: Any, h: float) -> np.ndarray:
        """Where velocities u lead from q in a time h."""
        q, u, out = flat("q", q, self._size.nq), flat("u", u, self._size.nu), np.zeros(self._size.nq)
        lib.carom_model_move(self._s.model, doubles(q), doubles(u), h, doubles(out))
        return out

    def free_velocity(self, answers: Answers, u: Any, h: float) -> np.ndarray:
        """u + h M^-1 f."""
        u, out = flat("u", u, self._size.nu), np.zeros(self._size.nu)
        lib.carom_dynamics_free_velocity(answers._ev, doubles(u), h, doubles(out))
        return out

    def contact(self, answers: Answers, u_before: Any, u: Any, active: Any) -> tuple[np.ndarray, np.ndarray]:
        """All impulses of the step: from the velocity without them to (velocity with them, P).

        u_before: of the laws of impact; active: (n_contact) which contacts take part. Constraints always do.
        """
        self._active[:] = np.asarray(active, dtype=bool)
        before, after = flat("u_before", u_before, self._size.nu).copy(), flat("u", u, self._size.nu).copy()
        P = self._P_before.copy() if self._size.n_row else np.zeros(1)
        flags = self._active if self._size.n_contact else np.zeros(1, np.uint8)
        terms = ffi.new("carom_contact_terms *", {"rate": answers._ev, "u_minus": doubles(before),
                                                  "is_active": ffi.cast("unsigned char *", flags.ctypes.data)})
        self._check(lib.carom_dynamics_contact(self._s, terms, doubles(P), doubles(after)))
        return after, P[:self._size.n_row]

    def state(self, t: float, q: Any, u: Any, P: Any = None) -> Point:
        """What step returns: the state at its end."""
        P = np.zeros(self._size.n_row) if P is None else flat("P", P, self._size.n_row)
        return Point(t, flat("q", q, self._size.nq), flat("u", u, self._size.nu), P, self._active)


class Scheme:
    """A time integrator: a class with step(s, now) -> s.state(...). now has t, q, u, P; s is a Step."""

    name = "python"
    about = "a scheme in Python"
    masks: Sequence[int] = (MASS | FORCES | GAPS | ROWS,)
    n_eval = 1
    order_free = 1
    order_contact = 1
    level = "velocity"
    can_vary_step = False

    def __init__(self) -> None:
        keep = self._keep = Keep()
        self._raised: dict[int, BaseException] = {}
        if type(self).step is Scheme.step:
            raise InputError(f"{type(self).__name__} has no method step(s, now)")
        self._function = ffi.callback("carom_status(carom_step *, const carom_state *, carom_state *)", self._enter,
                                      error=lib.CAROM_STOPPED,
                                      onerror=lambda kind, value, trace: self._note(value))
        self._scheme = ffi.new("carom_scheme *", {
            "name": keep.chars(self.name), "about": keep.chars(self.about), "reference": keep.chars("Python"),
            "order_free": self.order_free, "order_contact": self.order_contact, "level": keep.chars(self.level),
            "has_friction": True, "has_bilateral": True, "has_contact": True, "can_vary_step": self.can_vary_step,
            "mask": keep.array("unsigned", [*self.masks, 0]), "n_eval": self.n_eval, "step": self._function})

    def _enter(self, s: Any, now: Any, following: Any) -> int:
        size = s.size
        copy = lambda pointer, n: np.frombuffer(ffi.buffer(pointer, 8 * n)).copy() if n else np.zeros(0)  # noqa: E731
        try:
            step = Step(s, now)
            point = self.step(step, Point(now.t, copy(now.q, size.nq), copy(now.u, size.nu), copy(now.P, size.n_row),
                                          np.zeros(size.n_contact, np.uint8)))
            if not isinstance(point, Point):
                raise InputError(f"{type(self).__name__}.step must return s.state(...), not {type(point).__name__}")
        except _Refused as why:
            return why.status
        except BaseException as why:  # raised again when the library has returned
            self._note(why)
            if s.error:
                s.error.status = lib.CAROM_STOPPED
                message = f"{type(why).__name__}: {why}".encode()[:1000]
                ffi.memmove(s.error.message, message + b"\0", len(message) + 1)
            return lib.CAROM_STOPPED
        following.t = point.t
        for target, values in ((following.q, point.q), (following.u, point.u), (following.P, point.P)):
            if values.size:
                ffi.memmove(target, values.tobytes(), values.nbytes)
        if size.n_contact:
            ffi.memmove(following.is_active, point.active.tobytes(), size.n_contact)
        return lib.CAROM_OK

    def _note(self, why: BaseException) -> int:
        self._raised.setdefault(threading.get_ident(), why)
        return lib.CAROM_STOPPED

    def _raise_if_raised(self) -> None:
        why = self._raised.pop(threading.get_ident(), None)
        if why is not None:
            raise why

    def step(self, s: Step, now: Point) -> Point:
        """One step from now."""
        raise NotImplementedError(f"{type(self).__name__} has no step")
