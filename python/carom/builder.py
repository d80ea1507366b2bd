# SPDX-License-Identifier: Apache-2.0
"""Models said in Python. What is said becomes the text of a model file, line by line, so that everything that files can
do is there, the command runs it (Builder.save), and pages show it. A mistake is reported with the line of Python that
said it.

    b = carom.Builder("ball")
    b.parameter(g=9.81, e=0.8)
    b.coordinate("y", start=1)
    b.kinetic("der(y)^2/2").potential("g*y")
    b.contact("floor", gap="y", restitution="e")
    r = b.model().run(scheme="moreau_midpoint", step=1e-4, end=3)

Words are those of docs/models.md, docs/bodies.md and docs/shapes.md; those that Python does not allow as names get an
underscore (from_, for_), and blanks become underscores too.
"""
from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any, Mapping

import numpy as np

from ._c import InputError
from .model import Access, Model

_MAPPINGS = ("parameters", "tables", "coordinates", "define", "record", "bodies", "beams", "elastic", "joints", "motors",
             "force elements", "components", "use")
_LISTS = ("include", "kinetic", "potential", "forces", "constraints", "friction", "contacts", "draw", "materials")
_SINGLES = ("space", "gravity", "detection", "start", "run")
_HERE = os.path.dirname(os.path.abspath(__file__))


def _plain(value: Any) -> Any:
    """What JSON can say of a value: numbers with all their digits, texts, lists, mappings."""
    if isinstance(value, Mapping):
        return {_word(key): _plain(part) for key, part in value.items()}
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, (list, tuple, range)):
        return [_plain(part) for part in value]
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, np.integer):
        return int(value)
    if isinstance(value, (float, np.floating)):
        if not np.isfinite(value):
            raise InputError(f"a model has finite numbers, not {value}")
        return float(value)
    if isinstance(value, (int, str)):
        return value
    raise InputError(f"a model is made of numbers, texts, lists and mappings, not {type(value).__name__}")


def _word(key: str) -> str:
    """from_ is from."""
    return key[:-1] if key.endswith("_") and not key.endswith("__") else key


def _words(words: Mapping[str, Any]) -> dict[str, Any]:
    return {_word(key): _plain(value) for key, value in words.items() if value is not None}


def _caller() -> tuple[str, int]:
    """The line of Python outside of this package that is being run."""
    frame = sys._getframe(1)
    while frame.f_back is not None and os.path.dirname(os.path.abspath(frame.f_code.co_filename)) == _HERE:
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno


