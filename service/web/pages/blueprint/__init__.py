"""Blueprints: one with its parts, and how two of them or two versions of one differ."""
