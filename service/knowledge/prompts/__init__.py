"""Improve Prompt: what a prompt lacks, a rewrite that keeps all of it, candidates, tests of them."""
