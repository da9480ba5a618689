"""Files to passages: reading, splitting, the shelf of bases, and the one tokeniser."""
