"""Bring a group's files into the cache. A file has its final name only once its checksum was verified."""

import fcntl
import hashlib
import shutil
import time
from collections.abc import Callable, Generator
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path

from service.artifacts.errors import ArtifactCorrupt
from service.artifacts.lock import Artifact, Lock, load_lock
from service.progress import Part

Progress = Callable[[str], None]
Downloader = Callable[[Artifact], Path]

THREADS = 8
PROGRESS_SECONDS = 2.0


def ensure(
    group: str,
    cache: Path,
    progress: Progress,
    *,
    lock: Lock | None = None,
    repositories: dict[str, str] | None = None,
) -> list[Path]:
    """The paths of the group's files, all of them present. Quick when nothing is missing."""
    artifacts = (lock or load_lock()).group(group)
    root = cache / "artifacts"
    if _missing(artifacts, root):
        with _sole_fetcher(root, group, progress):
            missing = _missing(artifacts, root)  # again: another process may just have fetched them
            _fetch(group, missing, root, progress, repositories)
    return [root / artifact.path for artifact in artifacts]


def _missing(artifacts: tuple[Artifact, ...], root: Path) -> list[Artifact]:
    return [artifact for artifact in artifacts if _size(root / artifact.path) != artifact.size]


def _size(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return None


@contextmanager
def _sole_fetcher(root: Path, group: str, progress: Progress) -> Generator[None]:
    """Two processes that need the same files fetch them once; the kernel frees the lock of one that dies."""
    root.mkdir(parents=True, exist_ok=True)
    with (root / f".{group}.lock").open("w") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            progress(f"Another process is fetching {group}; waiting for it")
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def _fetch(
    group: str, missing: list[Artifact], root: Path, progress: Progress, repositories: dict[str, str] | None
) -> None:
    if not missing:
        return
    total = sum(artifact.size for artifact in missing)
    progress(f"Fetching {group}: {len(missing)} file{'s' * (len(missing) > 1)}, {total / 1e6:.0f} MB")
    started = time.monotonic()
    incoming = root / f".{group}.incoming"
    shutil.rmtree(incoming, ignore_errors=True)  # what an interrupted process left
    # Imported here: jgo takes longer to import than finding that nothing is missing.
    from service.artifacts.maven import Maven  # noqa: PLC0415

    try:
        _fetch_all(group, missing, root, Maven(incoming, repositories), progress)
    finally:
        shutil.rmtree(incoming, ignore_errors=True)
    progress(f"Fetched {group} in {time.monotonic() - started:.1f} s")


def _fetch_all(group: str, missing: list[Artifact], root: Path, download: Downloader, progress: Progress) -> None:
    pool = ThreadPoolExecutor(THREADS, thread_name_prefix="fetch")
    try:
        futures = [pool.submit(_fetch_one, artifact, root, download) for artifact in missing]
        _await(group, futures, progress)
    finally:
        pool.shutdown(cancel_futures=True)


def _await(group: str, futures: list[Future[int]], progress: Progress) -> None:
    pending: set[Future[int]] = set(futures)
    while pending:
        done, pending = wait(pending, timeout=PROGRESS_SECONDS, return_when=FIRST_EXCEPTION)
        for future in done:
            future.result()
        if pending:
            finished = [future.result() for future in futures if future not in pending]
            progress(Part(f"Fetching {group}", len(finished), len(futures), f"{sum(finished) / 1e6:.0f} MB so far"))


def _fetch_one(artifact: Artifact, root: Path, download: Downloader) -> int:
    fetched = download(artifact)
    digest = _sha256(fetched)
    if digest != artifact.sha256:
        raise ArtifactCorrupt(artifact.file, artifact.sha256, digest)
    target = root / artifact.path
    target.parent.mkdir(parents=True, exist_ok=True)
    fetched.replace(target)
    return artifact.size


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
