"""Looking things up: what is live first, then what the pack in use says of it, never more than the profile allows."""
