"""The parts of the Library page: reading and editing, importing, the history, and the shelf of bases."""
