"""Writes `schema.graphql`, or says whether it is as it should be."""

from pathlib import Path

from resolvers.schema import printed

SCHEMA_FILE = Path(__file__).with_name("schema.graphql")


def write(*, check: bool = False) -> bool:
    """Bring the file up to date; with `check`, change nothing. Returns whether it was up to date."""
    wanted = printed()
    current = SCHEMA_FILE.exists() and SCHEMA_FILE.read_text() == wanted
    if not current and not check:
        SCHEMA_FILE.write_text(wanted)
    return current
