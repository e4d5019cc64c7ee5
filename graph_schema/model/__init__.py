"""What a record, a relation and a field are, and the registry that holds them all."""
