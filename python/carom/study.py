# SPDX-License-Identifier: Apache-2.0
"""Studies: many runs of one model on all cores. The kinds come from the library by name: carom.kinds()."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Callable, Mapping

import numpy as np

from ._c import Call, InputError, Keep, Place, doubles, ffi, lib, number_text, string
from ._choice import RUN_OPTIONS, Choice
from .model import Model
from .simulation import _Watch

if TYPE_CHECKING:
    import pandas



def _collect(struct: Any, path: tuple[str, ...] = ()) -> dict[str, tuple[tuple[str, ...], Any]]:
    """The fields of a struct and of those inside it: where each stands, and its type."""
    found = {}
    for name, field in struct.fields:
        if field.type.kind == "struct" and field.type is not ffi.typeof("carom_text"):
            found.update(_collect(field.type, (*path, name)))
        else:
            found[name] = (path, field.type)
    return found


# what can be asked, as the library's own struct has it: what a new kind needs is there without a change here
_FIELDS = _collect(ffi.typeof("carom_scan_texts"))
_LISTS = {name for name in _FIELDS if f"n_{name}" in _FIELDS}
_TEXTS = {name for name, (_, kind) in _FIELDS.items()
          if kind is ffi.typeof("carom_text") and name not in ("what", "end", "step")}


def _put(texts: Any, name: str, value: Any) -> None:
    """Sets a field, wherever it stands."""
    for part in _FIELDS[name][0]:
        texts = getattr(texts, part)
    setattr(texts, name, value)


def kinds() -> list[str]:
    """The kinds of studies that the library has."""
    return [string(lib.carom_scan_kind_at(i)) for i in range(lib.carom_scan_kind_count())]


def _values(value: Any) -> str:
    """What an axis takes: a text as on the command line, (from, to, n), or a list of numbers."""
    if isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return ":".join(number_text(part) for part in value)
    return "[" + ", ".join(number_text(part) for part in np.asarray(value, dtype=object).reshape(-1)) + "]"


def _listed(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else [str(one) for one in value]


def _text_of(name: str, value: Any) -> str:
    if name == "section" and isinstance(value, Mapping):
        return ",".join(f"{key}={number_text(part)}" for key, part in value.items())
    return number_text(value)


def _texts(kind: str, given: dict[str, Any], keep: Keep) -> Any:
    texts = keep.hold(ffi.new("carom_scan_texts *"))
    texts.what = keep.text(kind)
    for name in list(given):
        value = given[name]
        if value is None:
            del given[name]
        elif name in _LISTS:
            del given[name]
            if _FIELDS[name][1].item is ffi.typeof("carom_setting"):
                if not isinstance(value, Mapping):
                    raise InputError(f"{name} is a mapping of names and values, as in {name}={{'A': (0.5, 2, 40)}}")
                rows, n = keep.settings({key: _values(part) for key, part in value.items()}, name)
            else:
                listed = [keep.text(one, name) for one in _listed(value)]
                rows, n = keep.hold(ffi.new("carom_text[]", listed or 1)), len(listed)
            _put(texts, name, rows)
            _put(texts, f"n_{name}", n)
        elif name in _TEXTS:
            _put(texts, name, keep.text(_text_of(name, given.pop(name)), name))
    return texts


class Table:
    """What a study found: rows of numbers, table["x"] a column. Runs that failed have rows of not-a-number."""

    def __init__(self, kind: str, scan: Any, store_of: Keep):
        self.kind, self._scan, self._keep = kind, scan, store_of
        self.columns = [string(lib.carom_scan_column(scan, i)) for i in range(lib.carom_scan_n_column(scan))]
        call, n = Call(), lib.carom_scan_n_row(scan)
        self.rows = np.zeros((n, len(self.columns)))
        for i in range(n):
            call(lib.carom_scan_row, scan, i, doubles(self.rows[i]))
        count = lib.carom_scan_counted(scan)
        self.n_run, self.n_failed = count.units, count.failed
        self.hysteresis = string(lib.carom_scan_hysteresis(scan)).splitlines()
        findings = getattr(lib, "carom_scan_findings", None)  # of kinds that sum up what they found
        self.findings = string(findings(scan)).splitlines() if findings else []

    @property
    def failures(self) -> list[str]:
        """A line for each run that failed: what it was about, and why."""
        return [string(lib.carom_scan_failure(self._scan, i)) for i in range(self.n_failed)]

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self.columns:
            raise KeyError(f"no column '{name}': {', '.join(self.columns)}")
        return self.rows[:, self.columns.index(name)]

    def __len__(self) -> int:
        return len(self.rows)

    def to_pandas(self) -> "pandas.DataFrame":
        """The rows as a DataFrame."""
        try:
            import pandas
        except ImportError as why:
            raise ImportError("to_pandas needs pandas (Debian: python3-pandas)") from why
        return pandas.DataFrame(self.rows, columns=self.columns)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes all rows, or their picture: .csv, .json, .h5, .svg, .png."""
        Call()(lib.carom_scan_export, self._scan, Keep().chars(path))

    def __repr__(self) -> str:
        failed = f", {self.n_failed} failed" if self.n_failed else ""
        return f"<carom.Table of {self.kind}: {self.n_run} runs{failed}, {len(self)} rows of {', '.join(self.columns)}>"


