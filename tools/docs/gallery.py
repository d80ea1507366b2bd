# SPDX-License-Identifier: Apache-2.0
"""The gallery: each model with a picture, what it shows, the command that runs it, its file.

The picture is one of `carom report` (with Chromium), else a figure of `carom plot`. A picture that is younger than its model stays.
"""
from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from page import ROOT

SHORT = {"granular-column": 0.3, "rover": 12, "rockfall": 3}  # seconds that are enough for a picture
LONGEST = 300


def has_browser() -> bool:
    return bool(os.environ.get("CAROM_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome"))


def listed(carom: Path) -> list[dict]:
    said = subprocess.run([carom, "list", "models", "--json"], cwd=ROOT, capture_output=True, text=True, check=True)
    found = json.loads(said.stdout)
    return sorted(found["models"] if isinstance(found, dict) else found, key=lambda model: model["name"])


def picture(carom: Path, model: Path, folder: Path) -> str | None:
    """Makes FOLDER/NAME.png or NAME.svg and gives its name; None, with a word, where the model does not run."""
    name = model.stem
    for made in (folder / f"{name}.png", folder / f"{name}.svg"):
        if made.exists() and made.stat().st_mtime > model.stat().st_mtime:
            return made.name
    with tempfile.TemporaryDirectory() as scratch:
        def run(*words: object) -> subprocess.CompletedProcess:
            return subprocess.run([carom, *map(str, words)], cwd=scratch, capture_output=True, text=True, timeout=LONGEST)
        end = ["--end", SHORT[name]] if name in SHORT else []
        ran = run("run", model, "-q", "--every", 10, "--json", "end.json", "-o", "r.h5", *end)
        if not (Path(scratch) / "r.h5").exists():
            print(f"docs: {name} does not run: {ran.stderr.strip()[:200]}")
            return None
        t = 0.4 * json.loads((Path(scratch) / "end.json").read_text())["t"]
        if has_browser():
            drawn = run("report", "r.h5", "-q", "-o", "r-%d.png", "--from", t, "--to", t * 1.0001, "--fps", 1, "--speed", 1, "--size", "640x400")
            pictures = sorted(Path(scratch).glob("r-*.png"))
            if drawn.returncode == 0 and pictures:
                shutil.move(pictures[0], folder / f"{name}.png")
                return f"{name}.png"
        run("plot", "r.h5", "-q", "-o", "r.svg")
        shutil.move(Path(scratch) / "r.svg", folder / f"{name}.svg")
    return f"{name}.svg"


# not in the table of contents, which the theme would write out on each page
def page_of(model: dict, path: Path, shown: str | None) -> str:
    name = model["name"]
    image = f"![{name}]({shown})\n\n" if shown else ""
    return (f"---\norphan: true\n---\n# {name}\n\n{model.get('about', '')}\n\n{image}"
            f"```sh\ncarom run {name} -o {name}.h5\ncarom report {name}.h5 -o {name}.html\n```\n\n"
            f"`models/{path.name}`:\n\n````yaml\n{path.read_text().rstrip()}\n````\n")


def make(carom: Path, kept: Path, target: Path, only: list[str]) -> None:
    """Pages and pictures below TARGET, of all models or ONLY some; pictures are kept in KEPT from build to build."""
    kept.mkdir(parents=True, exist_ok=True)
    target.mkdir(parents=True, exist_ok=True)
    models = [model for model in listed(carom) if not only or model["name"] in only]
    paths = [ROOT / "models" / f"{model['name']}.yaml" for model in models]
    with ThreadPoolExecutor(os.cpu_count()) as team:
        shown = list(team.map(lambda path: picture(carom, path, kept), paths))
    cards = []
    for model, path, image in zip(models, paths, shown):
        if image:
            shutil.copyfile(kept / image, target / image)
        (target / f"{model['name']}.md").write_text(page_of(model, path, image))
        picture_of = f'<img src="../_images/{image}" alt="" loading="lazy">' if image else ""
        cards.append(f'<a class="card" href="{model["name"]}.html">{picture_of}<b>{model["name"]}</b><span>{model.get("about", "")}</span></a>')
    (target / "index.md").write_text(
        f"# Gallery\n\n{len(models)} models of `models/`; each runs with plain `carom run NAME`. Pictures are made by `carom report` when this site is "
        f'built.\n\n<div class="cards">\n{"".join(cards)}\n</div>\n')
