"""The catalogue of module types: what graphs are made of, with ports and typed configuration."""
