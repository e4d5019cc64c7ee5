"""Types, filters, inputs and payloads that are made from the registry and from read models."""
