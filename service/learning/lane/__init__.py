"""The lane beside everything: what was recorded becomes signals, signals that agree become proposals, which wait."""
