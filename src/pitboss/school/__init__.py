"""The dealer school: questions made from the games themselves, graded by paragraph. Nothing here knows a page."""
