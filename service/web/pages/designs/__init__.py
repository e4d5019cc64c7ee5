"""Designs of tasks: all of them, and one with what was found, asked, proposed and saved."""
