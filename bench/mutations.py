"""Small changes to Python code that a test suite ought to notice (mutation testing).

Changes are made to the text, not to a printed syntax tree, so that a survivor reads as a short
diff. Left alone are docstrings and other strings, annotations, decorators, blocks for type
checkers, logging calls, assertions, Pydantic's configurations and lengths of random names: they are
not behaviour that a test of the module could observe.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

COMPARISONS: Mapping[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
}
ARITHMETIC: Mapping[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "/"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "*"),
}
LOG_METHODS = frozenset({"debug", "info", "warning", "error", "exception", "critical", "log"})
DECLARATIONS = frozenset({"ConfigDict", "SettingsConfigDict", "TypeVar", "NewType", "cast"})
RANDOM_NAMES = frozenset({"token_bytes", "token_hex", "token_urlsafe"})
SEQUENCES = (ast.JoinedStr, ast.List, ast.ListComp, ast.Tuple)


@dataclass(frozen=True, slots=True)
class Mutation:
    """One change: the text from ``start`` up to ``end`` of a file becomes ``text``."""

    path: Path
    kind: str
    line: int
    start: int
    end: int
    text: str

    def applied(self, source: str) -> str:
        """Return ``source``, the text of the file, with the change made."""
        return source[: self.start] + self.text + source[self.end :]

    def is_valid(self) -> bool:
        """Tell whether the changed file is still valid Python."""
        try:
            ast.parse(self.applied(self.path.read_text("utf-8")))
        except SyntaxError:
            return False
        return True


def mutations(package: Path) -> list[Mutation]:
    """Return every change to the modules below ``package``, a few of them not valid."""
    found: list[Mutation] = []
    for path in sorted(package.rglob("*.py")):
        source = path.read_text("utf-8")
        finder = _Finder(path, source)
        finder.visit(ast.parse(source))
        found += finder.mutations
    return found


class _Finder(ast.NodeVisitor):
    """Walks through a module and collects the changes."""

    def __init__(self, path: Path, source: str) -> None:
        self.mutations: list[Mutation] = []
        self._path = path
        self._source = source
        self._lines = source.splitlines(keepends=True)
        self._line_starts = [0]
        for line in self._lines:
            self._line_starts.append(self._line_starts[-1] + len(line))

    # What is left alone

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._visit_function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self._visit_function(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for statement in node.body:
            self.visit(statement)

    def visit_Assert(self, node: ast.Assert) -> None:
        """An assertion states what cannot happen."""

    def visit_Subscript(self, node: ast.Subscript) -> None:
        if not (isinstance(node.value, ast.Name) and node.value.id in {"Literal", "Annotated"}):
            self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        if _logs(node.func) or _name(node.func) in DECLARATIONS | RANDOM_NAMES:
            return
        self.visit(node.func)
        for argument in node.args:
            self.visit(argument)
        for keyword in node.keywords:
            # zip(strict=…) states what cannot happen, as an assertion does.
            if not (_name(node.func) == "zip" and keyword.arg == "strict"):
                self.visit(keyword.value)

    def _visit_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        defaults = [*node.args.defaults, *(one for one in node.args.kw_defaults if one)]
        for part in [*defaults, *node.body]:
            self.visit(part)

    # What is changed

    def visit_Compare(self, node: ast.Compare) -> None:
        operands = [node.left, *node.comparators]
        for operator, (left, right) in zip(node.ops, pairwise(operands), strict=True):
            self._replace_between("comparison", left, right, COMPARISONS[type(operator)])
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        swap = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in pairwise(node.values):
            self._replace_between("boolean operator", left, right, swap)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        swap = ARITHMETIC.get(type(node.op))
        if swap and not any(_is_sequence(one) for one in (node.left, node.right)):
            self._replace_between("arithmetic", node.left, node.right, swap)
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        swap = ARITHMETIC.get(type(node.op))
        if swap and not _is_sequence(node.value):
            self._replace_between("arithmetic", node.target, node.value, swap)
        self.visit(node.value)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self._replace("constant", node, str(not node.value))
        elif isinstance(node.value, (int, float)):
            self._replace("constant", node, repr(node.value + 1))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            self._replace("not dropped", node, f"({self._text(node.operand)})")
        self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> None:
        if node.value is not None and not isinstance(node.value, ast.Constant):
            self._replace("return value", node.value, "None")
        self.generic_visit(node)

    def visit_If(self, node: ast.If) -> None:
        if _name(node.test) != "TYPE_CHECKING":
            self._negate(node.test)
            self.generic_visit(node)

    def visit_While(self, node: ast.While) -> None:
        self._negate(node.test)
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._negate(node.test)
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for test in node.ifs:
            self._negate(test)
        self.generic_visit(node)

    def _negate(self, test: ast.expr) -> None:
        # A dropped "not" is the same change.
        if not (isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)):
            self._replace("condition negated", test, f"(not ({self._text(test)}))")

    def _replace(self, kind: str, node: ast.expr, text: str) -> None:
        start, end = self._span(node)
        self.mutations.append(Mutation(self._path, kind, node.lineno, start, end, text))

    def _replace_between(
        self, kind: str, left: ast.expr, right: ast.expr, swap: tuple[str, str]
    ) -> None:
        """Replace the operator between two operands; brackets may be around it."""
        start, end = self._span(left)[1], self._span(right)[0]
        pattern = r"\s+".join(map(re.escape, swap[0].split()))
        if found := re.search(pattern, self._source[start:end]):
            first, last = start + found.start(), start + found.end()
            line = self._source.count("\n", 0, first) + 1
            self.mutations.append(Mutation(self._path, kind, line, first, last, swap[1]))

    def _text(self, node: ast.expr) -> str:
        start, end = self._span(node)
        return self._source[start:end]

    def _span(self, node: ast.expr) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return (
            self._offset(node.lineno, node.col_offset),
            self._offset(node.end_lineno, node.end_col_offset),
        )

    def _offset(self, line: int, column_bytes: int) -> int:
        text = self._lines[line - 1].encode()[:column_bytes].decode()
        return self._line_starts[line - 1] + len(text)


def _name(node: ast.expr) -> str:
    """Return the last part of a dotted name; nothing for another expression."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _logs(function: ast.expr) -> bool:
    return (
        isinstance(function, ast.Attribute)
        and function.attr in LOG_METHODS
        and "logger" in _name(function.value)
    )


def _is_sequence(node: ast.expr) -> bool:
    """Tell whether ``node`` is written as text or a list, which arithmetic would only crash."""
    return isinstance(node, SEQUENCES) or (
        isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes))
    )
