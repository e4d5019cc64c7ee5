"""Whether the service can do its work, and what it lacks. Answers within seconds even when nothing else does."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from service.errors import TaskloreError
from service.observe.logs import log

CHECK_SECONDS = 2.0
FRESH_SECONDS = 1.0
"""Anybody may ask; the database is asked no more often than this."""


@dataclass(frozen=True)
class Finding:
    ok: bool
    detail: str
    facts: dict[str, Any] = field(default_factory=dict[str, Any])


Check = Callable[[], Awaitable[Finding]]


@dataclass(frozen=True)
class Report:
    checks: dict[str, Finding]

    @property
    def ready(self) -> bool:
        return all(finding.ok for finding in self.checks.values())

    @property
    def missing(self) -> list[str]:
        return [name for name, finding in self.checks.items() if not finding.ok]

    def as_json(self) -> dict[str, Any]:
        return {
            "status": "ready" if self.ready else "not_ready",
            "missing": self.missing,
            "checks": {name: asdict(finding) for name, finding in self.checks.items()},
        }


class Health:
    def __init__(self, checks: Mapping[str, Check]) -> None:
        self._checks = dict(checks)
        self._asking = asyncio.Lock()
        self._report: Report | None = None
        self._reported_at = 0.0

    async def report(self) -> Report:
        async with self._asking:
            if self._report is None or time.monotonic() - self._reported_at > FRESH_SECONDS:
                self._remember(await self._ask())
            return self._report or Report({})

    async def _ask(self) -> Report:
        findings = await asyncio.gather(*(_asked(check) for check in self._checks.values()))
        return Report(dict(zip(self._checks, findings, strict=True)))

    def _remember(self, report: Report) -> None:
        if self._report is not None and self._report.missing != report.missing:
            log.warning("readiness changed", ready=report.ready, missing=",".join(report.missing) or "nothing")
        self._report, self._reported_at = report, time.monotonic()


async def _asked(check: Check) -> Finding:
    try:
        async with asyncio.timeout(CHECK_SECONDS):
            return await check()
    except TimeoutError:
        return Finding(False, f"no answer within {CHECK_SECONDS:.0f} s")
    except TaskloreError as error:
        return Finding(False, error.code)  # its message may name addresses, and anybody may ask
    except Exception as error:
        log.warning("health check failed", exc_info=error)
        return Finding(False, "failed; the log says more")
