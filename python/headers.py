# SPDX-License-Identifier: Apache-2.0
"""The public headers, include/carom/*.h, as declarations that cffi reads.

Nothing of the interface is written down a second time. Comments, preprocessor lines, attributes and functions with an
open list of arguments are left out; each struct ends with "...;", so that the C compiler fills in its layout, and each
enumerator is "= ...", so that it fills in its value. A header that cannot be read so does not compile.

    python3 headers.py INCLUDE      prints the declarations
"""
import re
import sys
from pathlib import Path

_ATTRIBUTE = re.compile(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)")
# a field that points to arrays, const double (*place)[3];: cffi writes a check of it that does not compile; a struct
# may lack it
_ARRAY_POINTER = re.compile(r"(?:const )?\w+ \(\*\w+\)\[\w+\];")
_INCLUDE = re.compile(r'#include "(carom/\w+\.h)"')


def in_order(folder: Path) -> list[Path]:
    """All headers below folder/carom, each behind those that it includes."""
    order: list[Path] = []

    def visit(path: Path) -> None:
        if path in order:
            return
        for name in _INCLUDE.findall(path.read_text()):
            visit(folder / name)
        order.append(path)

    for path in sorted((folder / "carom").glob("*.h")):
        visit(path)
    return order


def _partial(declaration: str) -> str:
    """A struct or an enumeration whose layout or values the compiler fills in."""
    if re.match(r"(typedef )?struct \w+ \{", declaration):
        fields = _ARRAY_POINTER.sub("", declaration)
        return re.sub(r"\}(?=[^}]*$)", "...; }", fields)
    if re.match(r"(typedef )?enum( \w+)? \{", declaration):
        return re.sub(r"(\w+)\s*=\s*[^,}]+", r"\1 = ...", declaration)
    return declaration


def _declarations(text: str) -> list[str]:
    text = re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.S)
    text = re.sub(r"#(?:[^\n]*\\\n)*[^\n]*", " ", text)
    text = re.sub(r'extern "C" \{|CAROM_API', " ", text)
    text = _ATTRIBUTE.sub(" ", text)
    found, start, depth = [], 0, 0
    for at, letter in enumerate(text):
        depth += {"{": 1, "}": -1}.get(letter, 0)
        if depth < 0:  # the end of extern "C"
            break
        if letter == ";" and depth == 0:
            found.append(" ".join(text[start:at + 1].split()))
            start = at + 1
    return found


def declarations(folder: Path) -> str:
    """What cffi is given: all of the public interface."""
    lines = []
    for path in in_order(folder):
        for declaration in _declarations(path.read_text()):
            if declaration.startswith("typedef enum") or "..." not in declaration:
                lines.append(_partial(declaration))
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(declarations(Path(sys.argv[1])), end="")
