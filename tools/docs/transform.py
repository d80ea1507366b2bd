# SPDX-License-Identifier: Apache-2.0
"""A page as it stands in the repository -> the page that Sphinx reads.

Marks of blocks go, formulas are set, links between pages follow them to their new places, links to sources lead to copies of
these, and what commands of the page have made (figures, pages of runs) is found beside it.
"""
from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import formula
from page import MARK, ROOT, Page

HERE = Path(__file__).resolve().parent
FORMULA_PAGES = re.compile(r"docs/(theory/.*|notation|equilibrium|models-in-c)\.md$")
FOLDERS = {"models": "gallery/index.md", "docs/theory": "theory/index.md", "docs/howto": "howto/README.md",
           "docs/tutorial": "tutorial/README.md", "include/carom": "reference/c.md", "docs": "index.md"}
TEXT = re.compile(r"\.(c|h|py|sh|yaml|csv|json|md|m|cmake|awk|txt)$|^[^.]+$")


@dataclass
class Site:
    target: Path                     # what Sphinx reads
    runs: Path                       # what pages have made, by page
    copied: dict[Path, str] = field(default_factory=dict)  # a source file -> its place below extra
    formulas: list[str] = field(default_factory=list)      # TeX, in order; FORMULA<n> stands on the page


def place(path: Path) -> Path | None:
    """Where a page of the repository stands in the site."""
    name = path.relative_to(ROOT).as_posix()
    if name == "README.md":
        return Path("index.md")
    if name in ("ARCHITECTURE.md", "CHANGELOG.md"):
        return Path("develop") / path.name
    if name == "bench/README.md":
        return Path("develop/bench.md")
    if name.startswith("docs/") and name.endswith(".md"):
        return path.relative_to(ROOT / "docs")
    if name.startswith("models/") and name.endswith(".yaml"):
        return Path("gallery") / f"{path.stem}.md"
    return None


def outside_blocks(text: str, change) -> str:
    parts = re.split(r"(^```.*?^```$)", text, flags=re.M | re.S)
    return "".join(part if i % 2 else change(part) for i, part in enumerate(parts))


def copy_source(site: Site, path: Path) -> str:
    name = path.relative_to(ROOT).as_posix()
    shown = f"files/{name}" + (".txt" if TEXT.search(path.name) else "")
    target = site.target.parent / "extra" / shown
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, target)
    return shown


def link_target(site: Site, page: Page, here: Path, target: str) -> str | None:
    """Where a link of PAGE, which stands at HERE in the site, leads; None where there is nothing to lead to."""
    name, _, anchor = target.partition("#")
    if re.match(r"[a-z]+:", target) or not name:
        return target
    path = (page.path.parent / name).resolve()
    made = site.runs / page.name.removesuffix(".md") / name
    if not path.exists() and made.is_file():
        beside = site.target.parent / "extra" / here.with_suffix("") / name
        beside.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(made, beside)
        if name.endswith(".html"):
            return f"{here.stem}/{name}"
        figure = site.target / here.with_suffix("") / name
        figure.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(made, figure)
        return f"{here.stem}/{name}"
    if not path.exists() or not path.is_relative_to(ROOT):
        return None
    inside = path.relative_to(ROOT).as_posix()
    known = Path(FOLDERS[inside]) if inside in FOLDERS else place(path) if path.is_file() else None
    if known is None and path.suffix in (".svg", ".png", ".gif"):
        picture = site.target / "pictures" / path.name
        picture.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, picture)
        known = Path("pictures") / path.name
    if known is None:
        if not path.is_file():
            return None
        return os.path.relpath(copy_source(site, path), here.parent)
    up = os.path.relpath(known, here.parent)
    return up + (f"#{anchor}" if anchor else "")


def frame(text: str, name: str) -> str:
    return (f'<div class="moving"><iframe src="{name}" title="{text}" loading="lazy"></iframe>'
            f'<a href="{name}">{text}, on a page of its own</a></div>')


