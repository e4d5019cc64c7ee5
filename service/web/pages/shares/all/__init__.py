"""All shares, newest first."""
