# SPDX-License-Identifier: Apache-2.0
"""What a run came to: rows as NumPy arrays, events, the audit; files, pages and pictures of them."""
from __future__ import annotations

import difflib
import html
import os
import tempfile
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterator

import numpy as np

from ._c import CaromError, FileError, InputError, Keep, array_of, doubles, ffi, lib, string
from .simulation import EVENT_KINDS, State

if TYPE_CHECKING:
    import pandas

    from .figure import Figure
    from .simulation import Simulation


_NUMBERS = ("t", "rate_before", "rate_after", "P", "energy_lost")
_EVENT = np.dtype([("t", "f8"), ("contact", "U64"), ("kind", "U11"), *((name, "f8") for name in _NUMBERS[1:])])
# carom_event as it lies in memory
_RAW_EVENT = np.dtype({"names": [*_NUMBERS, "contact", "kind"], "formats": ["f8"] * 5 + ["i4", "u4"],
                       "offsets": [ffi.offsetof("carom_event", name) for name in (*_NUMBERS, "contact", "kind")],
                       "itemsize": ffi.sizeof("carom_event")})


_LINE_FIELDS = [("step", "i8"), ("t", "f8"), ("key", "u8"), ("gap", "f8"), ("rate", "f8"), ("P", "f8"), ("la", "f8"),
                ("point", "3f8"), ("normal", "3f8"), ("body", "2i8")]
# carom_contact_line likewise
_LINE = np.dtype({"names": [name for name, _ in _LINE_FIELDS], "formats": [form for _, form in _LINE_FIELDS],
                  "offsets": [ffi.offsetof("carom_contact_line", name) for name, _ in _LINE_FIELDS],
                  "itemsize": ffi.sizeof("carom_contact_line")})


@dataclass(frozen=True)
class Audit:
    """The audit of a run (carom_audit): penetration, drift, residual, energy balance, and where the worst was."""

    min_gap: float
    max_drift: float
    residual: float
    goal: float
    cone_violation: float
    energy_start: float
    energy_end: float
    kinetic_end: float
    potential_end: float
    work: float
    impact_loss: float
    friction_loss: float
    energy_error: float
    largest_rise: float
    largest_kinetic: float
    model_size: float
    min_gap_time: float
    max_drift_time: float
    residual_time: float
    min_gap_at: str
    max_drift_at: str
    residual_at: str
    is_unstable: bool
    warnings: str

    @classmethod
    def _of(cls, audit: Any) -> "Audit":
        values = {f.name: getattr(audit, f.name) for f in fields(cls)}
        return cls(**{n: string(v) if isinstance(v, ffi.CData) else v for n, v in values.items()})


@dataclass(frozen=True)
class Counts:
    """How many of what (carom_counts)."""

    steps: int
    impact_steps: int
    contact_steps: int
    events: int
    unconverged: int
    solver_iterations: int
    rejected: int
    evaluations: int
    ambiguous: int
    energy_rises: int


@dataclass(frozen=True)
class Times:
    """Seconds of processor time."""

    setup: float
    stepping: float
    output: float
    compiling: float


def _columns(sim: Any) -> list[tuple[str, str, str]]:
    rows = (lib.carom_sim_column(sim, i) for i in range(lib.carom_sim_n_column(sim)))
    return [(string(c.name), string(c.unit), string(c.group)) for c in rows]


def csv_name(name: str) -> str:
    """How a column is spelled in CSV files: x[3] is x_3."""
    room = ffi.new("char[]", 2 * len(name.encode()) + 8)
    return string(lib.carom_csv_name(Keep().chars(name), room, len(room)))


