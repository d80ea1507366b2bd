# SPDX-License-Identifier: Apache-2.0
"""Looks at the finished site: look_at_site.py HTML. Links between its files, figures, formulas, search, and that nothing comes from elsewhere."""
import html
import re
import sys
import urllib.parse
from pathlib import Path

site = Path(sys.argv[1])
own = [path for path in site.rglob("*.html") if "c" != path.relative_to(site).parts[0] and "iframe" not in path.name]
pages = {path: path.read_text(errors="replace") for path in own}
runs = [path for path in pages if "uplot" in pages[path].lower() and "<script" in pages[path] and "styles/furo" not in pages[path]]
bad, n_link = [], 0
for path, text in pages.items():
    if path in runs:
        continue
    for kind, target in re.findall(r'<(?:a|img|iframe|link|script)\b[^>]*?\s(href|src)="([^"]*)"', text):
        target = html.unescape(target)
        if target.startswith(("http:", "https:", "//")):
            if kind == "src" or "<link" in target:
                bad.append(f"{path}: asks for {target}")
            continue
        if target.startswith(("mailto:", "data:", "#")) or not target:
            continue
        n_link += 1
        file = (path.parent / urllib.parse.unquote(target.split("#")[0].split("?")[0])).resolve()
        if not file.exists():
            bad.append(f"{path.relative_to(site)}: {target} is not there")
for path in list(site.glob("_static/*.css")) + list(site.glob("_static/**/*.css")):
    for target in re.findall(r"url\([\"']?([^)\"']+)", path.read_text(errors="replace")):
        if target.startswith(("http", "//")):
            bad.append(f"{path}: asks for {target}")

theory = "".join(text for path, text in pages.items() if path.parent.name == "theory")
wanted = {
    "formulas on the pages of theory": theory.count('class="katex-display"') > 25,
    "no formula left out": not any(re.search(r"FORMULA\d", text) for text in pages.values()),
    "fonts of formulas": len(list((site / "_static/katex/fonts").glob("*.woff2"))) > 10,
    "figures of the tutorial": len(list(site.glob("_images/*.svg"))) >= 9,
    "pages of runs": len(runs) >= 3,
    "notebooks": len(list(site.glob("tutorial/**/*.ipynb"))) == 10,
    "pictures of models": len(list(site.glob("_images/b*-b*.*")) + list(site.glob("_images/billiard.*"))) >= 2,
    "the search's index knows a word of a late page (its stem)": "woodpeck" in (site / "searchindex.js").read_text(),
    "the command's options": "--save-contact" in pages[site / "reference/command.html"],
    "the Python package": "from_file" in pages[site / "reference/python.html"],
    "no marks of blocks": not any("not run:" in text for path, text in pages.items() if path.parent.name in ("tutorial", "howto")),
}
bad += [f"missing: {what}" for what, is_there in wanted.items() if not is_there]
print("\n".join([*bad, f"{len(pages)} pages, {n_link} links, {len(bad)} things wrong"]))
sys.exit(bool(bad) or n_link < 500)
