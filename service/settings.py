"""The settings of one process: built once at start, frozen, and passed down. Nothing reads the environment later."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

import platformdirs
from pydantic import BeforeValidator, Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from service.errors import SettingsInvalid

PREFIX = "TASKLORE_"
TEST_PREFIX = "TASKLORE_TEST_"
MASK = "********"
URI_SCHEMES = ("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc")

Port = Annotated[int, Field(ge=1, le=65535)]


def _split(value: object) -> object:
    return tuple(part for one in value.split(",") if (part := one.strip())) if isinstance(value, str) else value


Words = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_split)]
"""Several words in one variable, with commas between them."""


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
    workers: int = Field(
        1, ge=1, le=64, description="Processes that answer on this port; one that dies is started again."
    )

    allowed_hosts: Words = Field(
        (), description="Further host names under which the service may be reached, with commas between them."
    )
    allowed_origins: Words = Field(
        (),
        description="Origins of web pages, such as https://app.example.org, that may use the service; with commas.",
    )
    max_body_bytes: int = Field(16_000_000, ge=1_000, description="The largest body of a request.")
    requests_per_second: float = Field(
        500, ge=0, description="Requests a second that one key may send to one process, on average. 0: no limit."
    )
    request_burst: int = Field(1_000, ge=1, description="Requests that one key may send to one process at once.")
    access_log: Path | None = Field(
        None,
        description="File for the lines about refused requests and used keys. Unset: they go to the service's log.",
    )

    url: str | None = Field(
        None,
        description="Address of the service that commands and programs ask. Unset: the one of this machine.",
    )
    key: SecretStr | None = Field(
        None, description="Key that commands and programs ask with. Unset: the owner's key in TASKLORE_HOME."
    )

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

    sample_world: bool = Field(
        True, description="Whether a local Neo4j that is empty gets the sample world at the start of the service."
    )

    embedding_model: str = Field(
        "bge-small-en-v1.5",
        description="bge-small-en-v1.5 or all-minilm-l6-v2 (packaged), or a name or path for sentence-transformers.",
    )
    embedding_second: bool = Field(
        True,
        description="Whether all-minilm-l6-v2 helps bge-small-en-v1.5 to match what has a description and no phrases.",
    )
    embedding_max_waiting: int = Field(
        1024, ge=1, description="Requests that may wait for an embedding at once; more are refused, to be tried again."
    )
    routing_words: Path | None = Field(
        None,
        description="A file with words and phrases of yours for routing, beside those that it has (docs/routing.md).",
    )
    plan_ahead: bool = Field(
        True, description="Whether the statements that people wait for are planned right after the start."
    )
    read_timeout_s: float = Field(
        30, gt=0, le=3600, description="Seconds after which the database stops a reading statement."
    )
    max_depth: int = Field(20, ge=1, description="Levels that a GraphQL document may have.")
    max_aliases: int = Field(100, ge=0, description="Aliases that a GraphQL document may have.")
    max_tokens: int = Field(5_000, ge=10, description="Tokens (words and signs) that a GraphQL document may have.")
    max_page_size: int = Field(1_000, ge=1, description="Records that one page of a list may have.")
    max_cost: int = Field(
        250_000, ge=1, description="What a GraphQL operation may cost: the records it may touch, estimated beforehand."
    )
    introspection: bool = Field(True, description="Whether the API tells its own schema.")
    explorer: bool = Field(True, description="Whether the API explorer is served.")
    shutdown_grace_s: int = Field(
        20, ge=0, le=3600, description="Seconds that requests in flight have to finish when the service stops."
    )
    event_retention_days: int = Field(
        30, ge=1, description="Days after which events, and the stored answers of commands, are deleted."
    )
    retain_standard_days: int = Field(
        730, ge=0, description="Days after which runs of the retention class standard are compacted. 0: never."
    )
    retain_high_value_days: int = Field(
        3650, ge=0, description="Days after which runs of the class high_value are compacted. 0: never."
    )
    retain_matter_active_days: int = Field(
        365, ge=0, description="Days after the end of its matters that a run of matter_active is compacted. 0: never."
    )
    retain_legal_work_product_days: int = Field(
        0, ge=0, description="Days after which runs of the class legal_work_product are compacted. 0: never."
    )
    retain_template_training_days: int = Field(
        1095, ge=0, description="Days after which runs of the class template_training are compacted. 0: never."
    )
    retain_ephemeral_days: int = Field(
        7, ge=0, description="Days after which runs of the class ephemeral are removed. 0: never."
    )
    retain_attention_days: int = Field(
        180, ge=0, description="Days after its last event that a session of attention is removed. 0: never."
    )
    retain_sensitive_attention_days: int = Field(
        90, ge=0, description="The same for sessions in which anything privileged or local_only was heard. 0: never."
    )
    retain_signal_days: int = Field(
        730, ge=0, description="Days after which a learning signal that supports nothing is removed. 0: never."
    )
    retain_sensitive_signal_days: int = Field(
        180, ge=0, description="The same for signals of the classes privileged and local_only. 0: never."
    )
    suggestion_mute_refusals: int = Field(
        3, ge=1, le=50, description="Refusals without an acceptance between that mute unasked suggestions of a class."
    )
    suggestion_window_days: int = Field(
        30, ge=1, le=3650, description="Days within which these refusals, or acceptances that boost, have to lie."
    )
    suggestion_acceptance_weight: int = Field(
        2, ge=1, le=50, description="Refusals that one acceptance outweighs, once suggestions are muted."
    )
    suggestion_boost_acceptances: int = Field(
        3, ge=1, le=50, description="Acceptances without a refusal between that boost suggestions of a class."
    )
    suggestions_per_class_a_day: int = Field(
        1, ge=0, le=200, description="Unasked suggestions of one class of context that a key may show in a day."
    )
    suggestions_a_day: int = Field(
        3, ge=0, le=200, description="Unasked suggestions that a key may show in a day, of all classes."
    )
    directive_candidate_traces: int = Field(
        3, ge=2, le=50, description="Traces that agree, from which a directive is proposed."
    )
    tool_window_days: int = Field(14, ge=1, le=365, description="Days that count as recent for the health of a tool.")
    tool_window_outcomes: int = Field(
        200, ge=10, le=2_000, description="Outcomes of a tool that are looked at, the latest of those days."
    )
    tool_boundary_failures: int = Field(
        3, ge=1, le=50, description="Boundary failures from which a tool may lack cohesion, and a split is recommended."
    )
    tool_boundary_axes: int = Field(
        2, ge=1, le=20, description="Different axes that these have to be on for a cohesion warning."
    )
    tool_boundary_share: float = Field(
        0.2, ge=0, le=1, description="The part of a tool's outcomes that these have to be."
    )
    tool_low_utility: int = Field(3, ge=1, le=50, description="Calls of little use from which a tool may be demoted.")
    tool_low_utility_rate: float = Field(
        0.3, ge=0, le=1, description="The smoothed rate of low utility above which it is."
    )
    tool_correction_weight: int = Field(
        3, ge=1, le=20, description="How much a user's correction weighs, where a tool's own opinion weighs one."
    )
    tool_referral_rate: float = Field(
        0.5, ge=0, le=1, description="The smoothed rate of referrals above which a tool is told to refer too often."
    )
    tool_unused_days: int = Field(
        90, ge=1, le=3650, description="Days without a call after which a tool is told to be unused."
    )
    tool_recommendation_days: int = Field(
        30, ge=1, le=3650, description="Days after which a recommendation that nobody decided on lapses."
    )
    tool_words: Path | None = Field(
        None, description="A file with synonyms of axes of yours, beside those that there are (docs/tools.md)."
    )
    reask_minutes: int = Field(
        10, ge=1, le=1_440, description="Minutes within which the same ask again is taken for a correction."
    )
    reask_likeness: float = Field(
        0.8, gt=0, le=1, description="How alike the kinds of work of the two asks have to be, from 0 to 1."
    )
    reask_phrases: bool = Field(
        False, description="Whether rules on phrases make corrections too; they are always noted."
    )
    attention_by_itself: bool = Field(
        True, description="Whether the service decides by itself about sessions that were reported."
    )
    attention_idle_minutes: int = Field(
        30, ge=1, le=1_440, description="Minutes without an event after which a session has ended."
    )
    attention_directives_a_session: int = Field(
        10, ge=0, le=200, description="Times that a user is asked for attention in one session, at most."
    )
    attention_first_time_sessions: int = Field(
        3, ge=1, le=100, description="With fewer sessions than this, a component is new to a user."
    )
    attention_directive_hours: int = Field(
        24, ge=1, le=720, description="Hours after which a directive holds no longer."
    )
    attention_inbox_days: int = Field(
        7, ge=1, le=365, description="Days for which a failed run or something odd stays in the inbox."
    )
    attention_inbox_seconds: int = Field(
        30, ge=5, le=3_600, description="Seconds after which the service looks again at what waits in an inbox."
    )
    learning_signals_agreeing: int = Field(
        3, ge=2, le=1_000, description="Signals that agree, from which a change is proposed."
    )
    learning_surfacing_runs: int = Field(
        10, ge=1, le=100_000, description="Runs without which nothing that signals add up to is told."
    )
    learning_surfacing_tasks: int = Field(3, ge=1, le=10_000, description="The same of different tasks.")
    learning_surfacing_confidence: float = Field(
        0.7, ge=0, le=1, description="How sure it has to be that something helps: the lower end of its interval."
    )
    learning_surfacing_regressions: float = Field(
        0.15, ge=0, le=1, description="The share of signals that may speak against it, at most."
    )
    learning_auto_apply: bool = Field(
        False,
        description="Whether proposals of low risk are applied by themselves, when all of the past could be replayed "
        "and nothing got worse.",
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        "info", description="Least severe log line that is written."
    )
    log_format: Literal["json", "text"] = Field("text", description="json for machines, text for people.")

    @field_validator("neo4j_uri")
    @classmethod
    def _usable_uri(cls, uri: str | None) -> str | None:
        if uri is None:
            return None
        parts = urlsplit(uri)
        if parts.scheme not in URI_SCHEMES or not parts.hostname:
            raise ValueError(f"it should look like neo4j://host:7687, with one of {', '.join(URI_SCHEMES)}")
        if "@" in parts.netloc:
            raise ValueError("user and password have settings of their own")
        return uri

    @model_validator(mode="after")
    def _one_password(self) -> "Settings":
        if self.neo4j_password and self.neo4j_password_file:
            raise ValueError("neo4j_password and neo4j_password_file are both set; set one")
        return self

    @property
    def is_local(self) -> bool:
        return self.neo4j_uri is None


@dataclass(frozen=True)
class Effective:
    """One setting as it is in force. A secret's value is a mask."""

    key: str
    value: str | None
    origin: Literal["default", "environment"]
    meaning: str


