"""Run by Alembic: applies the steps on the connection that ``migrate`` hands over, inside its transaction."""

from alembic import context

from pitboss.ledger.schema import metadata

if hasattr(context, "config"):  # there is none when the file is imported to be read
    context.configure(
        connection=context.config.attributes["connection"],
        target_metadata=metadata,
        transactional_ddl=True,
    )
    context.run_migrations()
