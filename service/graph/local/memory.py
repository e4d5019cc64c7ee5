"""How much memory the local Neo4j gets: what the settings say, else a modest share of the machine."""

from pathlib import Path

import psutil

from service.settings import Settings

CGROUP_LIMIT = Path("/sys/fs/cgroup/memory.max")


def heap_mb(settings: Settings) -> int:
    return settings.local_heap_mb or _clamp(machine_mb() // 4, 512, 2048)


def page_cache_mb(settings: Settings) -> int:
    return settings.local_page_cache_mb or _clamp(machine_mb() // 8, 128, 1024)


def machine_mb() -> int:
    """The machine's memory, or the container's when that is less."""
    total = psutil.virtual_memory().total
    limit = CGROUP_LIMIT.read_text().strip() if CGROUP_LIMIT.is_file() else "max"
    return min(total, int(limit) if limit.isdigit() else total) // 2**20


def _clamp(value: int, least: int, most: int) -> int:
    return max(least, min(value, most))
