# SPDX-License-Identifier: Apache-2.0
"""Formulas as the pages write them, in plain text, as TeX.

    u+ = u_f + M(q_m)^-1 W(q_m)' P     ->     u^{+} = u_f + M(q_m)^{-1} W(q_m)^{\\top} P

What is a word (`law on`, `start`) becomes upright text, names of Greek letters these, `_|_` the sign of complementarity. Two blanks
are a wide space, three a new column. A character that is not known makes the whole formula stay as it is (None).
A page may give the TeX itself, in a comment <!-- tex: ... --> above a block; <!-- as it is --> leaves a block alone.
"""
from __future__ import annotations

import re
import unicodedata

GREEK = {"la": "lambda", **{name: name for name in (
    "alpha beta gamma delta eps theta lambda mu nu xi rho sigma tau phi psi omega zeta Lambda Gamma").split()}, "eps": "varepsilon"}
GREEK |= dict(zip("αβγδεθλμµνξρστφψωζ", ("alpha beta gamma delta varepsilon theta lambda mu mu nu xi rho sigma tau phi psi "
                                         "omega zeta").split()))
SIGNS = {"<=": r"\le", ">=": r"\ge", "->": r"\to", ":=": ":=", "_|_": r"\perp", "+-": r"\pm", ":": r"\colon ", "·": r"\cdot", "Σ": r"\sum",
         "∂": r"\partial ", "∈": r"\in", "∋": r"\ni", "≤": r"\le", "≥": r"\ge", "⊥": r"\perp", "−": "-", "→": r"\to", "½": r"\tfrac12", "¼": r"\tfrac14",
         "{": r"\{", "}": r"\}", "%": r"\%", "Δ": r"\Delta", "Λ": r"\Lambda", "µ": r"\mu", "∞": r"\infty", "*": r"\cdot ", "+": "+"}
SUPER = dict(zip("²³⁺⁻¹ᵀ", ["2", "3", "+", "-", "1", r"\top"]))
SUB = dict(zip("₀₁₂₃₄₅₆ᵢⱼₖ₊₋", ["0", "1", "2", "3", "4", "5", "6", "i", "j", "k", "+", "-"]))
ACCENT = {"\u0304": r"\bar", "\u0307": r"\dot", "\u0308": r"\ddot", "\u0303": r"\tilde"}
OPERATORS = {"sum": r"\sum", "max": r"\max ", "min": r"\min ", "proj": r"\operatorname{proj}", "sin": r"\sin ", "cos": r"\cos ",
             "exp": r"\exp ", "diag": r"\operatorname{diag}"}
LETTER = r"[A-Za-z\u00c0-\u024f\u1e00-\u1eff][\u0300-\u036f]?"
TOKEN = re.compile(rf"""(?P<space>\s+)|(?P<number>\d+(?:\.\d+)?(?:e-?\d+)?)
    |(?P<sign>_\|_|<=|>=|->|:=)|(?P<name>[\u0391-\u03c9][\u0300-\u036f]?|{LETTER}(?:{LETTER}|\d)*)|(?P<other>.)""", re.X)


def letter(name: str) -> tuple[str, str] | None:
    """One symbol and its number: a letter with an accent, or a Greek name. None where it is a word."""
    if name in OPERATORS:
        return OPERATORS[name], ""
    if name in GREEK:
        return "\\" + GREEK[name] + " ", ""
    plain = unicodedata.normalize("NFD", name)
    base, marks = plain[0], re.findall("[\u0300-\u036f]", plain)
    rest = re.sub("[\u0300-\u036f]", "", plain[1:])
    if rest and not rest.isdigit():
        if re.fullmatch(r"d[A-Za-z]", name):
            return r"\mathrm{d}" + name[1], ""
        return None
    symbol = "\\" + GREEK[base] + " " if base in GREEK else SIGNS.get(base, base)
    for mark in marks:
        if mark not in ACCENT:
            return None
        symbol = f"{ACCENT[mark]}{{{symbol}}}"
    return symbol, rest


def plain(text: str) -> str:
    return re.sub(r"([_&%#$])", r"\\\1", text)


