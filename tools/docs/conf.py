# SPDX-License-Identifier: Apache-2.0
# Sphinx' settings; tools/docs/site makes what it reads.
import os
import re
from pathlib import Path

root = Path(os.environ["CAROM_SOURCE_DIR"])
project = "Carom"
author = "the authors of Carom"
version = release = re.search(r"project\(\s*carom[^)]*VERSION\s+([\d.]+)", (root / "CMakeLists.txt").read_text(), re.I)[1]
extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_enable_extensions = ["html_image"]
myst_heading_anchors = 4
suppress_warnings = ["myst.header", "misc.highlighting_failure"]
autodoc_member_order = "bysource"
smartquotes = False  # ' is a sign of formulas
html_theme = "furo"
html_title = f"Carom {version}"
html_static_path = [str(Path(__file__).parent / "site.css"), os.environ["CAROM_KATEX"]]
html_css_files = ["katex/katex.min.css", "site.css"]
html_extra_path = [os.environ["CAROM_EXTRA"]]
html_show_sphinx = False
html_show_copyright = False
html_copy_source = False
# Debian's build of the theme has no colours for readers whose system is dark
dark = {"foreground-primary": "#dadcde", "foreground-secondary": "#a0a4a8", "foreground-muted": "#8a8f94", "foreground-border": "#666a6e",
        "background-primary": "#14171a", "background-secondary": "#1b1f23", "background-hover": "#20252a", "background-hover--transparent": "#20252a00",
        "background-border": "#33383d", "background-item": "#444", "brand-primary": "#6db3ff", "brand-content": "#6db3ff",
        "highlighted-background": "#0b3a66", "api-keyword": "#a0a4a8", "highlight-on-target": "#33330a", "admonition-background": "#1b1f23",
        "card-border": "#1b1f23", "card-background": "#1b1f23", "card-marginals-background": "#20252a"}
html_theme_options = {"navigation_with_keys": True, "dark_css_variables": {f"color-{name}": value for name, value in dark.items()}}
pygments_style = "friendly"


def as_written(app, what, name, thing, options, lines):
    """Docstrings are plain text: paragraphs, and what is indented stays as it is."""
    if lines[:1] and lines[0].startswith("Alias for field number"):
        lines[:] = []
    text, out = "\n".join(lines), []
    for part in text.split("\n\n"):
        if any(line.startswith(" ") for line in part.split("\n")):
            out += ["::", "", *("    " + line for line in part.split("\n")), ""]
        else:
            out += [*(re.sub(r"([\\*`|]|_\b|\b_)", r"\\\1", line) for line in part.split("\n")), ""]
    lines[:] = out


def setup(app):
    app.connect("autodoc-process-docstring", as_written)
