"""The parts of the Coverage page."""
