"""Explaining a comparison: what each mode did with every passage, why, and what would have changed that.

Everything here is worked out from a comparison's runs, and from the knowledge base where it is still the same; nothing
is stored.
"""
