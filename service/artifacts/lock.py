"""The lock: which files belong to a group, and the checksum of each."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from service.artifacts.errors import ArtifactGroupUnknown

LOCK_FILE = Path(__file__).with_name("lock.json")


@dataclass(frozen=True)
class Artifact:
    group: str
    artifact: str
    version: str
    file: str
    sha256: str
    size: int
    classifier: str = ""

    @property
    def path(self) -> Path:
        """Where the file lies in a cache. Versions lie side by side, so clones of different age can share one."""
        return Path(*self.group.split("."), self.artifact, self.version, self.file)


@dataclass(frozen=True)
class Lock:
    groups: dict[str, tuple[Artifact, ...]]

    def group(self, name: str) -> tuple[Artifact, ...]:
        if name not in self.groups:
            raise ArtifactGroupUnknown(name, sorted(self.groups))
        return self.groups[name]


@cache
def load_lock(file: Path = LOCK_FILE) -> Lock:
    groups: dict[str, list[dict[str, Any]]] = json.loads(file.read_text())
    return Lock({name: tuple(Artifact(**entry) for entry in entries) for name, entries in groups.items()})