class Result:
    """A motion and what is to be known of it.

    r["th1"] is a column, r.q a matrix with a row for each time; r.events a structured array; r.success says whether
    the run is to be trusted, r.message why not.
    """

    def __init__(self, simulation: "Simulation", failure: CaromError | None):
        self.model, self._simulation, self.failure = simulation.model, simulation, failure
        sim, log = simulation._sim, simulation._log
        self._columns = _columns(sim)
        self._place = {name: i for i, (name, _, _) in enumerate(self._columns)}
        self._place.update({csv_name(name): i for name, i in list(self._place.items())})
        n_row = log.n_row if log is not None else 0
        self.rows: np.ndarray = (array_of(log.row, (n_row, len(self._columns)), log) if n_row
                                 else np.zeros((0, len(self._columns))))
        audit = ffi.new("carom_audit *")
        is_audited = lib.carom_sim_audit(sim, audit, ffi.NULL, ffi.NULL) == lib.CAROM_OK
        if not is_audited:
            self.model._raise_if_raised()
        self.audit: Audit | None = Audit._of(audit) if is_audited else None
        counts, times = lib.carom_sim_counts(sim), lib.carom_sim_times(sim)
        self.counts = Counts(*(getattr(counts, f.name) for f in fields(Counts)))
        self.times = Times(*(getattr(times, f.name) for f in fields(Times)))
        self.end: State = simulation.state
        self.scheme, self.solver = simulation.scheme, simulation.solver

    # ---- what it came to ----

    @property
    def status(self) -> str:
        """The first that holds of: stopped, unconverged, unstable, held (to an asked residual above 1e-9), done."""
        if self.failure is not None or self.audit is None:
            return "stopped"
        if self.counts.unconverged > 0:
            return "unconverged"
        if self.audit.is_unstable:
            return "unstable"
        return "held" if self.audit.goal > 1e-9 and self.audit.residual > 1e-9 else "done"

    @property
    def success(self) -> bool:
        """Whether the run reached its end, all steps met what was asked, and the energy did not rise without end."""
        return self.status in ("done", "held")

    @property
    def message(self) -> str:
        """One line that says what it came to."""
        c = self.counts
        if self.failure is not None:
            return str(self.failure)
        if self.status == "unconverged":
            assert self.audit is not None
            return (f"{c.unconverged} of {c.steps} steps did not converge; the largest contact residual is "
                    f"{self.audit.residual:.3g}, of '{self.audit.residual_at}' at t = {self.audit.residual_time:.6g}")
        if self.status == "unstable":
            return "the energy rose without end: the numbers are wrong; take a smaller step or an implicit scheme"
        if self.status == "held":
            assert self.audit is not None
            return (f"held to {self.audit.residual:.3g} of the contact law, as asked ({self.audit.goal:.3g}): "
                    f"t = {self.end.t:g} s")
        return f"done: t = {self.end.t:g} s, {c.steps} steps, {c.events} events"

    @property
    def warnings(self) -> list[str]:
        """What should be known before the numbers are trusted."""
        return self.audit.warnings.splitlines() if self.audit else []

    # ---- rows ----

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return [name for name, _, _ in self._columns]

    def unit(self, name: str) -> str:
        """The unit of a column, "" where it is not known."""
        return self._columns[self._find(name)][1]

    def _find(self, name: str) -> int:
        place = self._place.get(name)
        if place is None:
            near = difflib.get_close_matches(name, self._place, 1)
            raise KeyError(f"no column '{name}'" + (f" (did you mean '{near[0]}'?)" if near else ""))
        return place

    def __getitem__(self, name: str) -> np.ndarray:
        return self.rows[:, self._find(name)]

    def __contains__(self, name: object) -> bool:
        return name in self._place

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.rows)

    def group(self, name: str) -> np.ndarray:
        """The columns of a group, a row for each time: q, u, gap, rate, P, la, slip, energy, drift, record, ..."""
        places = [i for i, (_, _, group) in enumerate(self._columns) if group == name]
        if places and places[-1] - places[0] + 1 == len(places):
            return self.rows[:, places[0]:places[-1] + 1]  # side by side: a view
        return self.rows[:, places]

    @property
    def t(self) -> np.ndarray:
        """(n) times [s]."""
        return self.rows[:, 0]

    @property
    def q(self) -> np.ndarray:
        """(n, nq) positions."""
        return self.group("q")

    @property
    def u(self) -> np.ndarray:
        """(n, nu) velocities."""
        return self.group("u")

    @property
    def P(self) -> np.ndarray:
        """(n, n_contact) normal impulses since the row before [N s]."""
        return self.group("P")

    @property
    def la(self) -> np.ndarray:
        """(n, n_contact) normal forces [N]."""
        return self.group("la")

    @property
    def gaps(self) -> np.ndarray:
        """(n, n_contact) gaps [m] of contacts that stay."""
        return self.group("gap")

    @cached_property
    def events(self) -> np.ndarray:
        """Impacts, openings, stick and slip as a structured array: t, contact, kind, rate_before, rate_after, P, ..."""
        log = self._simulation._log
        n = log.n_event if log is not None else 0
        found = np.zeros(n, _EVENT)
        if n:
            raw = np.frombuffer(ffi.buffer(log.event, n * ffi.sizeof("carom_event")), _RAW_EVENT)
            for name in _NUMBERS:
                found[name] = raw[name]
            found["kind"] = np.array(EVENT_KINDS)[raw["kind"]]
            found["contact"] = np.array([c.name for c in self.model.contacts])[raw["contact"]]
        return found

    @cached_property
    def touches(self) -> np.ndarray:
        """Contacts that come and go, one line for each that was near at a row: a structured array as /contacts in HDF5."""
        log = self._simulation._log
        n = log.n_line if log is not None else 0
        return (np.frombuffer(ffi.buffer(log.line, n * ffi.sizeof("carom_contact_line")), _LINE).copy() if n
                else np.zeros(0, _LINE))

    # ---- elsewhere ----

    def to_pandas(self) -> "pandas.DataFrame":
        """The rows as a DataFrame over t."""
        try:
            import pandas
        except ImportError as why:
            raise ImportError("to_pandas needs pandas (Debian: python3-pandas)") from why
        return pandas.DataFrame(self.rows[:, 1:].copy(), columns=self.columns[1:], index=pandas.Index(self.t, name="t"))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the rows as `carom run -o` does: FILE.csv, or FILE.h5 with events, audit and the model."""
        if self._simulation._log is None:
            raise InputError("this run has kept no rows: run with record=True")
        call, keep, made, simulation = self._simulation._call, Keep(), ffi.new("carom_output **"), self._simulation
        options = simulation._choice.options
        head = ffi.new("carom_output_head *", {
            "model": lib.carom_model_name(simulation._c_model), "scheme": lib.carom_sim_scheme(simulation._sim),
            "solver": lib.carom_sim_solver(simulation._sim), "version": lib.carom_version(), "step": options.step,
            "end": options.end, "model_path": keep.chars(os.path.abspath(self.model._path)),
            "model_text": keep.chars(self.model.text) if self.model.text else ffi.NULL,
            "changes": keep.chars(simulation._changes), "options": keep.chars(simulation._choice.lines())})
        call(lib.carom_output_open, keep.chars(path), simulation._sim, head, made)
        status = lib.carom_py_log_replay(simulation._log, made[0], call.error)
        failure = call.failure(status) if status else None
        audit, counts = ffi.new("carom_audit *"), ffi.new("carom_counts *", lib.carom_sim_counts(simulation._sim))
        audited = lib.carom_sim_audit(simulation._sim, audit, ffi.NULL, ffi.NULL) == lib.CAROM_OK
        if self.failure is not None:
            lib.carom_output_reason(made[0], keep.chars(str(self.failure)))
        call(lib.carom_output_close, made[0], audit if audited else ffi.NULL, counts, self.failure is None and not failure)
        if failure:
            raise failure

    def report(self, path: str | os.PathLike[str], most_points: int | None = None) -> None:
        """Writes the page of `carom report`: the mechanism moving, plots, events, audit, the model.

        most_points: how many numbers its plots may have (a page is some 10 bytes for each).
        """
        if not os.fspath(path).endswith((".html", ".htm")):
            raise InputError(f"a report is an HTML page: '{os.fspath(path)}' must end with .html")
        call, keep, made = self._simulation._call, Keep(), ffi.new("carom_results **")
        with tempfile.TemporaryDirectory() as folder:
            rows = Path(folder) / "run.h5"
            self.save(rows)
            call(lib.carom_results_open, keep.chars(rows), made)
            results = ffi.gc(made[0], lib.carom_results_free)
            options = ffi.new("carom_report_options *", lib.carom_report_default())
            options.access = self.model._access._access
            if most_points is not None:
                options.most_points = most_points
            call(lib.carom_report_write, ffi.new("carom_results *[1]", [results]), 1, options, keep.chars(path), ffi.NULL)
            ffi.release(results)

    def _repr_html_(self) -> str:
        """The page in a notebook, in a frame of its own: nothing in it sees the notebook, nothing is fetched."""
        if len(self) == 0:
            return f"<p>{html.escape(repr(self))}</p>"
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder) / "report.html"
            try:
                self.report(page, 50000)
            except FileError:
                return f"<p>{html.escape(repr(self))}</p>"
            text = page.read_text()
        return (f'<iframe srcdoc="{html.escape(text, quote=True)}" sandbox="allow-scripts" width="100%" height="640" '
                f'style="border: 0" title="{html.escape(self.model.name)}"></iframe>')

    def figure(self, *names: str) -> "Figure":
        """The columns over time as a figure of the library's own: shown in notebooks, saved as .svg or .png."""
        from .figure import Figure

        return Figure(self.t, [(name, self.unit(name), self[name]) for name in names or self._shown()], self.model.name)

    def plot(self, *names: str, ax: Any = None) -> Any:
        """The columns over time (all positions unless named), with matplotlib where it is installed; else a figure."""
        try:
            from matplotlib import pyplot
        except ImportError:
            return self.figure(*names)
        if ax is None:
            _, ax = pyplot.subplots()
        for name in names or self._shown():
            ax.plot(self.t, self[name], label=name + (f" [{self.unit(name)}]" if self.unit(name) else ""))
        ax.set_xlabel("t [s]")
        ax.legend()
        return ax

    def _shown(self) -> list[str]:
        return [name for name, _, group in self._columns if group == "q"][:8]

    def __repr__(self) -> str:
        return f"<carom.Result of {self.model.name}: {len(self)} rows, {self.message}>"
