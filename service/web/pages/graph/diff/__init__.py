"""How two graphs differ: what is new, gone and wired otherwise."""
