"""The library: task assets and design knowledge, kept by people and found by matching."""
