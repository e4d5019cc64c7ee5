"""One tool: what its recent calls come to."""
