# SPDX-License-Identifier: Apache-2.0
"""Makes the package's extension module from the public headers and glue.c, with cffi in API mode.

    python3 build_carom.py INCLUDE LIBRARY TARGET           TARGET: a folder; the package is put together below it
    python3 build_carom.py INCLUDE LIBRARY TARGET system    the same for a distribution

LIBRARY (libcarom.so.0) is copied into the package, and the module finds it beside itself. Models and parts go with it.
For a distribution they are the installed ones.
"""
from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from cffi import FFI

import headers

HERE = Path(__file__).resolve().parent

# what glue.c has, and what of the package the library calls
GLUE = """
typedef struct carom_py_log {
    int n_column;
    double *row;
    long n_row;
    carom_event *event;
    long n_event;
    carom_contact_line *line;
    long n_line;
    ...;
} carom_py_log;
carom_py_log *carom_py_log_new(void);
void carom_py_log_free(carom_py_log *log);
carom_status carom_py_log_record(carom_py_log *log, carom_sim *sim, carom_error *error);
carom_status carom_py_log_replay(const carom_py_log *log, carom_output *output, carom_error *error);
carom_status carom_py_steps(carom_sim *sim, long n, carom_error *error);
static const double CAROM_CONTACT_TOLERANCE;
void free(void *);

extern "Python" {
    bool carom_py_tick(void *self, double t, double end, long steps);
    bool carom_py_write(void *self, const char *text, size_t length);
    int carom_py_mass(void *user, double t, const double *q, double *M);
    int carom_py_forces(void *user, double t, const double *q, const double *u, double *f);
    int carom_py_gaps(void *user, double t, const double *q, double *constraint, double *gap);
    int carom_py_rows(void *user, double t, const double *q, double *W, double *w0);
    int carom_py_potential(void *user, double t, const double *q, double *V);
    int carom_py_power(void *user, double t, const double *q, const double *u, double *p);
    int carom_py_d_forces(void *user, double t, const double *q, const double *u, double *df_dq, double *df_du);
}
"""


def write_source(include: Path, target: Path) -> None:
    """The module as one C file."""
    ffi = FFI()
    ffi.cdef(headers.declarations(include) + GLUE)
    ffi.set_source("carom._carom", (HERE / "glue.c").read_text())
    ffi.emit_c_code(str(target))


def compile_module(source: Path, include: Path, library: Path, target: Path, is_alone: bool) -> None:
    """For the limited interface of CPython, so that one module serves all versions from 3.7 on."""
    command = [
        *sysconfig.get_config_var("CC").split(), "-O2", "-shared", "-fPIC", "-fvisibility=hidden", "-DPy_LIMITED_API",
        "-w", f"-I{include}", f"-I{sysconfig.get_paths()['include']}", f"-I{sysconfig.get_paths()['platinclude']}",
        str(source), str(library), *(["-Wl,-rpath,$ORIGIN"] if is_alone else []), "-o", str(target),
    ]
    subprocess.run(command, check=True)


def newer(target: Path, *sources: Path) -> bool:
    """Whether target is as new as all of its sources."""
    return target.exists() and all(target.stat().st_mtime >= s.stat().st_mtime for s in sources)


def copy_package(package: Path, share: Path | None) -> None:
    """The Python files, and the models and parts of the distribution."""
    for old in package.glob("*.py"):
        if not (HERE / "carom" / old.name).exists():
            old.unlink()
    shutil.copytree(HERE / "carom", package, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__", "*.so*"))
    for folder in ("models", "parts") if share else ():
        shutil.copytree(share / folder, package / "share" / folder, dirs_exist_ok=True)


def forget_build_folder(library: Path) -> None:
    """A library that was linked with folders of the machine it was built on looks beside itself instead."""
    dynamic = subprocess.run(["readelf", "-d", str(library)], check=True, capture_output=True, text=True).stdout
    if "RUNPATH" in dynamic or "RPATH" in dynamic:
        subprocess.run(["patchelf", "--set-rpath", "$ORIGIN", str(library)], check=True)


def main(include: Path, library: Path, target: Path, is_alone: bool) -> None:
    package = target / "carom"
    package.mkdir(parents=True, exist_ok=True)
    copy_package(package, HERE.parent if is_alone else None)
    source, module = target / "_carom.c", package / "_carom.abi3.so"
    inside = package / "libcarom.so.0"
    inputs = [HERE / "glue.c", HERE / "headers.py", HERE / "build_carom.py", *headers.in_order(include)]
    if not newer(source, *inputs):
        write_source(include, source)
    if not newer(module, source):
        compile_module(source, include, library, module, is_alone)
    if is_alone and not newer(inside, library):
        shutil.copy(library, inside)
        forget_build_folder(inside)


if __name__ == "__main__":
    main(*(Path(argument).resolve() for argument in sys.argv[1:4]), sys.argv[4:] != ["system"])
