"""What a run made, delivered and worked from."""
