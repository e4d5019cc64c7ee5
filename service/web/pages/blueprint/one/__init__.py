"""A blueprint: what it is for, step by step, and what is changed in it."""
