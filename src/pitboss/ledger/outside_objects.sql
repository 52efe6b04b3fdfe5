-- Every relation and event trigger of a PostgreSQL database outside the schema of the ledger.
SELECT 'relation', n.nspname || '.' || c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind <> 'c' AND n.nspname <> current_schema() AND n.nspname NOT LIKE 'pg\_%'
  AND n.nspname <> 'information_schema'
UNION ALL SELECT 'event trigger', evtname FROM pg_event_trigger
