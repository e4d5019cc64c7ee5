"""Cards: the findable side of records, as text and as vectors."""

MATCHED = ("Template", "Preset", "Pattern", "Case", "Blueprint", "Segment")
"""What can be matched: its cards have a vector of the second model, too."""
