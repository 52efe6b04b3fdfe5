"""Pages drawn from templates: one module a page, with what it shows and what a press on it does."""
