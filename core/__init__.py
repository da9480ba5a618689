"""The engine of the workbench: one question in, events out. It never imports the page."""
