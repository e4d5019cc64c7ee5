"""A link that somebody was given: what can be done beside it, once signed in."""
