"""Whether a line of a statement rose or fell, as a question supposes."""

from __future__ import annotations

from dataclasses import replace

from quaere.reason.extractive.pool import Pool
from quaere.reason.extractive.questions.kinds import last_question
from quaere.reason.extractive.statements.figures import Figure, find_figure
from quaere.reason.extractive.statements.question import CLAIMED_CHANGE
from quaere.text.languages.language import spoken


def change_asked(question: str) -> str:
    """Return the question by how much something changed, which ``question`` rests on.

    Empty for one that supposes no change. English alone.
    """
    claimed = CLAIMED_CHANGE.match(last_question(question)) if spoken() is None else None
    return f"By how much did {claimed['of']} change {claimed['when'].strip()}?" if claimed else ""


def find_change(question: str, pool: Pool) -> Figure | None:
    """Return yes or no with the change that decides it; None where no row has both years.

    Args:
        question: What was asked.
        pool: The evidence, read.
    """
    claimed = CLAIMED_CHANGE.match(last_question(question))
    asked = change_asked(question)
    figure = find_figure(asked, pool) if asked else None
    if claimed is None or figure is None or figure.change is None or len(figure.lines) != 1:
        return None
    is_so = figure.change > 0 if claimed["rises"] else figure.change < 0
    return replace(figure, text="Yes" if is_so else "No")
