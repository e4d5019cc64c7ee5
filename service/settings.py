"""The settings of one process: built once at start, frozen, and passed down. Nothing reads the environment later."""

from pathlib import Path
from typing import Annotated, Any, Literal

import platformdirs
from pydantic import Field, SecretStr, ValidationError, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from service.errors import SettingsInvalid

PREFIX = "TASKLORE_"

Port = Annotated[int, Field(ge=1, le=65535)]


class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True, extra="ignore", env_ignore_empty=True)

    home: Path = Field(
        default_factory=lambda: Path(platformdirs.user_data_dir("tasklore")),
        description="Directory of the local database, its password, and its backups.",
    )
    cache: Path = Field(
        default_factory=lambda: Path(platformdirs.user_cache_dir("tasklore")),
        description="Directory of downloaded artifacts (database, models, web files); shared by all clones.",
    )
    host: str = Field("127.0.0.1", description="Address the service listens on.")
    port: Port = Field(8000, description="Port the service listens on.")

    neo4j_uri: str | None = Field(
        None,
        description="A Neo4j server to use, such as neo4j://db:7687. Unset: a local one is provisioned and run.",
    )
    neo4j_user: str = Field("neo4j", description="User for that server.")
    neo4j_password: SecretStr | None = Field(None, description="Password for that server.")
    neo4j_password_file: Path | None = Field(
        None, description="File that holds the password, instead of the password itself."
    )
    neo4j_database: str = Field("neo4j", description="Name of the database on that server.")

    local_bolt_port: Port = Field(
        7687, description="Bolt port of the local Neo4j; a free one is taken and printed when this is in use."
    )
    local_http_port: Port = Field(
        7474,
        description="HTTP port of the local Neo4j (its Browser); a free one is taken and printed when this is in use.",
    )
    local_heap_mb: int | None = Field(
        None,
        ge=256,
        description="Java heap of the local Neo4j in MB. Unset: a quarter of the machine's memory, 512 to 2048.",
    )
    local_page_cache_mb: int | None = Field(
        None,
        ge=64,
        description="Page cache of the local Neo4j in MB. Unset: an eighth of the machine's memory, 128 to 1024.",
    )

    embedding_model: str = Field(
        "all-minilm-l6-v2",
        description="all-minilm-l6-v2 or bge-small-en-v1.5 (packaged), or a name or path for sentence-transformers.",
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        "info", description="Least severe log line that is written."
    )
    log_format: Literal["json", "text"] = Field("text", description="json for machines, text for people.")

    @model_validator(mode="after")
    def _one_password(self) -> "Settings":
        if self.neo4j_password and self.neo4j_password_file:
            raise ValueError("neo4j_password and neo4j_password_file are both set; set one")
        return self

    @property
    def is_local(self) -> bool:
        return self.neo4j_uri is None


def load_settings(**overrides: Any) -> Settings:
    """Read the environment once. A bad value is an error that names its key."""
    try:
        return Settings(**overrides)
    except ValidationError as error:
        first = error.errors()[0]
        key = (
            PREFIX + "_".join(str(part) for part in first["loc"]).upper() if first["loc"] else "TASKLORE_NEO4J_PASSWORD"
        )
        raise SettingsInvalid(key, first["msg"].removeprefix("Value error, ")) from None
