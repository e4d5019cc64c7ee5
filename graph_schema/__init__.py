"""The single source of truth about the graph: record types, relations, indexes, reference and Browser style."""
