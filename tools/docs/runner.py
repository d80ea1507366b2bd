# SPDX-License-Identifier: Apache-2.0
"""Runs the blocks of one page, from top to bottom, in one folder, and compares what they print with what the page shows.

    sh        commands of a shell; a ```text block right below is what they print
    console   lines with `$ ` are commands (a \\ goes on), the others what they print
    yaml      a model, or a part of one with its `with:`; `carom check` reads it
    python    all blocks of a page in one process, which keeps its names
    c         a program, or its statements; compiled against the library and run
    usage     synopses: the command and its options must be in its --help
    text      output of the block above it, a diagram or a formula; nothing to run
"""
from __future__ import annotations

import contextlib
import importlib.util
import io
import os
import re
import subprocess
import traceback
from dataclasses import dataclass, field
from pathlib import Path

from compare import difference
from page import ROOT, Block, Page

FOREIGN = ("xml", "cpp", "matlab")  # of other programs: always with a reason
KINDS = ("sh", "console", "yaml", "python", "c", "usage", "text", "math")
LONGEST = 280  # seconds of a block


@dataclass
class Run:
    """One page: where it runs, and what came of it."""
    page: Page
    folder: Path
    carom: Path
    only: str = "all"  # quick: no slow blocks, no Python
    space: dict = field(default_factory=lambda: {"__name__": "page"})
    wrong: list[str] = field(default_factory=list)
    n_run: int = 0
    left_out: list[str] = field(default_factory=list)
    differs: list[tuple[int, str, str]] = field(default_factory=list)  # line, what the page shows there, what was printed

    def complain(self, block: Block, what: str) -> None:
        self.wrong.append(f"{self.page.name}:{block.line}: {what}")


def python_package(carom: Path) -> str:
    """Where python/build_carom.py has put the package."""
    return os.environ.get("CAROM_PYTHON", str(carom.resolve().parent / "python"))


def environment(run: Run) -> dict[str, str]:
    build = run.carom.parent
    return {**os.environ, "PATH": f"{run.folder}/.bin:{os.environ['PATH']}", "HOME": str(run.folder),
            "XDG_CACHE_HOME": f"{run.folder}/.cache", "COLUMNS": "100", "LC_ALL": "C.UTF-8",
            "PYTHONPATH": python_package(run.carom), "LD_LIBRARY_PATH": str(build / "lib"), "PYTHONDONTWRITEBYTECODE": "1"}


def keep(run: Run, block: Block) -> None:
    (run.folder / block.marks["file"]).write_text(block.marks.get("with", "").lstrip("\n") + block.text)


def prepare(run: Run) -> None:
    (run.folder / ".bin").mkdir(parents=True, exist_ok=True)
    for name, target in ((".bin/carom", run.carom), ("models", ROOT / "models"), ("examples", ROOT / "examples")):
        link = run.folder / name
        if not link.is_symlink():
            link.symlink_to(target)


def command(run: Run, block: Block, words: list[str]) -> str:
    """Runs it and gives what it printed, errors too; complains of another exit code than expected."""
    expected = int(block.marks.get("exit", "0"))
    try:
        done = subprocess.run(words, cwd=run.folder, env=environment(run), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=LONGEST)
    except subprocess.TimeoutExpired:
        run.complain(block, f"takes longer than {LONGEST} s")
        return ""
    printed = done.stdout.decode(errors="replace")
    if done.returncode != expected:
        run.complain(block, f"exit code {done.returncode}: {' '.join(words)[-200:]}\n{printed[-1500:]}")
    return printed


def compare(run: Run, block: Block, line: int, shown: str, printed: str) -> None:
    tolerance = float(block.marks["tolerance"]) if "tolerance" in block.marks else None
    free = [int(word) for word in block.marks.get("free", "").split()]
    wrong = difference(shown, printed, tolerance, free)
    if wrong:
        run.wrong.append(f"{run.page.name}:{line}: {wrong}")
        run.differs.append((line, shown, printed))


def compare_shown(run: Run, block: Block, printed: str) -> None:
    if block.shown:
        compare(run, block, block.shown.line, block.shown.text, printed)


def run_sh(run: Run, block: Block) -> None:
    compare_shown(run, block, command(run, block, ["sh", "-e", "-c", block.marks.get("with", "") + block.text]))


def run_console(run: Run, block: Block) -> None:
    parts = re.split(r"^\$ ", block.text, flags=re.M)
    if parts[0].strip():
        run.complain(block, "a console block begins with `$ `")
    line = block.line
    for part in parts[1:]:
        typed = re.match(r"(?:.*\\\n)*.*\n", part)[0]
        printed = command(run, block, ["sh", "-e", "-c", typed])
        compare(run, block, line + typed.count("\n"), part[len(typed):], printed)
        line += part.count("\n")


