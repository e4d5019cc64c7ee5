"""How far artifacts go by default, and what single modules do with theirs."""
