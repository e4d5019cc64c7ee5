"""What learning proposes, what a replay of the past says of it, and a person's decision."""
