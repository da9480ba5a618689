"""Chat and embedding providers behind small protocols; the offline ones beside them."""
