"""One assessment: findings, what shows them, what would be better."""
