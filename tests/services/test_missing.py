from __future__ import annotations

import pytest
from tests.services.missing import go_without


@pytest.mark.parametrize("ci", ["true", "1"])
def test_ci_fails_what_it_cannot_test(ci: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", ci)
    with pytest.raises(pytest.fail.Exception, match="no server here"):
        go_without("no server here")


@pytest.mark.parametrize("ci", ["", None])
def test_elsewhere_it_is_skipped(ci: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    if ci is not None:
        monkeypatch.setenv("CI", ci)
    with pytest.raises(pytest.skip.Exception, match="no server here"):
        go_without("no server here")
