"""The ledger: what happened and where the money is, in a database that shows when somebody has touched it."""
