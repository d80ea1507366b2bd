# SPDX-License-Identifier: Apache-2.0
"""Figures by the library: panels of curves, as SVG or PNG, without matplotlib."""
from __future__ import annotations

import os
from typing import Any, Sequence

import numpy as np

from ._c import Call, Keep, ffi, lib


@ffi.def_extern(error=False)
def carom_py_write(handle: Any, text: Any, length: int) -> bool:
    """What carom_text_sink calls."""
    ffi.from_handle(handle).append(ffi.buffer(text, length)[:])
    return True


class Figure:
    """A panel for each curve over one abscissa."""

    def __init__(self, t: np.ndarray, curves: Sequence[tuple[str, str, np.ndarray]], title: str):
        self._keep = keep = Keep()
        x, panels = keep.doubles(t), []
        for name, unit, values in curves:
            series = keep.hold(ffi.new("carom_series *", {"x": x, "y": keep.doubles(values), "n": len(t)}))
            panels.append({"x": {"label": keep.chars("t"), "unit": keep.chars("s")},
                           "y": {"label": keep.chars(name), "unit": keep.chars(unit)}, "series": series, "n_series": 1})
        rows = keep.hold(ffi.new("carom_plot[]", panels))
        self._figure = ffi.new("carom_figure *", {"title": keep.chars(title), "panel": rows, "n_panel": len(panels)})

    def svg(self) -> str:
        """The figure as one <svg> element."""
        pieces: list[bytes] = []
        handle = ffi.new_handle(pieces)
        Call()(lib.carom_figure_svg, self._figure, ffi.new("carom_text_sink *", [handle, lib.carom_py_write])[0])
        return b"".join(pieces).decode()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes FILE.svg or FILE.png."""
        Call()(lib.carom_figure_write, self._figure, Keep().chars(path))

    _repr_svg_ = svg
