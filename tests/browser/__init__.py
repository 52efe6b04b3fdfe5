"""The pages, used as people use them: by clicking and by keyboard in a real browser."""
