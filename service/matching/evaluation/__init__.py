"""How good matching is: fitting its constants, judging it on labelled requests."""
