"""Templates: the library, which of them fits a request, and one of them."""
