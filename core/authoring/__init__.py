"""How a knowledge base is written: its folder and history, bases made and shared, drafts of edits."""
