"""The only place that draws: one file a page."""
