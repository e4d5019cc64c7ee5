"""The rules that find the twelve kinds of gaps: plain functions over the words of a prompt and where it lives."""
