"""Keyword, vector, fusion and filters: every way of ranking passages."""
