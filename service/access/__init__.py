"""Who may see and change what: principals, keys, clearance, matters."""
