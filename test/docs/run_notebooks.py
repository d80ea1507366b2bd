# SPDX-License-Identifier: Apache-2.0
"""The notebooks of the tutorial, executed: run_notebooks.py CAROM FOLDER. With nbclient and ipykernel where they are there, else in plain Python."""
import json
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools/docs"))
import notebook  # noqa: E402
import page as pages  # noqa: E402
from runner import python_package  # noqa: E402

try:
    import nbclient
    import nbformat
    import ipykernel  # noqa: F401
except ImportError:
    nbclient = None


def in_jupyter(path: Path) -> None:
    book = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(book, timeout=300, resources={"metadata": {"path": str(path.parent)}}).execute()


def main(carom: Path, folder: Path) -> None:
    chapters = [page for page in pages.pages() if "/tutorial/" in str(page.path) and page.blocks]
    assert len(chapters) == 10, len(chapters)
    bin_folder = folder / "bin"
    bin_folder.mkdir(parents=True)
    (bin_folder / "carom").symlink_to(carom)
    os.environ.update(PATH=f"{bin_folder}:{os.environ['PATH']}", PYTHONPATH=python_package(carom), HOME=str(folder),
                      LD_LIBRARY_PATH=str(carom.parent / "lib"), PYDEVD_DISABLE_FILE_VALIDATION="1")
    sys.path.insert(0, python_package(carom))
    for page in chapters:
        work = folder / page.path.stem
        path = work / notebook.write(page, work)
        cells = [cell for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == "code"]
        assert sum(cell["source"].startswith("%%sh") for cell in cells) and any("import carom" in cell["source"] for cell in cells), path
        if page.path.stem.startswith("10"):
            continue  # the rover: its commands are those of the page, which take long
        os.chdir(work)
        in_jupyter(path) if nbclient else notebook.run_cells(path, work, dict(os.environ))
    print(f"{len(chapters) - 1} notebooks executed" + ("" if nbclient else ", without Jupyter: nbclient or ipykernel is missing"))


main(Path(sys.argv[1]), Path(sys.argv[2]).resolve())
