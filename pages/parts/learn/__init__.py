"""Learn: guess first, then see what every mode really did, and why."""
