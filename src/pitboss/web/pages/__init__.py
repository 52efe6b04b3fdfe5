"""The pages of the house, in a browser: the same pit as the HTTP interface, with nothing fetched from elsewhere."""
