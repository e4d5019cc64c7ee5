"""The evaluation suite: examples with what is expected of an answer, and scorers that look. No model takes part."""
