"""What waits for a user, in one list: runs, tools and proposals ask for attention by the same rules."""
