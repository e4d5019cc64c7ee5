"""Cards: the findable side of records, as text and as vectors."""
