"""Context: what a run is about, what its modules are given to know, and what is kept from them."""
