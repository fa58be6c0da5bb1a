"""Typed settings. This is the one place that reads the environment."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from quaere.domain.budget import Limits
from quaere.domain.profile import ProfileName
from quaere.errors import SettingsError


class Settings(BaseSettings):
    """What an operator may set, by environment variable (``QUAERE_...``) or by argument.

    The limits keep the names that requirement R0.11 gives them, such as ``RESEARCH_MAX_ITERS``. A
    request overrides them, and they override the profile.
    """

    model_config = SettingsConfigDict(
        env_prefix="QUAERE_", env_ignore_empty=True, extra="ignore", frozen=True
    )

    docs: tuple[Path, ...] = ()
    """Folders or files to search when a command names none; a JSON list in the environment."""
    cache_dir: Path | None = None
    """Where indexes are kept; the user's cache folder when not set."""
    profile: ProfileName | None = None
    max_file_bytes: Annotated[int, Field(gt=0)] = 50_000_000
    """Files larger than this are not indexed."""
    extract_timeout_s: Annotated[float, Field(gt=0)] = 30.0
    """Time that the text of one file may take."""
    log_level: str = "WARNING"
    eval_data: Path | None = None
    """Folder of the evaluation data."""

    max_iters: Annotated[int | None, Field(alias="RESEARCH_MAX_ITERS")] = None
    max_queries: Annotated[int | None, Field(alias="RESEARCH_MAX_QUERIES")] = None
    max_sources: Annotated[int | None, Field(alias="RESEARCH_MAX_SOURCES")] = None
    max_execution_time_s: Annotated[float | None, Field(alias="RESEARCH_MAX_EXECUTION_TIME_S")] = (
        None
    )
    token_budget: Annotated[int | None, Field(alias="RESEARCH_TOKEN_BUDGET")] = None

    @property
    def limits(self) -> Limits:
        """The limits set by the environment."""
        return Limits(
            max_iters=self.max_iters,
            max_queries=self.max_queries,
            max_sources=self.max_sources,
            max_execution_time_s=self.max_execution_time_s,
            token_budget=self.token_budget,
        )


def load_settings() -> Settings:
    """Return the settings of the environment.

    Raises:
        SettingsError: when a variable holds a value that cannot be used, naming it.
    """
    try:
        return Settings()
    except ValidationError as error:
        faults = "; ".join(f"{fault['loc'][0]}: {fault['msg']}" for fault in error.errors())
        raise SettingsError(
            f"The environment sets a value that cannot be used: {faults}."
        ) from error
