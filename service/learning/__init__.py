"""Learning: every design teaches, every change is a proposal, and each is replayed before anybody approves it."""
