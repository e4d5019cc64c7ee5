"""How long sessions are kept."""
