"""The documentation: what its pages show is done, and what they answer is what is answered."""
