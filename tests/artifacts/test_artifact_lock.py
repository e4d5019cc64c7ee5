import hashlib
import re
from pathlib import Path

from service.artifacts import load_lock
from service.artifacts.lock import LOCK_FILE
from service.artifacts.remake_lock import GROUPS, parse_line


def test_the_lock_holds_what_its_maker_asks_for() -> None:
    lock = load_lock()
    assert set(lock.groups) == set(GROUPS)
    for name, roots in GROUPS.items():
        locked = {f"{item.group}:{item.artifact}:{item.version}" for item in lock.group(name)}
        assert locked >= set(roots.coordinates)
        assert roots.transitive or len(locked) == len(roots.coordinates)


def test_every_entry_is_complete_and_no_two_share_a_place() -> None:
    items = [item for group in load_lock().groups.values() for item in group]
    assert all(re.fullmatch("[0-9a-f]{64}", item.sha256) and item.size > 0 for item in items)
    assert len({item.path for item in items}) == len(items)


def test_the_lock_names_no_address() -> None:
    assert "://" not in LOCK_FILE.read_text()


def test_a_line_of_maven_is_understood(tmp_path: Path) -> None:
    jar = tmp_path / "thing-1.0-linux.jar"
    jar.write_bytes(b"jar")
    plain = parse_line(f"   org.example:thing:jar:1.0:compile:{jar}")
    classified = parse_line(f"   org.example:thing:jar:linux:1.0:compile:{jar} -- module org.example (auto)")
    assert (plain.group, plain.artifact, plain.version, plain.classifier) == ("org.example", "thing", "1.0", "")
    assert (classified.version, classified.classifier, classified.file) == ("1.0", "linux", jar.name)
    assert plain.sha256 == hashlib.sha256(b"jar").hexdigest()
