"""What designs are worth, by type of task and by goal: outputs that people want, questions, what became of goals."""
