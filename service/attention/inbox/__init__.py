"""What waits for a user, in one list: what happens in runs asks for attention by the same rules."""
