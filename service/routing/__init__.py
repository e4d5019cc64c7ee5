"""Routing: when a request becomes a saved task, and when to stay out of the way."""
