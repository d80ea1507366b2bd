# SPDX-License-Identifier: Apache-2.0
"""Models: read from files and texts, changed by name, run."""
from __future__ import annotations

import math
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Mapping, NamedTuple, Sequence

import numpy as np

from ._c import Call, FileError, InputError, Keep, Place, array_of, ffi, lib, number_text, string
from ._choice import RunTexts, limits_of
from .evaluation import Evaluation, evaluate

if TYPE_CHECKING:
    from .result import Result
    from .simulation import Simulation

_SHARES = (Path(__file__).resolve().parent / "share", Path("/usr/local/share/carom"), Path("/usr/share/carom"))
# models and parts: those of the wheel, else those of the installed command
SHARE = next((folder for folder in _SHARES if (folder / "models").is_dir()), _SHARES[-1])


class Access:
    """What reading a model may do: limits by name (carom list limits), and folders that it may read files from."""

    def __init__(self, limits: Mapping[str, Any] | None = None, folders: Sequence[str | os.PathLike[str]] = ()):
        self._keep = Keep()
        names = self._keep.array("char *", [self._keep.chars(folder) for folder in folders])
        parts = os.environ.get("CAROM_PARTS") or str(SHARE / "parts")
        self._access = ffi.new("carom_access *", {
            "limits": self._keep.hold(limits_of(limits)), "folder": names, "n_folder": len(folders),
            "parts": self._keep.chars(parts) if os.path.isdir(parts) else ffi.NULL})


class Contact(NamedTuple):
    """What is known of a contact before anything moves."""

    name: str
    restitution: float = 0.0
    tangential_restitution: float = 0.0
    friction: float = 0.0
    n_slip: int = 0  #: directions in which it slips: 1 in the plane, 2 in space
    row: int = 0  #: its normal row; given by the library


class Sizes(NamedTuple):
    """How large a model is: carom_sizes."""

    nq: int
    nu: int
    n_constraint: int
    n_contact: int
    n_disc: int
    n_row: int
    n_record: int
    n_body: int


def find_model(path: str | os.PathLike[str]) -> str:
    """A path as it is, or the shipped model of this name (carom.models())."""
    text = os.fspath(path)
    if os.path.exists(text) or os.sep in text or text.endswith((".yaml", ".yml")):
        return text
    for folder in [*filter(None, os.environ.get("CAROM_MODELS", "").split(":")), str(SHARE / "models")]:
        candidate = os.path.join(folder, text + ".yaml")
        if os.path.exists(candidate):
            return candidate
    raise FileError(f"there is no file '{text}', and no shipped model of this name; carom.models() has them")