def follow_links(site: Site, page: Page, here: Path, text: str) -> str:
    def change(found: re.Match) -> str:
        bang, words, target = found[1], found[2], found[3]
        if target is None:
            return found[0]  # `code` that looks like a link
        there = link_target(site, page, here, target)
        if there is None:
            return words
        if there.endswith((".html", ".txt")) and not re.match(r"[a-z]+:", there):
            return f'<a href="{there}">{words}</a>'
        return f"{bang}[{words}]({there})"

    def lonely(found: re.Match) -> str:
        there = link_target(site, page, here, found[2])
        return frame(found[1], there) if there else found[0]

    text = re.sub(r"^\[([^\]]+)\]\(([^)/]+\.html)\)$", lonely, text, flags=re.M)
    text = re.sub(r'(<img[^>]*src=")([^"]+)(")',
                  lambda f: f[1] + str(link_target(site, page, here, f[2])) + f[3], text)
    link = r"`[^`\n]*\]\([^`\n]*`|(!?)\[([^\]\[]*(?:\[[^\]]*\])?[^\]\[]*)\]\(([^)\s]+)\)"
    return outside_blocks(text, lambda part: re.sub(link, change, part))


def set_formulas(site: Site, page: Page, text: str) -> str:
    """Blocks of formulas (```text, or indented by four) become FORMULA<n>; those that cannot be set stay."""
    def put(tex: str) -> str:
        site.formulas.append(tex)
        return f"\n<div class=\"formula\">FORMULA{len(site.formulas) - 1}.</div>\n\n"

    def change(found: re.Match) -> str:
        if "as it is" in (found["mark"] or ""):
            return found[0]
        own = re.search(r"<!-- tex:(.*?)-->", found["mark"] or "", re.S)
        block = found["fenced"] if found["fenced"] is not None else re.sub(r"^    ", "", found["indented"], flags=re.M)
        tex = own[1].strip() if own else formula.block_to_tex(block)
        return (found["head"] or "") + put(tex) if tex else found[0]

    # an indented block stands below a blank line or a heading
    block = (r"(?P<mark><!-- (?:tex:|as it is)[\s\S]*?-->\n+)?(?:^```text\n(?P<fenced>[\s\S]*?)^```\n"
             r"|(?:(?<=\n\n)|(?<=^)|(?P<head>^#+ .*\n))(?P<indented>^    \S.*\n(?:(?:^    .*\n)|\n(?=    \S))*))")
    parts = re.split(r"(^```(?!text)\w+\n[\s\S]*?^```$)", text, flags=re.M)
    return "".join(part if i % 2 else re.sub(block, change, part, flags=re.M) for i, part in enumerate(parts))


def transform(site: Site, page: Page, here: Path) -> str:
    text = page.text
    if FORMULA_PAGES.search(page.name):
        text = set_formulas(site, page, text)
    text = re.sub(r"<!-- (?:tex:|as it is).*?-->\n", "", MARK.sub("", text), flags=re.S)
    text = re.sub(r"^```(usage|math)$", "```text", text, flags=re.M)
    return follow_links(site, page, here, text)


def typeset(tex: list[str]) -> list[str]:
    """All formulas in one go, by KaTeX; one that it refuses is an error of the page."""
    done = subprocess.run(["node", HERE / "katex.js"], input=json.dumps(tex), capture_output=True, text=True, check=True)
    html = json.loads(done.stdout)
    if None in html:
        raise SystemExit(f"docs: a formula cannot be set: {done.stderr}")
    return html


def put_formulas(folder: Path, html: list[str]) -> None:
    """Into the finished pages, so that nobody in between looks at them."""
    for path in folder.rglob("*.html"):
        text = path.read_text(errors="surrogateescape")
        if "FORMULA" in text:
            path.write_text(re.sub(r"FORMULA(\d+)\.", lambda f: html[int(f[1])], text), errors="surrogateescape")
