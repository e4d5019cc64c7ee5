"""Tools and their health."""
