"""The pack in use, what it is good for, and whether it is behind."""