class Builder:
    """A model that is being written. All methods return the builder; model() makes the model."""

    def __init__(self, name: str = "model", about: str | None = None, source: str | None = None):
        self._head = {"carom": 1, "name": name, "about": about, "source": source}
        self._name = name
        self._sections: dict[str, list[tuple[str, tuple[str, int]]]] = {}

    # ---- any section ----

    def add(self, section: str, entry: Any, name: str | None = None) -> "Builder":
        """An entry of a section of model files: of those that are mappings with its name."""
        if section not in (*_MAPPINGS, *_LISTS, *_SINGLES):
            raise InputError(f"there is no section '{section}': {', '.join((*_MAPPINGS, *_LISTS, *_SINGLES))}")
        if (name is not None) != (section in _MAPPINGS):
            raise InputError(f"an entry of {section} {'needs a' if name is None else 'has no'} name")
        text = json.dumps(_plain(entry), ensure_ascii=False, allow_nan=False)
        lines = self._sections.setdefault(section, [])
        if section in _SINGLES:
            lines.clear()
        lead = f"  {json.dumps(name, ensure_ascii=False)}: " if name is not None else "  - " if section in _LISTS else "  "
        lines.append((lead + text, _caller()))
        return self

    # ---- equations ----

    def parameter(self, values: Mapping[str, Any] | None = None, /, **parameters: Any) -> "Builder":
        """Numbers, or expressions of earlier parameters: parameter(m=1, J="m*l^2/12")."""
        for name, value in {**(values or {}), **parameters}.items():
            self.add("parameters", value, name)
        return self

    def coordinate(self, name: str, start: Any = 0, rate: Any = 0, **words: Any) -> "Builder":
        """A coordinate with its start; words: unit, for_."""
        return self.add("coordinates", _words({"start": start, "rate": rate, **words}), name)

    def define(self, name: str, value: Any, **words: Any) -> "Builder":
        """A named expression."""
        return self.add("define", _words({"value": value, **words}) if words else value, name)

    def table(self, name: str, **words: Any) -> "Builder":
        """A function given by points: points or file, kind, period, columns."""
        return self.add("tables", _words(words), name)

    def kinetic(self, term: Any, **words: Any) -> "Builder":
        """A term of the kinetic energy [J]; terms add up."""
        return self.add("kinetic", _words({"term": term, **words}) if words else term)

    def potential(self, term: Any, **words: Any) -> "Builder":
        """A term of the potential energy [J]; terms add up."""
        return self.add("potential", _words({"term": term, **words}) if words else term)

    def force(self, force: Any, **words: Any) -> "Builder":
        """A force on a coordinate (coordinate="x"), or at a point (at=[x, y])."""
        return self.add("forces", _words({**words, "force": force}))

    def constraint(self, name: str, equation: Any = None, **words: Any) -> "Builder":
        """An equation that is kept at zero, or rate=..."""
        return self.add("constraints", _words({"name": name, "equation": equation, **words}))

    def friction(self, name: str, limit: Any, **words: Any) -> "Builder":
        """Dry friction under a given load: slip or slip_rate."""
        return self.add("friction", _words({"name": name, "limit": limit, **words}))

    def contact(self, name: str, gap: Any = None, **words: Any) -> "Builder":
        """A contact: gap or surface, slip or slip_rate, restitution, friction, ..."""
        return self.add("contacts", _words({"name": name, "gap": gap, **words}))

    def record(self, name: str, value: Any, **words: Any) -> "Builder":
        """An extra output."""
        return self.add("record", _words({"value": value, **words}) if words else value, name)

    def draw(self, **words: Any) -> "Builder":
        """A drawing: line=[[0, 0], ["x", "y"]], disc=["x", "y"], radius=0.1, ..."""
        return self.add("draw", _words(words))

    # ---- bodies ----

    def space(self, word: str) -> "Builder":
        """plane or space."""
        return self.add("space", word)

    def gravity(self, *components: Any) -> "Builder":
        """The acceleration of gravity [m/s2]."""
        return self.add("gravity", list(components))

    def body(self, name: str, **words: Any) -> "Builder":
        """A body: mass, inertia, at, velocity, points, shape, material, on, ... "ground" is one too."""
        return self.add("bodies", _words(words), name)

    def joint(self, name: str, kind: str, *to: str, **words: Any) -> "Builder":
        """A joint of a kind (carom list joints) between bodies: joint("pin", "revolute", "ground", "arm", at=[0, 0])."""
        return self.add("joints", {kind: list(to), **_words(words)}, name)

    def motor(self, name: str, on: str, **words: Any) -> "Builder":
        """A motor on a joint."""
        return self.add("motors", _words({"on": on, **words}), name)

    def element(self, name: str, kind: str, *to: str, **words: Any) -> "Builder":
        """A force element of a kind (carom list elements) between bodies."""
        return self.add("force elements", {kind: list(to), **_words(words)}, name)

    def beam(self, name: str, **words: Any) -> "Builder":
        """A beam (docs/flexible.md)."""
        return self.add("beams", _words(words), name)

    def material(self, one: str, other: str, **words: Any) -> "Builder":
        """How two materials touch: friction, restitution, ..."""
        return self.add("materials", {"between": [one, other], **_words(words)})

    # ---- how it starts and runs ----

    def start(self, **words: Any) -> "Builder":
        """positions="assemble", velocities="assemble", keep=[...]."""
        return self.add("start", _words(words))

    def run_section(self, **words: Any) -> "Builder":
        """How it is run unless Model.run says otherwise: scheme, step, end, ..."""
        return self.add("run", _words(words))

    # ---- what comes of it ----

    def _lines(self) -> list[tuple[str, tuple[str, int] | None]]:
        lines: list[tuple[str, tuple[str, int] | None]] = [
            (f"{key}: {json.dumps(value, ensure_ascii=False)}", None) for key, value in self._head.items() if value is not None]
        for section in (*_MAPPINGS[:4], *_LISTS, *_MAPPINGS[4:], *_SINGLES):
            if section in self._sections:
                lines += [(f"{section}:", None), *self._sections[section]]
        return lines

    def text(self) -> str:
        """The model file."""
        return "".join(line + "\n" for line, _ in self._lines())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model file."""
        Path(path).write_text(self.text())

    def model(self, access: Access | None = None) -> Model:
        """Makes the model."""
        file = f"{self._name}.yaml"
        try:
            return Model.from_string(self.text(), file, access)
        except InputError as why:
            if why.file != file or not why.line:
                raise
            said, place = self._lines()[why.line - 1]
            if place is None:
                raise
            message = f"{place[0]}:{place[1]}: {why.what} [{said.strip()}]"
            raise InputError(message, place[0], place[1], None, why.what) from None

    def run(self, **options: Any) -> Any:
        """model().run(...)."""
        return self.model().run(**options)
