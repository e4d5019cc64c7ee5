"""What will go wrong, what it needs, makes and costs, before anything runs."""
