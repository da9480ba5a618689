"""Scripts that print what the README claims; each measures both sides of a ratio in one run."""