def _new_scan(kind: str, model: Model, options: dict[str, Any], run: dict[str, Any], keep: Keep) -> Any:
    texts = _texts(kind, options, keep)
    if options:
        known = sorted({*RUN_OPTIONS, *_LISTS, *_TEXTS, "threads", "store", "fresh", "progress"})
        raise TypeError(f"a study has no option {', '.join(sorted(options))}; it takes {', '.join(known)}")
    if model._file is None:
        raise InputError("a study varies parameters, which a model of functions has none of")
    choice = keep.hold(Choice(model, run))
    if choice.options.end > 0:  # as texts, so that they follow the parameters
        texts.end = keep.text(*_run_text(model, run, "end"))
    if choice.options.step > 0 and not choice.is_auto:
        texts.step = keep.text(*_run_text(model, run, "step"))
    file, made = keep.hold(model._changed_file(model._changes)), ffi.new("carom_scan **")
    Call()(lib.carom_scan_new, lib.carom_modelfile_builder(file), choice.options, texts, made)
    return ffi.gc(made[0], lib.carom_scan_free)


def _run_text(model: Model, run: Mapping[str, Any], name: str) -> tuple[str | None, Place | str]:
    """What was given, else what the file says, with its place."""
    given, file = run.get(name), model._run_texts
    return (file.texts[name], file.places.get(name, name)) if given is None else (number_text(given), name)


def study(kind: str, model: Model, *, threads: int = 0, store: str | os.PathLike[str] | None = None, fresh: bool = False,
          progress: Callable[[float, float, int], Any] | None = None, **options: Any) -> Table:
    """Runs a study and returns its table.

    kind: one of kinds(). vary: {"A": (0.5, 2, 40), "e": [0.5, 0.8], "der(x)": "0:1:11"}; take: measures of a sweep;
    show: columns; section: {"period": "2*pi/w"}, {"event": "stop:impact"} or a text; skip, points, direction, way,
    seed, ... as on the command line, with underscores; and the options of Model.run. store: a file that keeps what is
    done (.caromdb), and is gone on with. progress: called as f(done, all, done); a true answer stops the study.
    """
    if kind not in kinds():
        raise InputError(f"there is no study '{kind}': {', '.join(kinds())}")
    if not isinstance(model, Model):
        model = Model.from_file(model)
    keep, call = Keep(), Call()
    # end and step are of the run, and of the study as texts
    run = {name: options.pop(name) for name in RUN_OPTIONS if name in options and name not in _TEXTS}
    if "output_step" in _TEXTS:
        run.pop("output_step", None)
    asked = repr((kind, model.text, model._change_lines(), sorted(options.items(), key=str), sorted(run.items(), key=str)))
    scan = _new_scan(kind, model, options, run, keep)
    watch = _Watch(progress)
    handle = ffi.new_handle(watch)
    work = ffi.new("carom_scan_work *", {
        "n_thread": threads, "store": keep.chars(store), "is_fresh": fresh, "identity": keep.chars(asked),
        "watch": {"self": handle, "tick": lib.carom_py_tick}})
    status = lib.carom_scan_run(scan, work, call.error)
    if status not in (lib.CAROM_OK, lib.CAROM_STOPPED):
        raise call.failure(status)
    if watch.raised is not None:
        raise watch.raised
    return Table(kind, scan, keep)


def kind_function(kind: str) -> Callable[..., Table]:
    """study with its kind: carom.sweep(model, ...)."""

    def of_kind(model: Model | str | os.PathLike[str], **options: Any) -> Table:
        return study(kind, model, **options)  # type: ignore[arg-type]

    of_kind.__name__ = of_kind.__qualname__ = kind
    of_kind.__doc__ = f"A study of the kind {kind}; options as those of carom.study."
    return of_kind
