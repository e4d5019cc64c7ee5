"""What a delivery carried. Each try under one key may name another artifact; the last outcome says what it was."""

from typing import LiteralString


def carried(artifact: LiteralString, delivery: LiteralString) -> LiteralString:
    """Whether an artifact that a try of the delivery named is what it carried. Where several were reported as
    delivered, each of them may be."""
    return (
        f"(coalesce({artifact}.source_key = {delivery}.artifact_key, true) OR coalesce({delivery}.conflicting, false))"
    )
