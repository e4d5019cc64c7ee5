"""What the Task Agent does without a model, for what is open, with its threads and consults."""
