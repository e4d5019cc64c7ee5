"""One case of a replay: what was decided then, and what would be decided with the change."""