class Reader:
    """Turns one line into TeX, token by token."""

    def __init__(self, line: str) -> None:
        self.rest, self.out, self.known = line, [], True

    def take(self, pattern: str) -> re.Match | None:
        found = re.match(pattern, self.rest)
        if found:
            self.rest = self.rest[found.end():]
        return found

    def script(self) -> str:
        """What stands behind _ or ^: a name, a number, {...} or (...); k+1 and k-1 are one index."""
        found = self.take(r"\{([^}]*)\}") or self.take(r"\(([^()]*(?:\([^()]*\)[^()]*)*)\)")
        if found:
            return line_to_tex(found[1]) or plain(found[1])
        found = self.take(r"[a-z]\+1,[a-z]|[ki][+-]1(?:,[a-z])?|[−-]?\d+|[−-]?[A-Za-zΑ-ω\d]+")
        if not found:
            self.known = False
            return ""
        name = found[0].replace("−", "-")
        if name == "th":
            return r"\theta"
        return name if len(name) <= 2 or "," in name or "+" in name or name[0] == "-" or name.isdigit() or name.isupper() else rf"\mathrm{{{name}}}"

    def behind(self, down: str = "") -> str:
        """Marks of a symbol or a closing bracket: ~ ' ^-1 _m + -"""
        up = ""
        tilde = dash = False
        while True:
            if self.take(r"~"):
                tilde = True
            elif self.take(r"_(?!\|)"):
                down += ("," if down else "") + self.script()
            elif self.take(r"\^(?=[\w({−-])"):
                up += self.script()
            elif self.take(r"\*(?=[\s,)]|$)"):
                up += "*"
            elif self.take(r"'"):
                dash = True
            elif found := self.take(r"[+-](?=[\s),\]}]|$|_c)"):
                up += found[0]
            elif found := self.take(f"[{''.join(SUPER)}]+"):
                up += "".join(SUPER[c] for c in found[0])
            elif found := self.take(f"[{''.join(SUB)}]+"):
                down += "".join(SUB[c] for c in found[0])
            else:
                break
        self.tilde, self.dash = tilde, dash
        return (f"_{{{down}}}" if down else "") + (f"^{{{up}}}" if up else "")

    def symbol(self, name: str) -> None:
        known = letter(name)
        if known is None:
            more = self.take(r"(?:_[A-Za-z]\w*)*")[0]
            marks = self.behind()
            self.out.append(rf"\text{{{plain(name + more)}}}{marks}" + ("'" if self.dash else ""))
            return
        base, number = known
        if self.take(r"\^(?![\w({−-])"):
            base = rf"\hat{{{base}}}"
        if self.take(r"_dot\b"):
            base = rf"\dot{{{base}}}"
        marks = self.behind(number)
        if self.tilde:
            base = rf"\tilde{{{base}}}"
        if self.dash:
            if name[0].isupper():
                marks = marks + r"^{\top}" if "^" not in marks else marks[:-1] + r"\top}"
            else:
                base = rf"\dot{{{base}}}"
        self.out.append(base + marks)

    def step(self) -> None:
        if quoted := self.take(r"`([^`]*)`"):
            self.out.append(rf"\texttt{{{plain(quoted[1])}}}")
            return
        if self.take("'"):
            self.out.append("{}'")
            return
        found = self.take(r"d/dt(?=\()") and r"\tfrac{\mathrm{d}}{\mathrm{d}t}"
        if found:
            self.out.append(found)
            return
        if found := self.take(r"(\d+|[a-z]|dt?[a-zA-Z])/(\d|dt?[a-zA-Z]|[a-z]\b)(?!\w)"):
            self.out.append(rf"\tfrac{{{line_to_tex(found[1])}}}{{{line_to_tex(found[2])}}}")
            return
        found = TOKEN.match(self.rest)
        self.rest = self.rest[found.end():]
        kind, text = found.lastgroup, found[0]
        if kind == "space":
            after_dot = self.out and self.out[-1] == "."
            self.out.append(r" \quad " if len(text) > 1 else r"\; " if after_dot else " ")
        elif kind == "number":
            digits = re.sub(r"e(-?\d+)$", r"\\cdot 10^{\1}", text)
            self.out.append(digits + self.behind())
        elif kind == "sign":
            self.out.append(SIGNS[text] + " ")
        elif kind == "name":
            self.symbol(text)
        elif text in ")]|":
            self.out.append(text)
            marks = self.behind()
            self.out.append(marks + (r"^{\top}" if self.dash and "^" not in marks else ""))
        elif text in "([=,.;/<>-!?" or text in SIGNS:
            self.out.append(SIGNS.get(text, text) + (" " if text in SIGNS else ""))
        else:
            self.known = False


def line_to_tex(line: str) -> str | None:
    reader = Reader(line)
    while reader.rest and reader.known:
        reader.step()
    tex = "".join(reader.out)
    # words that follow each other are one text; one letter between words is a word, too
    tex = re.sub(r"\\text\{([^}]*)\} (a|I) (?=\\text)", r"\\text{\1 \2} ", tex)
    while r"} \text{" in tex:
        joined = re.sub(r"\\text\{([^}]*)\} \\text\{", r"\\text{\1 ", tex)
        if joined == tex:
            break
        tex = joined
    tex = re.sub(r"(?<=[\w})\]]) \\text\{", r" \\;\\text{", tex)
    tex = re.sub(r"(\\text\{[^}]*)\} (?=[\w\\(|])", r"\1}\\; ", tex)
    return tex if reader.known else None


def block_to_tex(text: str) -> str | None:
    """A block of lines; columns where three blanks or more stand between them."""
    rows, n_column = [], 1
    for line in text.rstrip("\n").split("\n"):
        indent = len(line) - len(line.lstrip())
        line = re.sub(r" +(=|_\|_|⊥) +", r" \1 ", line.strip())
        line = re.sub(r"([,;]) {3,}", r"\1  ", line)  # one formula after the other, no column
        cells = [line_to_tex(cell) for cell in re.split(r"\s{3,}", line)]
        if any(cell is None for cell in cells):
            return None
        if indent >= 16 and rows:  # goes on below the second column
            cells = ["", *cells]
        elif indent:
            cells[0] = r"\quad " + cells[0]
        n_column = max(n_column, len(cells))
        rows.append(r" & \quad ".join(cells))
    if n_column > 1:  # a row that is one formula does not widen the first column
        rows = [row if "&" in row else rf"\mathrlap{{{row}}}" for row in rows]
    return rf"\begin{{array}}{{{'l' * n_column}}}" + r" \\[3pt] ".join(rows) + r"\end{array}"
