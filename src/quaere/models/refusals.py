"""Remembers which models refuse whatever they are asked, so that a run asks each of them once."""

from __future__ import annotations

from quaere.errors import ModelRejected, QuaereError


class ModelUnusable(ModelRejected):
    """A service refuses a model, not a request: a bad key, no access, no credit, no such model."""


def is_unusable(error: QuaereError) -> bool:
    """Return whether ``error`` says that its model answers nobody who is set up like this.

    It goes by the name of the error: a recording gives the errors of adapters back by name alone.
    """
    return error.type == "model_unusable"


class Refusals:
    """The models that refused a run for good, each with what to do about it."""

    def __init__(self) -> None:
        self._reasons: dict[str, str] = {}
        self._untold: list[str] = []

    def check(self, model: str) -> None:
        """Let ``model`` be asked.

        Raises:
            ModelUnusable: when it is known to refuse.
        """
        if reason := self._reasons.get(model):
            raise ModelUnusable(f"{model} is not asked again: {reason}")

    def note(self, model: str, error: QuaereError) -> None:
        """Take down that ``model`` raised ``error``, if that says that it always will."""
        if is_unusable(error) and model not in self._reasons:
            self._reasons[model] = error.message
            self._untold.append(error.message)

    def drain(self) -> tuple[str, ...]:
        """Return what refusals came since the last time, each model's once."""
        untold = tuple(self._untold)
        self._untold.clear()
        return untold
