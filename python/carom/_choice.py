# SPDX-License-Identifier: Apache-2.0
"""How a model is run: what is given here goes before the run section of its file, as on the command line.

Where another scheme (or solver) is named than in the file, those options of the file that the other one has are kept
and the rest is left out. What is given here must always be known.
"""
from __future__ import annotations

import math
import os
from typing import Any, Mapping

from ._c import Call, InputError, Keep, Place, ffi, lib, number_text, string

USUAL_SCHEME = "moreau_midpoint"


class RunTexts:
    """The run section of a model file; all absent for a model of callbacks."""

    def __init__(self, run: Any = ffi.NULL):
        names = ("scheme", "solver", "step", "tolerance", "end", "native")
        given = {name: getattr(run, name) for name in names} if run else {}
        self.texts = {name: string(given[name].text) if name in given and given[name].text else None for name in names}
        self.places = {name: Place.of(text.place) for name, text in given.items()}
        rows = [run.setting[i] for i in range(run.n_setting)] if run else []
        self.settings = {string(row.name.text): string(row.value.text) for row in rows}
        self.setting_places = {string(row.name.text): (Place.of(row.name.place), Place.of(row.value.place)) for row in rows}
        self.allow_penetration = bool(run and run.allow_penetration)
        self.allow_unstable = bool(run and run.allow_unstable)


def option_rows(rows: Any) -> list[str]:
    """The names of a scheme's or solver's options."""
    names = []
    while rows and rows.name:
        names.append(string(rows.name))
        rows += 1
    return names


def solver_names() -> list[str]:
    """The names of the contact solvers."""
    return [string(lib.carom_solver_at(i).name) for i in range(lib.carom_solver_count())]


def solver_options(name: str) -> list[str]:
    """The options of a solver, as they are written for a run: solver.NAME."""
    for i in range(lib.carom_solver_count()):
        facts = lib.carom_solver_at(i)
        if string(facts.name) == name:
            return ["solver." + option for option in option_rows(facts.option)]
    return []


