"""What is known of the task system: its modules, the cards about them, and what is told before anything runs."""
