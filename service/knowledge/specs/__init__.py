"""Documents that are looked up section by section: our own, and those that the operator registers."""
