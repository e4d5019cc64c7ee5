"""One task: how it is built, how its runs go."""
