"""Documents: described once as values, rendered to the terminal, a page, PDF, a workbook and CSV."""
