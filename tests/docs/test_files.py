"""The files that pages hand out: they are what the pages show, and name only what is there."""

import ast
import hashlib
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from service.settings import Settings, key_of, load_settings
from tests.docs.pages import PAGES, ROOT, read_page
from tests.docs.running import Reader

UI = ROOT / "docs/examples/ui"
DEPLOY = ROOT / "docs/deploy"
SHOWN_FILE = re.compile(r"(docs/examples/\S+), which a test runs")
SETTING = re.compile(r"\bTASKLORE_[A-Z0-9_]+")
SETTINGS = {key_of(name) for name in Settings.model_fields}


def test_a_file_that_a_page_shows_is_the_file() -> None:
    shown = [
        (found[1], block.text) for page in PAGES for block in read_page(page).others
        if (found := SHOWN_FILE.fullmatch(block.reason or ""))
    ]  # fmt: skip
    assert {name for name, _ in shown} == {
        f"docs/examples/ui/{one}" for one in ("codegen.mjs", "run.graphql", "run.ts")
    }
    for name, text in shown:
        assert text == (ROOT / name).read_text(), name


def test_what_an_example_imports_is_there_after_the_two_commands_or_the_page_says_how_to_get_it() -> None:
    """The tests have more at hand than whoever has typed `make run`."""
    locked = {
        one.lower() for one in re.findall(r"^([\w.-]+)==", (ROOT / "requirements.lock").read_text(), re.MULTILINE)
    }
    known = {*sys.stdlib_module_names, "tasklore_client", *(one.replace("-", "_") for one in locked)}
    for page in PAGES:
        told = " ".join(re.findall(r"`pip install ([^`]+)`", page.read_text())).replace("-", "_").split()
        for example in read_page(page).examples:
            if example.block.language == "python":
                lacking = {one for one in _imported(example.block.text) if one not in known}
                assert not {one for one in lacking if not any(said.startswith(one) for said in told)}, (
                    example.block.place
                )


def _imported(text: str) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {one.name.partition(".")[0] for one in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.partition(".")[0])
    return found


@pytest.mark.slow
def test_a_real_generator_makes_types_that_compile_and_the_program_runs(reader: Reader) -> None:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("no npm on this machine")
    folder = _installed(npm)
    for name in ("codegen.mjs", "run.graphql", "run.ts", "tsconfig.json"):
        shutil.copy(UI / name, folder / name)
    _run(reader, folder, "node", "codegen.mjs", str(ROOT / "resolvers/schema.graphql"))
    types = (folder / "types.ts").read_text()
    assert "Timestamp: { input: string; output: string; }" in types
    assert "startedAt?: string | null, durationMs?: number | null" in types
    _run(reader, folder, "node", "node_modules/typescript/bin/tsc")
    told = _run(reader, folder, "node", "out/run.js")
    assert "1 Read the ledgers success" in told
    assert "Draft complaint 2026-01-12T09:00:00.000Z" in told


def _installed(npm: str) -> Path:
    """What the lock names, installed once for each lock, in the cache that all clones share."""
    lock = (UI / "package-lock.json").read_bytes()
    folder = load_settings().cache / "test-codegen" / hashlib.sha256(lock).hexdigest()[:16]
    if not (folder / "installed").exists():
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("package.json", "package-lock.json"):
            shutil.copy(UI / name, folder / name)
        subprocess.run([npm, "ci", "--no-audit", "--no-fund", "--ignore-scripts"], cwd=folder, check=True, timeout=600)
        (folder / "installed").touch()
    return folder


def _run(reader: Reader, folder: Path, *command: str) -> str:
    done = subprocess.run(command, cwd=folder, env=reader.environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("file", sorted(DEPLOY.iterdir()), ids=lambda one: one.name)
def test_what_a_deployment_sets_is_a_setting(file: Path) -> None:
    assert {*SETTING.findall(file.read_text())} <= SETTINGS


def test_the_environment_of_the_unit_is_taken_by_the_service(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    lines = [one for one in (DEPLOY / "tasklore.env").read_text().splitlines() if one and not one.startswith("#")]
    for key, value in (line.split("=", 1) for line in lines):
        monkeypatch.setenv(key, value)
    password = tmp_path / "neo4j.password"
    password.write_text("secret")
    monkeypatch.setenv("TASKLORE_NEO4J_PASSWORD_FILE", str(password))
    settings = load_settings()
    assert settings.allowed_hosts == ("tasks.example.com",)
    assert not settings.is_local


def test_the_composition_has_the_service_and_the_database_that_tests_use() -> None:
    composed = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    assert composed["services"]["neo4j"]["image"].endswith("neo4j:5.26-community")
    build = composed["services"]["tasklore"]["build"]
    assert (DEPLOY / build["context"]).resolve() == ROOT
    assert (ROOT / build["dockerfile"]).exists()
    wanted = {name for one in composed["services"].values() for name in one["secrets"]}
    assert wanted == {*composed["secrets"]}
    kept = {volume.split(":")[0] for one in composed["services"].values() for volume in one["volumes"]}
    assert kept == {*composed["volumes"]}
    assert all(port.startswith("127.0.0.1:") for one in composed["services"].values() for port in one["ports"])


def test_the_image_is_made_by_targets_and_commands_that_exist() -> None:
    text = (DEPLOY / "Containerfile").read_text()
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(r"make \.venv/(\S+)", text):
        assert f"$(VENV)/{target}:" in makefile
    steps = [line.split()[0] for line in text.splitlines() if re.match(r"[A-Z]+ ", line)]
    assert {*steps} <= {"FROM", "RUN", "COPY", "WORKDIR", "ENV", "USER", "VOLUME", "EXPOSE", "HEALTHCHECK", "CMD"}
    assert text.index("USER tasklore") < text.index("CMD [")


def test_secrets_of_a_deployment_are_neither_committed_nor_copied_into_the_image() -> None:
    for name in (".gitignore", ".dockerignore"):
        text = (ROOT / name).read_text()
        assert "docs/deploy/neo4j.auth" in text
        assert "docs/deploy/neo4j.password" in text