class Model:
    """A mechanical system that hits, sticks, slips and separates.

    Made by Model.from_file or Model.from_string; carom.Builder and carom.System make models in Python. The equations
    are derived at once, so that mistakes are found here. Changes (set, start, live) make them again; simulations that
    were made before keep the model that they were made with. A model may be used by several threads.
    """

    _path: str
    _text_given: bytes | None
    _access: Access
    _changes: list[tuple[str, str, str]]
    _file: Any
    _model: Any
    _run_texts: RunTexts

    def __init__(self) -> None:
        raise TypeError("a model comes from Model.from_file, Model.from_string, carom.Builder or carom.System")

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], access: Access | None = None, /, **parameters: Any) -> "Model":
        """Reads a model file, or a shipped model by its name; parameters as in set."""
        return cls._made(find_model(path), None, access, parameters)

    @classmethod
    def from_string(cls, text: str, name: str = "model.yaml", access: Access | None = None, /, **parameters: Any) -> "Model":
        """Reads the text of a model file; name stands in messages, and its folder is where tables are looked for."""
        return cls._made(name, text.encode(), access, parameters)

    @classmethod
    def _made(cls, path: str, text: bytes | None, access: Access | None, parameters: Mapping[str, Any]) -> "Model":
        model = object.__new__(Model)
        model._path, model._text_given, model._access = path, text, access or Access()
        model._changes = []
        model._make([("set", name, number_text(value)) for name, value in parameters.items()])
        return model

    # ---- making ----

    def _open(self) -> Any:
        """The file, read anew: a builder is changed by what it is used for."""
        call, keep, file = Call(), Keep(), ffi.new("carom_modelfile **")
        access = self._access._access
        if self._text_given is None:
            call(lib.carom_modelfile_read_with, keep.chars(self._path), access, file)
        else:
            call(lib.carom_modelfile_read_text_with, self._text_given, len(self._text_given), keep.chars(self._path),
                 access, file)
        return ffi.gc(file[0], lib.carom_modelfile_free)

    def _changed_file(self, changes: Sequence[tuple[str, str, str]]) -> Any:
        file, call, keep = self._open(), Call(), Keep()
        builder = lib.carom_modelfile_builder(file)
        for kind, name, value in changes:
            if kind == "set":
                call(lib.carom_builder_set, builder, keep.text(name, f"set {name}"), keep.text(value, f"set {name}"))
            elif kind == "start":
                call(lib.carom_builder_start, builder, keep.text(name, f"start {name}"), keep.text(value, f"start {name}"))
            else:
                call(lib.carom_builder_live, builder, keep.text(name or None, f"live {name}"))
        return file

    def _make(self, more: list[tuple[str, str, str]]) -> None:
        """Makes the model with more changes; where they are not good, all stays as it was."""
        changes = self._changes + more
        file, call, model = self._changed_file(changes), Call(), ffi.new("carom_model **")
        call(lib.carom_builder_finish, lib.carom_modelfile_builder(file), model)
        self._file, self._changes = file, changes
        self._model = ffi.gc(model[0], lib.carom_model_free)
        self._run_texts = RunTexts(lib.carom_modelfile_run(file))

    def _number(self, place: Place | str, text: str) -> float:
        call, keep, value = Call(), Keep(), ffi.new("double *")
        call(lib.carom_builder_number, lib.carom_modelfile_builder(self._file), keep.text(text, place), value)
        return value[0]

    # ---- changing ----

    def set(self, values: Mapping[str, Any] | None = None, /, **parameters: Any) -> "Model":
        """Changes parameters, and all that depends on them: model.set(e=0.5, omega="2*pi/T"). Returns the model.

        Values are numbers, or expressions of parameters as texts. Names that are no Python names go into a mapping.
        """
        self._make([("set", n, number_text(v)) for n, v in {**(values or {}), **parameters}.items()])
        return self

    def start(self, values: Mapping[str, Any] | None = None, /, **coordinates: Any) -> "Model":
        """Changes start values, and start rates: model.start({"x": 0.1, "der(x)": -1}). Returns the model."""
        self._make([("start", n, number_text(v)) for n, v in {**(values or {}), **coordinates}.items()])
        return self

    def live(self, *names: str) -> "Model":
        """Makes parameters live: simulations take new values for them (Simulation.set) and nothing is derived again.

        Without names all are that can be. Returns the model.
        """
        self._make([("live", name, "") for name in names or ("",)])
        return self

    # ---- calls of the library that evaluate the model ----

    def _raise_if_raised(self) -> None:
        """Raises what a callback raised (carom.System)."""

    def _call(self, call: Call, function: Any, *arguments: Any) -> None:
        status = function(*arguments, call.error)
        if status != lib.CAROM_OK:
            failure = call.failure(status)
            self._raise_if_raised()
            raise failure

    # ---- running ----

    def simulation(self, **options: Any) -> "Simulation":
        """A simulation to step by hand; options as those of run."""
        from .simulation import Simulation

        return Simulation(self, **options)

    def run(self, **options: Any) -> "Result":
        """Runs the model and returns the motion with its audit.

        What is not given is as the file's run section says. scheme: a name of carom.schemes(), or a carom.Scheme;
        solver; step [s], or "auto"; tolerance; end [s]; every: record every n-th step; output_step: record on a
        uniform grid [s]; options: of scheme and solver by name ({"solver.omega": 1.5}); native: compile the
        equations; record: False keeps no rows; section, allow_penetration, allow_unstable, save_contact, limits as
        on the command line; progress: called as f(t, end, steps) now and then, a true answer stops the run.
        """
        return self.simulation(**{"record": True, **options}).run()

    def at(self, t: float = 0.0, q: Any = None, u: Any = None) -> Evaluation:
        """Mass, forces, gaps and rows at a point; the model's start unless given."""
        return evaluate(self, t, q, u)

    # ---- what it is ----

    @property
    def name(self) -> str:
        """What it is called."""
        return string(lib.carom_model_name(self._model))

    @property
    def about(self) -> str:
        """What it shows."""
        return string(lib.carom_model_about(self._model))

    @property
    def source(self) -> str:
        """Where its numbers come from."""
        return string(lib.carom_model_source(self._model))

    @property
    def text(self) -> str:
        """The model file as it was read; "" for models of callbacks."""
        return string(lib.carom_modelfile_text(self._file)) if self._file else ""

    @property
    def sizes(self) -> Sizes:
        """Numbers of coordinates, velocities, constraints, contacts, ..."""
        sizes = lib.carom_model_sizes(self._model)
        return Sizes(*(getattr(sizes, field) for field in Sizes._fields))

    @property
    def coordinates(self) -> list[str]:
        """Names of the positions q."""
        return [string(lib.carom_model_coordinate_name(self._model, i)) for i in range(self.sizes.nq)]

    @property
    def velocities(self) -> list[str]:
        """Names of the velocities u."""
        return [string(lib.carom_model_velocity_name(self._model, i)) for i in range(self.sizes.nu)]

    @property
    def constraints(self) -> list[str]:
        """Names of the constraints."""
        return [string(lib.carom_model_constraint_name(self._model, i)) for i in range(self.sizes.n_constraint)]

    @property
    def contacts(self) -> list[Contact]:
        """The contacts, or the slots for contacts that come and go."""
        found = []
        for i in range(self.sizes.n_contact):
            f = lib.carom_model_contact(self._model, i)
            found.append(Contact(string(f.name), f.e, f.e_t, f.mu, f.n_slip, f.row))
        return found

    @property
    def start_q(self) -> np.ndarray:
        """The positions that it starts with."""
        return array_of(lib.carom_model_start_q(self._model), self.sizes.nq, self._model).copy()

    @property
    def start_u(self) -> np.ndarray:
        """The velocities that it starts with."""
        return array_of(lib.carom_model_start_u(self._model), self.sizes.nu, self._model).copy()

    @property
    def parameters(self) -> dict[str, float]:
        """The live parameters and their values (live)."""
        found = (lib.carom_model_live(self._model, i) for i in range(lib.carom_model_n_live(self._model)))
        return {string(p.name): p.value for p in found}

    @property
    def warnings(self) -> list[str]:
        """What is allowed but should be known."""
        return [string(lib.carom_model_warning(self._model, i)) for i in range(lib.carom_model_n_warning(self._model))]

    def number(self, expression: str) -> float:
        """The value of an expression of its parameters."""
        value = self._number("expression", number_text(expression))
        if math.isnan(value):
            raise InputError(f"{expression} is not a number")
        return value

    def _change_lines(self) -> str:
        return "\n".join(f"{kind} {name}={value}" for kind, name, value in self._changes if kind != "live")

    def __repr__(self) -> str:
        s = self.sizes
        return f"<carom.Model {self.name}: {s.nq} coordinates, {s.n_constraint} constraints, {s.n_contact} contacts>"


def models() -> list[str]:
    """The names of the shipped models."""
    return sorted(path.stem for path in (SHARE / "models").glob("*.yaml"))
