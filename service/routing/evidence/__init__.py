"""Evidence for and against a saved task, each kind read by a module of its own."""