class Choice:
    """carom_sim_options, and all that they borrow."""

    def __init__(self, model: Any, given: Mapping[str, Any]):
        given = dict(given)
        self.keep = Keep()
        self.model, self.file = model, model._run_texts
        self.options = ffi.new("carom_sim_options *", lib.carom_sim_default())
        self._choose_scheme(given)
        self._choose_steps(given)
        self._choose_settings(dict(given.pop("options", None) or {}))
        self._choose_rest(given)
        if given:
            raise TypeError(f"a run has no option {', '.join(sorted(given))}; it takes {', '.join(RUN_OPTIONS)}")

    def _choose_scheme(self, given: dict[str, Any]) -> None:
        scheme = given.pop("scheme", None)
        own = getattr(scheme, "_scheme", None)  # carom.Scheme
        file_scheme = self.file.texts["scheme"] or USUAL_SCHEME
        self.scheme = scheme.name if own is not None else (scheme or file_scheme)
        self.other_scheme = self.scheme != file_scheme
        solver = given.pop("solver", None)
        file_solver = self.file.texts["solver"] or "auto"
        self.solver = solver or file_solver
        self.other_solver = self.solver != file_solver
        self.options.solver = self.keep.chars(self.solver)
        if self.solver != "auto" and self.solver not in solver_names():
            place = Place("solver") if solver else self.file.places["solver"]
            raise place.wrong(f"unknown solver '{self.solver}'; carom.solvers() has all")
        if own is not None:
            self.keep.hold(scheme)
            self.row = self.options.own_scheme = own
            self.options.scheme = ffi.NULL
            return
        name = self.keep.chars(self.scheme)
        self.row = lib.carom_scheme_find(name)
        if not self.row:
            place = Place("scheme") if scheme else self.file.places["scheme"]
            raise place.wrong(f"unknown scheme '{self.scheme}'; carom.schemes() has all")
        self.options.scheme = name

    def _number(self, what: str, value: Any, place: Place | None = None) -> float:
        """A number above 0; 0 where none is given."""
        if value is None:
            return 0.0
        place = place or Place(what)
        found = self.model._number(place, number_text(value))
        if not (math.isfinite(found) and found > 0):
            is_said = place.file == what
            raise place.wrong(f"{'' if is_said else what + ' '}must be a number above 0, not {value} (= {found:g})")
        return found

    def _of_file(self, what: str) -> float:
        return self._number(what, self.file.texts[what], self.file.places.get(what))

    def _choose_steps(self, given: dict[str, Any]) -> None:
        texts, o = self.file.texts, self.options
        step, tolerance, end = (given.pop(name, None) for name in ("step", "tolerance", "end"))
        self.was_auto = texts["step"] == "auto"
        self.is_auto = step == "auto" or (step is None and self.was_auto)
        if step is not None and step != "auto" and tolerance is not None:
            raise InputError("step and tolerance are both given: only step='auto' goes with a tolerance")
        o.is_auto_step = self.is_auto
        if step is None and tolerance is None and not self.was_auto:
            o.step = self._of_file("step")
        if tolerance is None and (step is None or self.is_auto):
            o.tolerance = self._of_file("tolerance")
        if not self.is_auto and step is not None:
            o.step = self._number("step", step)
        if tolerance is not None:
            o.tolerance = self._number("tolerance", tolerance)
        o.end = self._of_file("end") if end is None else self._number("end", end)

    def _known(self) -> set[str]:
        known = set(option_rows(self.row.option)) | set(solver_options(self.solver))
        return known | (set(option_rows(lib.carom_auto_step_options())) if self.is_auto else set())

    def _is_kept(self, name: str) -> bool:
        is_control = name.startswith("atol.") or name in option_rows(lib.carom_auto_step_options())
        put_aside = self.was_auto and not self.is_auto and is_control
        changed = self.other_solver if name.startswith("solver.") else self.other_scheme or put_aside
        return not changed or name in self._known() or (self.is_auto and is_control)

    def _choose_settings(self, given: dict[str, Any]) -> None:
        self.settings = {name: number_text(value) for name, value in given.items()}
        for name, value in self.file.settings.items():
            if name not in self.settings and self._is_kept(name):
                self.settings[name] = value
        rows = []
        for name, value in self.settings.items():
            places = (f"option {name}",) * 2 if name in given else self.file.setting_places[name]
            rows.append([self.keep.text(name, places[0]), self.keep.text(value, places[1])])
        self.options.setting, self.options.n_setting = self.keep.array("carom_setting", rows), len(rows)

    def _choose_rest(self, given: dict[str, Any]) -> None:
        o = self.options
        agreed = self.file.texts["native"] == "true" and os.environ.get("CAROM_NATIVE") == "1"
        o.is_native = bool(given.pop("native", False)) or agreed
        o.allow_penetration = bool(given.pop("allow_penetration", False)) or self.file.allow_penetration
        o.allow_unstable = bool(given.pop("allow_unstable", False)) or self.file.allow_unstable
        every = given.pop("every", None)
        if every is not None:
            if int(every) != every or not 1 <= every <= 1000000000:
                raise InputError(f"every must be a whole number from 1 to 1000000000, not {every}")
            o.every = int(every)
        o.output_step = self._number("output_step", given.pop("output_step", None))
        o.section = self.keep.chars(given.pop("section", None))
        o.save_contact = self.keep.chars(given.pop("save_contact", None))
        o.limits = self.keep.hold(limits_of(given.pop("limits", None)))
        for name in [name for name in given if name in _PLAIN]:
            setattr(o, name, given.pop(name))

    def check(self) -> None:
        """What a run cannot do without."""
        o, scheme = self.options, self.row
        if not scheme.is_adaptive and o.step == 0 and not o.is_auto_step:
            auto = " or step='auto'" if scheme.can_vary_step else ""
            raise InputError(f"no time step: scheme {self.scheme} needs one; give step=H{auto}")
        if o.step == 0 and o.tolerance == 0 and not o.is_auto_step:
            raise InputError("neither step nor tolerance: give tolerance=TOL or step=H")
        if o.end == 0:
            raise InputError("no end time: give end=T")

    def lines(self) -> str:
        """The options as result files keep them."""
        lines = ["step=auto"] if self.is_auto else []
        if self.options.tolerance > 0:
            lines.append(f"tolerance={self.options.tolerance:.17g}")
        return "\n".join(lines + [f"{name}={value}" for name, value in self.settings.items()])


_NAMED = ("scheme", "solver", "step", "tolerance", "end", "every", "output_step", "options", "native", "section",
          "allow_penetration", "allow_unstable", "save_contact", "limits")
# numbers that the library's struct has and that need no word here: a new one is there at once
_PLAIN = tuple(name for name, field in ffi.typeof("carom_sim_options").fields
               if field.type.kind == "primitive" and name not in (*_NAMED, "is_native", "is_auto_step", "n_setting"))
RUN_OPTIONS = (*_NAMED, *_PLAIN)


def limits_of(values: Mapping[str, Any] | None) -> Any:
    """carom_limits with changes by name."""
    call, keep = Call(), Keep()
    limits = ffi.new("carom_limits *", lib.carom_limits_default())
    for name, value in (values or {}).items():
        call(lib.carom_limits_set, limits, keep.chars(name), keep.chars(number_text(value)))
    return limits
