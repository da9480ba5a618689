"""Explain: below a finished comparison, why each mode found or missed every passage."""
