# SPDX-License-Identifier: Apache-2.0
"""Reference pages that are made, not written: the command from its own help, C from the headers by doxygen, Python from its docstrings."""
from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

from page import ROOT

LISTS = ("schemes", "solvers", "joints", "elements", "shapes", "measures", "limits")
PYTHON = ("model", "result", "simulation", "builder", "system", "evaluation", "scheme", "contact", "study", "figure")


def said_by(carom: Path, *words: str) -> str:
    return subprocess.run([carom, *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout


def command(carom: Path) -> str:
    first = said_by(carom, "--help")
    names = re.findall(r"^  carom (\w+)", first, re.M)
    parts = [f"# The command\n\nWhat each subcommand says of itself, and `man carom`.\n\n```text\n{first}```\n"]
    for name in names:
        parts.append(f"## carom {name}\n\n```text\n{said_by(carom, name, '--help')}```\n")
    return "\n".join(parts)


def words(carom: Path) -> str:
    parts = ["# Words of models\n\nWhat `carom list` prints. Sections and keys of the file: [models.md](../models.md), [bodies.md](../bodies.md), "
             "[shapes.md](../shapes.md), [flexible.md](../flexible.md).\n"]
    parts += [f"## {name}\n\n```text\n{said_by(carom, 'list', name)}```\n" for name in LISTS]
    return "\n".join(parts)


def c_interface(extra: Path) -> str:
    headers = sorted(path.name for path in (ROOT / "include/carom").glob("*.h"))
    page = "# The C interface\n\n[extending](../extending.md) and [models in C](../models-in-c.md) begin with examples.\n\n"
    if not shutil.which("doxygen"):
        print("docs: doxygen is not installed; the reference of the C interface is left out")
        return page + "doxygen was not installed when this site was built: read the headers in `include/carom`.\n"
    settings = f"""
PROJECT_NAME = Carom
INPUT = {ROOT}/include/carom
STRIP_FROM_PATH = {ROOT}/include
OUTPUT_DIRECTORY = {extra}
HTML_OUTPUT = c
GENERATE_LATEX = NO
OPTIMIZE_OUTPUT_FOR_C = YES
EXTRACT_ALL = YES
TYPEDEF_HIDES_STRUCT = YES
JAVADOC_AUTOBRIEF = YES
HIDE_UNDOC_RELATIONS = YES
HAVE_DOT = NO
QUIET = YES
WARN_IF_DOC_ERROR = NO
WARNINGS = NO
MACRO_EXPANSION = YES
EXPAND_ONLY_PREDEF = YES
PREDEFINED = CAROM_API=
HTML_EXTRA_STYLESHEET = {Path(__file__).resolve().parent}/doxygen-more.css
"""
    extra.mkdir(parents=True, exist_ok=True)
    subprocess.run(["doxygen", "-"], input=settings, text=True, check=True, stdout=subprocess.DEVNULL)
    rows = "".join(f'<tr><td><a href="../c/{name.removesuffix(".h").replace("_", "__")}_8h.html">carom/{name}</a></td><td>{head(name)}</td></tr>'
                   for name in headers)
    return page + ('<p><a href="../c/index.html">All functions, structures and constants</a>, made from the headers by doxygen.</p>\n\n'
                   f"<table>{rows}</table>\n")


def head(name: str) -> str:
    """The first sentence of a header's head."""
    lines = (ROOT / "include/carom" / name).read_text().split("\n")[1:]
    text = " ".join(line[2:].strip() for line in lines[:lines.index("")] if line.startswith("//")) if "" in lines else ""
    text = re.sub(r"&", "&amp;", text.split(". ")[0]).replace("<", "&lt;")
    return text if len(text) < 260 else ""


def python_package(has_package: bool) -> str:
    page = "# The Python package\n\n[python.md](../python.md) is the guide; here are the docstrings.\n\n"
    if not has_package:
        return page + "The package was not built when this site was (`make wheel`): read the docstrings with `help(carom)`.\n"
    parts = [f"## carom.{name}\n\n```{{eval-rst}}\n.. automodule:: carom.{name}\n   :members:\n   :show-inheritance:\n```\n" for name in PYTHON]
    return page + "\n".join(parts)
