"""What is signed holds for its own purpose and time, and for nothing else."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr

from quaere.errors import StoreUnavailable
from quaere.faces.server.signing import SESSION_S, SIGNED_IN_S, WAY_S, Signer, Way, signer
from quaere.runtime.settings import Settings

KINDS: dict[str, tuple[Callable[[Signer, str], str], Callable[[Signer, str], str | None]]] = {
    "session": (Signer.session, Signer.key_of),
    "user": (Signer.signed_in, Signer.user_of),
    "way": (Signer.way, Signer.way_of),
    "link": (Signer.link, Signer.nonce_of),
}
LASTING = {"session": SESSION_S, "user": SIGNED_IN_S, "way": WAY_S}


@given(st.sampled_from(sorted(KINDS)), st.sampled_from(sorted(KINDS)), st.text(max_size=20))
def test_what_was_signed_for_one_purpose_is_good_for_no_other(
    made: str, asked: str, text: str
) -> None:
    mine = Signer("secret")
    signed = KINDS[made][0](mine, text)
    assert KINDS[asked][1](mine, signed) == (text if made == asked else None)
    assert KINDS[made][1](Signer("another"), signed) is None
    assert KINDS[made][1](mine, f"{signed}x") is None


@pytest.mark.parametrize("kind", LASTING)
def test_what_a_browser_keeps_ends(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sign, read = KINDS[kind]
    mine = Signer("secret")
    now = time.time()
    signed = sign(mine, "ann")
    for later, held in ((LASTING[kind] - 5, "ann"), (LASTING[kind] + 5, None)):
        monkeypatch.setattr(time, "time", lambda later=later: now + later)
        assert read(mine, signed) == held
    assert Signer("secret").nonce_of(mine.link("n")) == "n", "a link has no end of its own"


def test_signed_garbage_is_not_valid() -> None:
    mine = Signer("secret")
    for cookie in ("", ".", "a.b.c", mine._sessions.dumps(["ann"])):
        assert mine.key_of(cookie) is None


def test_no_two_ways_to_the_issuer_are_alike() -> None:
    ways = [Way() for _ in range(3)]
    for name in ("state", "nonce", "verifier"):
        assert len({str(getattr(way, name)) for way in ways}) == 3
    assert all(43 <= len(way.verifier) <= 128 for way in ways), "as RFC 7636 has it"


def test_the_secret_is_kept_for_its_owner_alone_and_the_same_ever_after(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "data")
    signed = signer(settings).session("ann")
    assert signer(settings).key_of(signed) == "ann"
    (kept,) = (tmp_path / "data").iterdir()
    assert kept.stat().st_mode & 0o777 == 0o600
    assert len(kept.read_text()) == 64
    other = signer(Settings(data_dir=tmp_path / "other"))
    assert other.key_of(signed) is None


def test_the_secret_of_the_settings_comes_first_and_writes_nothing(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "data", secret_key=SecretStr("secret" * 8))
    assert Signer("secret" * 8).key_of(signer(settings).session("ann")) == "ann"
    assert not (tmp_path / "data").exists()


def test_a_secret_that_cannot_be_kept_is_a_typed_error(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")
    with pytest.raises(StoreUnavailable, match=r"Cannot keep the secret.*QUAERE_DATA_DIR"):
        signer(Settings(data_dir=tmp_path / "data"))
