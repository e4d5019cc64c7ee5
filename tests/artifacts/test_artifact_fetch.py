import time
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from service.artifacts import Artifact, ArtifactCorrupt, ArtifactUnavailable, Lock, ensure
from service.artifacts.errors import ArtifactGroupUnknown
from tests.artifacts.repository import Repository, serving


@pytest.fixture
def repository() -> Generator[Repository]:
    with serving() as repository:
        yield repository


def _files(cache: Path) -> list[str]:
    return sorted(path.name for path in cache.rglob("*") if path.is_file() and path.suffix != ".lock")


def _ensure(lock: Lock, cache: Path, repository: Repository, lines: list[str] | None = None) -> list[Path]:
    progress = (lines if lines is not None else []).append
    return ensure("things", cache, progress, lock=lock, repositories=repository.addresses)


def test_fetches_what_is_missing_and_nothing_twice(repository: Repository, tmp_path: Path) -> None:
    lock = repository.publish("one", "two")
    lines: list[str] = []
    first = _ensure(lock, tmp_path, repository, lines)
    assert [path.read_bytes() for path in first] == [b"content of one", b"content of two"]
    assert lines[0] == "Fetching things: 2 files, 0 MB"
    assert len(repository.requests) == 2

    assert _ensure(lock, tmp_path, repository) == first
    assert len(repository.requests) == 2
    assert _files(tmp_path) == ["one-1.0.jar", "two-1.0.jar"]


def test_a_full_cache_is_seen_quickly(tmp_path: Path) -> None:
    artifacts = tuple(Artifact("org.example", f"a{number}", "1", f"a{number}.jar", "", 1) for number in range(213))
    for artifact in artifacts:
        path = tmp_path / "artifacts" / artifact.path
        path.parent.mkdir(parents=True)
        path.write_bytes(b"x")
    started = time.process_time()
    ensure("things", tmp_path, print, lock=Lock({"things": artifacts}))
    assert time.process_time() - started < 0.1


def test_a_wrong_checksum_is_refused_and_says_which_file(repository: Repository, tmp_path: Path) -> None:
    lock = repository.publish("good", "bad")
    spoilt = next(path for path in repository.files if "bad" in path)
    repository.files[spoilt] = b"content of BAD"
    with pytest.raises(ArtifactCorrupt) as refused:
        _ensure(lock, tmp_path, repository)
    expected = lock.group("things")[1].sha256
    assert "bad-1.0.jar" in refused.value.message
    assert expected in refused.value.message
    assert str(refused.value.facts["got"]) in refused.value.message
    assert refused.value.remedy
    assert "bad-1.0.jar" not in _files(tmp_path)


def test_a_cached_file_of_the_wrong_size_is_fetched_again(repository: Repository, tmp_path: Path) -> None:
    lock = repository.publish("one")
    (path,) = _ensure(lock, tmp_path, repository)
    path.write_bytes(b"half")
    assert _ensure(lock, tmp_path, repository)[0].read_bytes() == b"content of one"


def test_a_download_that_breaks_off_leaves_nothing(repository: Repository, tmp_path: Path) -> None:
    lock = repository.publish("one")
    repository.truncate = True
    with pytest.raises(ArtifactUnavailable, match=r"one-1\.0\.jar"):
        _ensure(lock, tmp_path, repository)
    assert _files(tmp_path) == []
    repository.truncate = False
    assert _ensure(lock, tmp_path, repository)[0].read_bytes() == b"content of one"


def test_what_a_killed_process_left_is_cleared(repository: Repository, tmp_path: Path) -> None:
    lock = repository.publish("one")
    half = tmp_path / "artifacts" / ".things.incoming" / lock.group("things")[0].path
    half.parent.mkdir(parents=True)
    half.write_bytes(b"con")
    assert _ensure(lock, tmp_path, repository)[0].read_bytes() == b"content of one"
    assert _files(tmp_path) == ["one-1.0.jar"]


def test_offline_is_told_with_a_remedy(repository: Repository, tmp_path: Path) -> None:
    lock = repository.publish("one")
    repository.address = "http://127.0.0.1:9"  # nothing listens on the discard port
    with pytest.raises(ArtifactUnavailable, match="no connection") as failed:
        _ensure(lock, tmp_path, repository)
    assert "TASKLORE_CACHE" in failed.value.one_line()


def test_a_file_that_the_repository_lacks_is_named(repository: Repository, tmp_path: Path) -> None:
    lock = repository.publish("one")
    repository.files.clear()
    with pytest.raises(ArtifactUnavailable, match=r"one-1\.0\.jar .* does not give it out"):
        _ensure(lock, tmp_path, repository)


def test_two_at_once_fetch_each_file_once(repository: Repository, tmp_path: Path) -> None:
    lock = repository.publish(*(f"thing{number}" for number in range(20)))
    with ThreadPoolExecutor(2) as pool:
        both = [pool.submit(_ensure, lock, tmp_path, repository) for _ in range(2)]
    assert both[0].result() == both[1].result()
    assert len(repository.requests) == 20


def test_an_unknown_group_lists_the_known(tmp_path: Path) -> None:
    with pytest.raises(ArtifactGroupUnknown, match="nonsense") as unknown:
        ensure("nonsense", tmp_path, print)
    assert "neo4j" in unknown.value.one_line()
