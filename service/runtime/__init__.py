"""The running service: what it has open, what its services are made of, and whether it can do its work."""
