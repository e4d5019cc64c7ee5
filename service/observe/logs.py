"""Structured log lines on stderr: `time level event key=value …` for people, JSON for machines."""

import logging
import sys
import traceback
from collections.abc import MutableMapping
from typing import Any, TextIO, cast

import orjson
import structlog
from structlog.typing import FilteringBoundLogger

from service.clock import now
from service.observe.requests import current_request_id
from service.settings import Settings

Line = MutableMapping[str, Any]

log = cast("FilteringBoundLogger", structlog.get_logger())


def set_up_logs(settings: Settings, stream: TextIO | None = None) -> None:
    """Once a process. The loggers of libraries write through the same renderer, from warnings upwards."""
    level = getattr(logging, settings.log_level.upper())
    structlog.configure(
        processors=[_stamp, _flatten_error, _json if settings.log_format == "json" else _text],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.WriteLoggerFactory(stream or sys.stderr),
        cache_logger_on_first_use=stream is None,
    )
    logging.basicConfig(handlers=[_Forwarder()], level=max(level, logging.WARNING), force=True)


def _stamp(_logger: object, method: str, line: Line) -> Line:
    stamped: Line = {"time": now(), "level": method, "event": line.pop("event")}
    if (request_id := current_request_id()) and "request_id" not in line:
        stamped["request_id"] = request_id
    stamped.update(line)
    return stamped


def _flatten_error(_logger: object, _method: str, line: Line) -> Line:
    error = line.pop("exc_info", None)
    if error:
        shown = sys.exception() if error is True else error
        line["error"] = "".join(traceback.format_exception(shown)).rstrip()
    return line


def _json(_logger: object, _method: str, line: Line) -> str:
    return orjson.dumps(line, default=str).decode()


def _text(_logger: object, _method: str, line: Line) -> str:
    head = f"{line.pop('time')} {line.pop('level'):<7} {line.pop('event')}"
    error = line.pop("error", None)
    facts = "".join(f" {key}={_word(value)}" for key, value in line.items())
    return f"{head}{facts}\n{error}" if error else f"{head}{facts}"


def _word(value: object) -> str:
    """One line however hostile the value: a log line cannot be forged by a line break in a path."""
    word = str(value)
    return word if word.isprintable() and " " not in word and word else repr(word)


class _Forwarder(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        log.log(record.levelno, record.getMessage(), logger=record.name, **({"exc_info": error} if error else {}))
