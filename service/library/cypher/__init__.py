"""Statements of the library, by what they are about."""
