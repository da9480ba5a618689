"""What a knowledge base covers: its own faults, and which of its passages questions reach.

health, pairs (the base alone) ─┐
questions × modes ─► reach      ├─► report ─► the `coverage` command, the Coverage page
a question a passage ─► needles ┘
"""
