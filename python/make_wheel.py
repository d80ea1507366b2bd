# SPDX-License-Identifier: Apache-2.0
"""Makes a wheel of the package that build_carom.py has put together: a zip file with a list of what is in it.

    python3 make_wheel.py PACKAGE DIST      PACKAGE: the folder that holds carom/; prints the path of the wheel

The module is for the limited interface of CPython, so that one wheel serves Python 3.9 and later. The library is inside;
what it needs itself (libfyaml, HDF5, SQLite, KLU, LDL) are packages of the distribution, so that the wheel is for
machines like the one it was made on (docs/python.md).
"""
import base64
import hashlib
import os
import re
import sys
import sysconfig
import zipfile
from pathlib import Path

SUMMARY = "Mechanical systems that hit, stick, slip and separate"
STAMP = (2020, 1, 1, 0, 0, 0)  # the same bytes from the same files


def version(source: Path) -> str:
    """That of the library."""
    found = re.search(r'#define CAROM_VERSION "([^"]+)"', (source / "include/carom/base.h").read_text())
    assert found is not None
    return found[1]


def metadata(number: str) -> str:
    return (f"Metadata-Version: 2.1\nName: carom\nVersion: {number}\nSummary: {SUMMARY}\nLicense: Apache-2.0\n"
            "Requires-Python: >=3.9\nRequires-Dist: numpy\nRequires-Dist: cffi\n"
            "Provides-Extra: all\nRequires-Dist: scipy; extra == 'all'\nRequires-Dist: pandas; extra == 'all'\n"
            "Requires-Dist: matplotlib; extra == 'all'\n")


def entries(package: Path, source: Path) -> list[tuple[str, bytes]]:
    """Names and contents of all that goes in, but for the list."""
    number = version(source)
    info = f"carom-{number}.dist-info"
    files = [path for path in sorted((package / "carom").rglob("*")) if path.is_file() and "__pycache__" not in path.parts]
    found = [(str(path.relative_to(package)), path.read_bytes()) for path in files]
    wheel = f"Wheel-Version: 1.0\nGenerator: carom\nRoot-Is-Purelib: false\nTag: {tag()}\n"
    return [*found, (f"{info}/METADATA", metadata(number).encode()), (f"{info}/WHEEL", wheel.encode()),
            (f"{info}/LICENSE", (source / "LICENSE").read_bytes())]


def tag() -> str:
    return "cp39-abi3-" + re.sub(r"[.-]", "_", sysconfig.get_platform())


def record_line(name: str, content: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}\n"


def write(package: Path, dist: Path, source: Path) -> Path:
    dist.mkdir(parents=True, exist_ok=True)
    number = version(source)
    path, part = dist / f"carom-{number}-{tag()}.whl", dist / ".carom.part"
    content, record = entries(package, source), f"carom-{number}.dist-info/RECORD"
    lines = "".join(record_line(name, data) for name, data in content) + f"{record},,\n"
    with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in [*content, (record, lines.encode())]:
            entry = zipfile.ZipInfo(name, STAMP)
            entry.external_attr = (0o100755 if ".so" in name else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    for old in dist.glob("carom-*.whl"):
        old.unlink()
    os.replace(part, path)
    return path


if __name__ == "__main__":
    print(write(Path(sys.argv[1]).resolve(), Path(sys.argv[2]), Path(__file__).resolve().parent.parent))
