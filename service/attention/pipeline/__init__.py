"""From events to a decision, in five steps. Plain functions over facts, and rules that are data."""
