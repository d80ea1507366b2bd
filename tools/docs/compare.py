# SPDX-License-Identifier: Apache-2.0
"""What a page shows against what its command prints.

Words must be the same; how many blanks stand between them does not count. Whole numbers must be the same. Others agree
to one unit in the last digit that is shown, or to 1e-5; numbers below 1e-9 are rounding, all alike. A line `...` stands
for any lines, `...` in a line for any text. Numbers of lines that begin with `time` are seconds of somebody's machine.
"""
from __future__ import annotations

import re

NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w]|\.\d)")
ROUNDING = 1e-9


def unit_of_last_digit(text: str) -> float:
    digits, _, power = text.lower().partition("e")
    behind = len(digits.partition(".")[2])
    return 10.0 ** ((int(power) if power else 0) - behind)


def numbers_agree(shown: str, printed: str, tolerance: float | None) -> bool:
    if shown == printed:
        return True
    a, b = float(shown), float(printed)
    if tolerance is None and not re.search(r"[.eE]", shown + printed):
        return False
    if max(abs(a), abs(b)) < ROUNDING:
        return True
    room = max(1.001 * unit_of_last_digit(shown) if re.search(r"[.eE]", shown) else 0,
               (1e-5 if tolerance is None else tolerance) * max(abs(a), abs(b)))
    return abs(a - b) <= room


def words_and_numbers(line: str) -> tuple[list[str], list[str]]:
    words = [" ".join(part.split()) for part in NUMBER.split(line)]
    return words, NUMBER.findall(line)


def pieces_agree(shown: str, printed: str, tolerance: float | None) -> bool:
    words, numbers = words_and_numbers(shown)
    others, values = words_and_numbers(printed)
    return words == others and all(numbers_agree(a, b, tolerance) for a, b in zip(numbers, values))


def lines_agree(shown: str, printed: str, tolerance: float | None, free: list[int]) -> bool:
    if free and "..." not in shown:
        def left(line: str) -> str:
            return " ".join(word for i, word in enumerate(line.split(), 1) if i not in free)
        return pieces_agree(left(shown), left(printed), tolerance)
    if shown.startswith("time "):
        return words_and_numbers(shown)[0] == words_and_numbers(printed)[0]
    begin, dots, end = shown.partition("...")
    if not dots:
        return pieces_agree(shown, printed, tolerance)
    # text in front of the dots, and behind them, each against as many words of what was printed
    printed_words, n, m = printed.split(), len(begin.split()), len(end.split())
    if len(printed_words) < n + m:
        return False
    tail = printed_words[len(printed_words) - m:] if m else []
    return (pieces_agree(begin, " ".join(printed_words[:n]), tolerance)
            and pieces_agree(end, " ".join(tail), tolerance))


def difference(shown: str, printed: str, tolerance: float | None = None, free: list[int] = ()) -> str | None:
    """None where they agree, else the first line of the page that was not printed."""
    expected = [line.rstrip() for line in shown.rstrip("\n").split("\n")]
    found = [line.rstrip() for line in printed.rstrip("\n").split("\n")]
    at, may_skip = 0, False
    for line in expected:
        if line.strip() == "...":
            may_skip = True
            continue
        last = len(found) if may_skip else min(at + 1, len(found))
        for here in range(at, last):
            if lines_agree(line, found[here], tolerance, list(free)):
                break
        else:
            near = found[at] if at < len(found) else "(nothing more)"
            return f"the page says    {line}\n    it is           {near}"
        at, may_skip = here + 1, False
    if at < len(found) and not may_skip:
        return f"the page ends, but printed was\n    {found[at]}"
    return None
