# SPDX-License-Identifier: Apache-2.0
"""A page of the documentation as its fenced blocks.

A block is what stands between ``` and ```; its kind is the word behind the first fence. HTML comments directly above a
block are its marks, which a reader of the page does not see:

    <!-- file: NAME -->         the block is kept as NAME, for the blocks below it
    <!-- with: TEXT -->         TEXT (lines) goes before the block when it is run
    <!-- free: 7 8 -->          the fields 7 and 8 of lines of output are times: not compared
    <!-- tolerance: 0.01 -->    numbers of the output may differ by so much (relative)
    <!-- exit: 2 -->            the commands end with this exit code
    <!-- slow: REASON -->       run by the long test and by make docs, not by the quick test
    <!-- needs: MODULE -->      run where Python has the module
    <!-- not run: REASON -->    not run at all
    <!-- run by: FILE -->       on the first lines of a page: a test of its own runs the page
"""
from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

MARK = re.compile(r"<!--\s*(needs|file|with|free|tolerance|exit|slow|not run|run by|before):(.*?)-->", re.S)
ROOT = Path(__file__).resolve().parents[2]


@dataclass
class Block:
    kind: str
    text: str
    line: int                    # of its first line, from 1
    marks: dict[str, str] = field(default_factory=dict)
    shown: "Block | None" = None  # the ```text block below it: what it prints


@dataclass
class Page:
    path: Path
    blocks: list[Block]
    run_by: str | None
    text: str

    @property
    def name(self) -> str:
        return str(self.path.relative_to(ROOT)) if self.path.is_relative_to(ROOT) else str(self.path)


def marks_above(lines: list[str], fence: int) -> dict[str, str]:
    """The comments that end on the line above line number FENCE (from 0)."""
    first = fence
    while first > 0 and lines[first - 1].rstrip().endswith("-->"):
        first -= 1
        while first > 0 and "<!--" not in lines[first]:
            first -= 1
    found = MARK.findall("\n".join(lines[first:fence]))
    return {name: (value if name == "with" else value.strip()) for name, value in found}


def read(path: Path) -> Page:
    text = path.read_text()
    lines = text.split("\n")
    blocks: list[Block] = []
    at, end_of_last = 0, -9
    while at < len(lines):
        fence = re.match(r"^```(\w*)\s*$", lines[at])
        if not fence:
            at += 1
            continue
        end = lines.index("```", at + 1)
        block = Block(fence[1], "".join(line + "\n" for line in lines[at + 1:end]), at + 2, marks_above(lines, at))
        gap = [line for line in lines[end_of_last + 1:at] if line.strip() and not line.lstrip().startswith("<!--")]
        if block.kind == "text" and blocks and blocks[-1].kind in ("sh", "python", "c", "yaml") and not gap:
            blocks[-1].shown = block
            blocks[-1].marks.update({k: v for k, v in block.marks.items() if k in ("free", "tolerance")})
        blocks.append(block)
        at, end_of_last = end + 1, end
    run_by = re.search(r"<!-- run by: (\S+) -->", "\n".join(lines[:6]))
    return Page(path, blocks, run_by[1] if run_by else None, text)


def pages() -> list[Page]:
    """All pages: README first, then docs by name."""
    found = [ROOT / "README.md", ROOT / "ARCHITECTURE.md"]
    found += sorted((ROOT / "docs").rglob("*.md"))
    return [read(path) for path in found]