def run_yaml(run: Run, block: Block) -> None:
    text = block.marks.get("with", "").lstrip("\n") + block.text
    if "file" in block.marks:
        keep(run, block)
        if not re.search(r"^(carom:|coordinates:|bodies:)", text, re.M):
            return  # a study, a paper: the commands below read it
    if not re.search(r"^carom:", text, re.M):
        text = "carom: 1\n" + text
    (run.folder / ".block.yaml").write_text(text)
    path = block.marks.get("file", ".block.yaml")
    if "paper:" not in text:
        compare_shown(run, block, command(run, block, ["sh", "-e", "-c", f"carom check {path}"]))


def run_python(run: Run, block: Block) -> None:
    kept = dict(os.environ)
    os.environ.update(environment(run))
    out, text = io.StringIO(), block.marks.get("with", "").lstrip("\n") + block.text
    try:
        with contextlib.redirect_stdout(out), contextlib.chdir(run.folder):
            exec(compile(text, run.page.name, "exec"), run.space)  # noqa: S102 (that is what this is for)
    except BaseException:
        run.complain(block, traceback.format_exc(limit=-2))
    finally:
        os.environ.clear()
        os.environ.update(kept)
    compare_shown(run, block, out.getvalue())


def c_program(block: Block) -> str:
    text = block.marks.get("with", "").lstrip("\n") + block.text
    if re.search(r"^(int main|\w.*\)\n\{)", text, re.M):
        return text if "int main" in text else text + "\nint main(void)\n{\n    return 0;\n}\n"
    head = "".join(line + "\n" for line in text.split("\n") if line.startswith("#"))
    body = "".join(line + "\n" for line in text.split("\n") if not line.startswith("#"))
    return f"{head}#include <stdio.h>\nint main(void)\n{{\n{body}return 0;\n}}\n"


def run_c(run: Run, block: Block) -> None:
    (run.folder / ".block.c").write_text(c_program(block))
    cc, lib = os.environ.get("CC", "cc"), run.carom.parent / "lib"
    compile_it = f"{cc} -std=c17 -Wall -Werror -Wno-unused -I{ROOT}/include .block.c -L{lib} -lcarom -lm -o .block"
    printed = command(run, block, ["sh", "-e", "-c", f"{compile_it} && ./.block"])
    compare_shown(run, block, printed)


def run_usage(run: Run, block: Block) -> None:
    """`carom WORD [WORD] ...`, several to a line where three blanks part them; lines that begin with blanks go on."""
    for line in re.split(r"\n(?!\s)|\s{3,}(?=carom )", block.text.strip()):
        words = line.split()
        name = [word for word in words[1:3] if re.fullmatch(r"[a-z]+", word)]
        said = subprocess.run([run.carom, *name[:1], "--help"], capture_output=True, text=True, env=environment(run))
        if words[0] != "carom" or said.returncode:
            run.complain(block, f"no such command: {line}")
        for option in set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", line)):
            if not re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", said.stdout):
                run.complain(block, f"carom {name[0]} --help does not know {option}")


WAYS = {"sh": run_sh, "console": run_console, "yaml": run_yaml, "python": run_python, "c": run_c, "usage": run_usage}


def is_left_out(run: Run, block: Block) -> bool:
    if "not run" in block.marks:
        run.left_out.append(f"{run.page.name}:{block.line}: {block.marks['not run']}")
        if len(block.marks["not run"]) < 10:
            run.complain(block, "`not run:` says no reason")
        return True
    for module in block.marks.get("needs", "").split():
        if importlib.util.find_spec(module) is None:
            run.left_out.append(f"{run.page.name}:{block.line}: Python has no {module}")
            return True
    if run.only == "quick" and ("slow" in block.marks or block.kind == "python"):
        return True
    return False


def run_page(page: Page, folder: Path, carom: Path, only: str = "all") -> Run:
    run = Run(page, folder.resolve(), carom.resolve(), only)
    if page.run_by:
        if not (ROOT / page.run_by).is_file() or page.path.name not in (ROOT / page.run_by).read_text():
            run.wrong.append(f"{page.name}: {page.run_by} does not run it")
    prepare(run)
    for block in page.blocks:
        if block.kind == "text" and "file" in block.marks:
            keep(run, block)
        if block.kind not in KINDS + FOREIGN:
            run.complain(block, f"a block of kind '{block.kind}': known are {', '.join(KINDS)}")
        elif block.kind in FOREIGN and not is_left_out(run, block):
            run.complain(block, "nothing here runs it: say why with `not run:`")
        elif block.kind in WAYS and not page.run_by and not is_left_out(run, block):
            WAYS[block.kind](run, block)
            run.n_run += 1
    return run
