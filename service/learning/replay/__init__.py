"""Replays: a proposal is run over the recorded past that it would have touched, before anybody approves it."""
