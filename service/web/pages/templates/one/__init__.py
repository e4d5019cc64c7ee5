"""One template: what it is for, how it is built, who uses it."""
