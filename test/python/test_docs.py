# SPDX-License-Identifier: Apache-2.0
"""docs/python.md: its blocks are run one after the other, and what they print is compared."""
import contextlib
import io
import os
import re
import tempfile
import unittest
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "python.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)


class Page(unittest.TestCase):
    def test_blocks_do_what_they_say(self):
        space, printed, n = {"__name__": "page"}, "", 0
        text = PAGE.read_text()
        folder = os.getcwd()
        with tempfile.TemporaryDirectory() as work:
            os.chdir(work)
            try:
                for block in BLOCK.finditer(text):
                    line = text.count("\n", 0, block.start()) + 2
                    if block[1] == "python":
                        out, n = io.StringIO(), n + 1
                        with contextlib.redirect_stdout(out):
                            exec(compile("\n" * (line - 1) + block[2], str(PAGE), "exec"), space)
                        self.assertEqual(printed, "", "the output of the block before is not on the page")
                        printed = out.getvalue()
                    elif block[1] == "text":
                        self.assertEqual(block[2], printed, f"line {line}")
                        printed = ""
            finally:
                os.chdir(folder)
        self.assertGreater(n, 8)
        self.assertEqual(printed, "")


if __name__ == "__main__":
    unittest.main()