def load_settings(**overrides: Any) -> Settings:
    """Read the environment once. A bad value is an error that names its key."""
    try:
        return Settings(**overrides)
    except ValidationError as error:
        first = error.errors()[0]
        key = key_of("_".join(str(part) for part in first["loc"])) if first["loc"] else "TASKLORE_NEO4J_PASSWORD"
        raise SettingsInvalid(key, first["msg"].removeprefix("Value error, ")) from None


def effective(settings: Settings) -> list[Effective]:
    return [
        Effective(
            key=key_of(name),
            value=_shown(getattr(settings, name)),
            origin="environment" if name in settings.model_fields_set else "default",
            meaning=field.description or "",
        )
        for name, field in Settings.model_fields.items()
    ]


def unknown_keys(environ: Mapping[str, str] = os.environ) -> list[str]:
    """Variables that look like settings and are none: most often a slip of the pen."""
    known = {key_of(name) for name in Settings.model_fields}
    ours = (key for key in environ if key.startswith(PREFIX) and not key.startswith(TEST_PREFIX))
    return sorted(key for key in ours if key not in known)


def key_of(name: str) -> str:
    return PREFIX + name.upper()


def _shown(value: object) -> str | None:
    if value is None:
        return None
    if isinstance(value, SecretStr):
        return MASK
    return ",".join(value) or None if isinstance(value, tuple) else str(value)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
