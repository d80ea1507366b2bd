# SPDX-License-Identifier: Apache-2.0
"""A chapter of the tutorial as a Jupyter notebook: text, models by %%writefile, commands by %%sh, Python as it is, figures as SVG.

Cells of commands need no kernel but Python's own: `run_cells` runs a notebook without Jupyter, for the test.
"""
from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

from page import MARK, Block, Page


def commands(block: Block) -> str:
    """What is typed. Models of the library are known by name, so that a notebook needs no folder of them; what looks into their files stays out."""
    typed = [block.text.rstrip("\n")]
    if block.kind == "console":
        typed = [line.removeprefix("$ ") for line in re.findall(r"^\$ (?:.*\\\n)*.*", block.text, re.M)]
    typed = [re.sub(r"\bmodels/([\w-]+)\.yaml", r"\1", line) if line.startswith("carom ") else line for line in typed]
    return "".join(line + "\n" for line in typed if "models/" not in line)


def code(source: str) -> dict:
    return {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": source.rstrip("\n")}


def markdown(source: str) -> list[dict]:
    return [{"cell_type": "markdown", "metadata": {}, "source": source.strip("\n")}] if source.strip() else []


def cells_of(page: Page) -> list[dict]:
    cells, lines, at = [], page.text.split("\n"), 0
    for block in page.blocks:
        cells += prose("\n".join(lines[at:block.line - 2]))
        at = block.line + block.text.count("\n")
        if block.kind == "yaml" and "file" in block.marks:
            cells.append(code(f"%%writefile {block.marks['file']}\n{block.text}"))
        elif block.kind in ("sh", "console"):
            tail = " || true" if block.marks.get("exit") else ""
            if typed := commands(block).rstrip("\n"):
                cells.append(code("%%sh\n" + typed + tail))
        elif block.kind == "python":
            cells.append(code(block.text))
        # ```text is output: the reader's own run shows it
    return cells + prose("\n".join(lines[at:]))


def prose(text: str) -> list[dict]:
    """Text, in which figures become cells that show them; links to other pages keep their words only."""
    cells = []
    text = re.sub(r"(?<!!)\[([^\]]+)\]\(([^)]+)\)", lambda found: found[0] if "://" in found[2] else found[1], MARK.sub("", text))
    for part in re.split(r"^(!\[[^\]]*\]\([^)]+\.svg\))$", text, flags=re.M):
        figure = re.match(r"!\[([^\]]*)\]\(([^)]+)\)$", part)
        cells += [code(f"from IPython.display import SVG\nSVG(\"{figure[2]}\")  # {figure[1]}")] if figure else markdown(part)
    return cells


def notebook(page: Page) -> dict:
    return {"cells": cells_of(page), "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}},
            "nbformat": 4, "nbformat_minor": 4}


def write(page: Page, folder: Path) -> str:
    """Writes FOLDER/<chapter>.ipynb and gives its name."""
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{page.path.stem}.ipynb"
    (folder / name).write_text(json.dumps(notebook(page), indent=1, ensure_ascii=False) + "\n")
    return name


def run_cells(path: Path, folder: Path, environment: dict[str, str]) -> None:
    """All code cells from the first to the last, in FOLDER, without Jupyter; what fails raises."""
    space: dict = {"__name__": "notebook"}
    for cell in json.loads(path.read_text())["cells"]:
        if cell["cell_type"] != "code":
            continue
        source = cell["source"]
        if source.startswith("%%writefile "):
            first, _, text = source.partition("\n")
            (folder / first.split()[1]).write_text(text + "\n")
        elif source.startswith("%%sh"):
            subprocess.run(["sh", "-e", "-c", source.partition("\n")[2]], cwd=folder, env=environment, check=True, capture_output=True)
        elif "IPython.display" in source:
            if "<svg" not in (folder / re.search(r'SVG\("([^"]+)"', source)[1]).read_text()[:2000]:
                raise ValueError(f"{path.name}: no figure: {source}")
        else:
            exec(compile(source, str(path), "exec"), space)  # noqa: S102 (that is what this is for)
