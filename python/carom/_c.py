# SPDX-License-Identifier: Apache-2.0
"""The C library, and what every call of it needs: texts that stay alive, errors as exceptions, arrays."""
from __future__ import annotations

import os
from typing import Any, Iterable, NamedTuple

import numpy as np

try:
    from ._carom import ffi, lib
except ImportError as why:
    raise ImportError(f"{why}; the library of carom needs the Debian packages libfyaml0, libhdf5-103-1, libklu1, libldl2, "
                      "libsqlite3-0 and python3-cffi-backend, or those that stand for them") from why

__all__ = ["ffi", "lib", "CaromError", "InputError", "NotFiniteError", "NotConvergedError", "OutOfMemoryError", "FileError",
           "StoppedError", "ContractError", "Call", "Keep", "Place", "string", "array_of", "doubles", "number_text", "flat"]


class CaromError(Exception):
    """What the library refused, or why a run ended. str() is one line, "file:line:column: what (way out)".

    file, line and column are None where they are not known; what is the message without them.
    """

    def __init__(self, message: str, file: str | None = None, line: int | None = None, column: int | None = None,
                 what: str | None = None):
        super().__init__(message)
        self.file, self.line, self.column = file, line, column
        self.what = message if what is None else what

    def __str__(self) -> str:
        return str(self.args[0])


class InputError(CaromError, ValueError):
    """A text, number or combination is wrong; the message says how to mend it."""


class NotFiniteError(CaromError, ArithmeticError):
    """A number became infinite or undefined."""


class NotConvergedError(CaromError, ArithmeticError):
    """An iteration did not reach its tolerance."""


class OutOfMemoryError(CaromError, MemoryError):
    """Memory ran out."""


class FileError(CaromError, OSError):
    """A file could not be read or written."""


class StoppedError(CaromError):
    """It was asked to stop."""


class ContractError(CaromError, RuntimeError):
    """The package called the library in a way that it must not: a bug of the package."""


_CLASSES: dict[int, type[CaromError]] = {
    lib.CAROM_BAD_INPUT: InputError, lib.CAROM_NOT_FINITE: NotFiniteError, lib.CAROM_NOT_CONVERGED: NotConvergedError,
    lib.CAROM_NO_MEMORY: OutOfMemoryError, lib.CAROM_IO: FileError, lib.CAROM_STOPPED: StoppedError,
    lib.CAROM_BUG: ContractError,
}


def string(text: Any) -> str:
    """A text of the library; "" for NULL."""
    return ffi.string(text).decode("utf-8", "replace") if text else ""


def exception_of(error: Any, status: int) -> CaromError:
    """What a carom_error says."""
    kind = _CLASSES.get(status, ContractError)
    message = ffi.string(error.message)
    if not message:
        return kind(f"the library returned status {status} without a message")
    return kind(message.decode("utf-8", "replace"), message[:error.n_file].decode("utf-8", "replace") or None,
                error.line or None, error.column or None, message[error.n_place:].decode("utf-8", "replace"))


class Call:
    """Calls of the library that may fail: call(lib.f, a, b) passes a carom_error and raises what it says."""

    __slots__ = ("error",)

    def __init__(self) -> None:
        self.error = ffi.new("carom_error *")

    def __call__(self, function: Any, *arguments: Any) -> None:
        status = function(*arguments, self.error)
        if status != lib.CAROM_OK:
            raise self.failure(status)

    def failure(self, status: int) -> CaromError:
        """The exception of a call that failed; the error is ready for the next one."""
        found = exception_of(self.error, status)
        ffi.memmove(self.error, bytes(ffi.sizeof("carom_error")), ffi.sizeof("carom_error"))
        return found


class Place(NamedTuple):
    """Where a text stands."""

    file: str | None
    line: int = 0
    column: int = 0

    @classmethod
    def of(cls, place: Any) -> "Place":
        """A carom_place."""
        return cls(string(place.file) or None, place.line, place.column)

    def wrong(self, what: str) -> InputError:
        """The error that something there is wrong, as the library would say it."""
        lead = (f"{self.file}:" if self.file else "") + (f"{self.line}:{self.column}:" if self.line else "")
        return InputError(f"{lead} {what}" if lead else what, self.file, self.line or None, self.column or None, what)


class Keep:
    """Texts and arrays that C borrows: they live as long as this."""

    def __init__(self) -> None:
        self._kept: list[Any] = []

    def hold(self, thing: Any) -> Any:
        self._kept.append(thing)
        return thing

    def chars(self, text: str | os.PathLike[str] | None) -> Any:
        """char * of a text, or NULL."""
        if text is None:
            return ffi.NULL
        encoded = os.fsencode(text)
        if b"\0" in encoded:
            raise InputError(f"a text must not contain the character 0: {os.fspath(text)!r}")
        return self.hold(ffi.new("char[]", encoded))

    def text(self, text: Any, place: Place | str | None = None) -> Any:
        """carom_text; None is absent. A place that is no Place stands in messages where a file would."""
        at = place if isinstance(place, Place) else Place(place)
        return self.hold(ffi.new("carom_text *", [self.chars(None if text is None else number_text(text)),
                                                  [self.chars(at.file), at.line, at.column]]))[0]

    def settings(self, values: dict[str, Any], label: str) -> tuple[Any, int]:
        """carom_setting[] of names and values."""
        rows = [[self.text(name, f"{label} {name}"), self.text(value, f"{label} {name}")] for name, value in values.items()]
        return self.hold(ffi.new("carom_setting[]", rows or 1)), len(rows)

    def array(self, kind: str, values: Iterable[Any]) -> Any:
        """kind[] of values, at least one long so that it is not NULL."""
        return self.hold(ffi.new(f"{kind}[]", list(values) or 1))

    def doubles(self, values: Any) -> Any:
        """double * of an array, which is kept."""
        block = self.hold(np.ascontiguousarray(values, dtype=np.float64).reshape(-1))
        return doubles(self.hold(block if block.size else np.zeros(1)))


def number_text(value: Any) -> str:
    """A number with all its digits, or an expression as it is."""
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    return repr(float(value))


def doubles(array: np.ndarray) -> Any:
    """double * of a contiguous array, without a copy. The array must live as long."""
    return ffi.cast("double *", array.ctypes.data)


class _Memory:
    """Memory of the library as NumPy sees it; it holds on to who owns it."""

    __slots__ = ("__array_interface__", "owner")

    def __init__(self, pointer: Any, shape: tuple[int, ...], owner: Any, is_writable: bool):
        address = int(ffi.cast("uintptr_t", pointer))
        self.__array_interface__ = {"version": 3, "typestr": "<f8", "shape": shape, "data": (address, not is_writable)}
        self.owner = owner


def array_of(pointer: Any, shape: int | tuple[int, ...], owner: Any, is_writable: bool = False) -> np.ndarray:
    """A view of doubles of the library; it keeps their owner alive."""
    shape = (shape,) if isinstance(shape, int) else shape
    if 0 in shape or not pointer:
        return np.zeros(shape)
    return np.asarray(_Memory(pointer, shape, owner, is_writable))


def flat(name: str, values: Any, n: int) -> np.ndarray:
    """n numbers, or an error that says which were wanted."""
    block = np.ascontiguousarray(values, dtype=np.float64).reshape(-1)
    if block.size != n:
        raise InputError(f"{name} needs {n} numbers, not {block.size}")
    return block
