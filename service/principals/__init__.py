"""The administration of principals and their keys, and signing in."""
