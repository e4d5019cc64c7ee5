"""The knowledge pack: compiled from what exists and from what people wrote, the same from the same."""
