"""Finding what runs made."""
