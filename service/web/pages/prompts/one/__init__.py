"""One kept prompt: candidates, tests, what takes its place."""
