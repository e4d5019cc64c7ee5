"""The queue of proposals for whoever decides, and the watch over what was applied."""
