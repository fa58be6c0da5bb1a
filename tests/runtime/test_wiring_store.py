"""Where runs are kept, by the settings."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import SecretStr

from quaere.domain.request import RunSpec
from quaere.errors import SettingsError
from quaere.runtime.settings import Settings
from quaere.runtime.wiring_store import (
    DATABASE_FILE,
    build_carrier,
    build_database,
    database_name,
    forget_run,
    open_traces,
    runs_folder,
    spool_folder,
)
from quaere.store.carriers.database import DatabaseCarrier
from quaere.store.recording.run_file import RunFile

pytestmark = pytest.mark.anyio


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data_dir=tmp_path / "data")


def at(url: str, folder: Path) -> Settings:
    return Settings(data_dir=folder, database_url=SecretStr(url))


def test_everything_lies_in_the_data_folder(settings: Settings, tmp_path: Path) -> None:
    data = tmp_path / "data"
    assert settings.data_folder == data
    assert (spool_folder(settings), runs_folder(settings)) == (data / "events", data / "runs")
    assert build_database(settings).sqlite
    assert Settings().data_folder.is_absolute()


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("postgresql://ann:secret@DB.example/runs?ssl=on", "postgresql://db.example:5432/runs"),
        ("postgresql+asyncpg://db.example:6000/runs", "postgresql://db.example:6000/runs"),
        ("postgresql://db.example", "postgresql://db.example:5432/"),
        ("nonsense", "(not valid)"),
    ],
)
def test_a_database_is_told_from_others_without_user_and_password(
    url: str, name: str, tmp_path: Path
) -> None:
    assert database_name(at(url, tmp_path)) == name


def test_the_file_in_the_data_folder_needs_no_name(settings: Settings, tmp_path: Path) -> None:
    own = tmp_path / DATABASE_FILE
    assert database_name(settings) == database_name(at(f"sqlite:///{own}", tmp_path)) == ""
    other = tmp_path / "other.db"
    assert database_name(at(f"sqlite:///{other}", tmp_path)) == f"sqlite:///{other}"


def test_only_the_file_of_a_run_is_forgotten(settings: Settings) -> None:
    folder = runs_folder(settings)
    for name in ("a", "b"):
        RunFile.create(folder / f"{name}.run", RunSpec.of("Who?", run_id=name)).close()
    outside = folder.parent / "c.run"
    outside.write_text("x")
    for name in ("b", "nobody", "../c", "/c"):
        forget_run(settings, name)
    assert [path.name for path in folder.glob("*.run")] == ["a.run"]
    assert outside.exists()


async def test_without_a_carrier_the_database_carries_runs(settings: Settings) -> None:
    async with build_database(settings) as database:
        assert isinstance(build_carrier(settings, database), DatabaseCarrier)
        odd = settings.model_copy(update={"carrier": SecretStr("nonsense")})
        with pytest.raises(SettingsError, match="carrier"):
            build_carrier(odd, database)


async def test_traces_are_opened_with_what_is_wrong_with_files(settings: Settings) -> None:
    spool_folder(settings).mkdir(parents=True)
    async with open_traces(settings) as (traces, faults):
        assert faults == []
        assert traces.database.sqlite
