"""One report before anything runs: what must be mended, what to look at, what it will need, make and cost."""
