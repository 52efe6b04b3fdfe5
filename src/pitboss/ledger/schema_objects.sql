-- Every object of a schema of PostgreSQL, with the text that defines it.
SELECT 'relation', c.relname, format('%s rls=%s/%s options=%s', c.relkind, c.relrowsecurity, c.relforcerowsecurity,
  c.reloptions) FROM pg_class c WHERE c.relnamespace = CAST(:schema AS regnamespace) AND c.relkind <> 'c'
UNION ALL SELECT 'column', c.relname || '.' || a.attname, format('%s null=%s %s %s%s',
  format_type(a.atttypid, a.atttypmod), NOT a.attnotnull, pg_get_expr(d.adbin, d.adrelid), a.attgenerated,
  a.attidentity)
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid
  AND d.adnum = a.attnum
  WHERE c.relnamespace = CAST(:schema AS regnamespace) AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
UNION ALL SELECT 'constraint', c.relname || '.' || k.conname, format('%s %s', pg_get_constraintdef(k.oid),
  k.convalidated)
  FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid WHERE c.relnamespace = CAST(:schema AS regnamespace)
UNION ALL SELECT 'index', c.relname, format('%s valid=%s', pg_get_indexdef(i.indexrelid), i.indisvalid)
  FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE c.relnamespace = CAST(:schema AS regnamespace)
UNION ALL SELECT 'trigger', c.relname || '.' || t.tgname, format('%s enabled=%s', pg_get_triggerdef(t.oid),
  t.tgenabled)
  FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
  WHERE c.relnamespace = CAST(:schema AS regnamespace) AND NOT t.tgisinternal
UNION ALL SELECT 'rule', c.relname || '.' || r.rulename, pg_get_ruledef(r.oid)
  FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class WHERE c.relnamespace = CAST(:schema AS regnamespace)
UNION ALL SELECT 'policy', p.polname, pg_get_expr(p.polqual, p.polrelid)
  FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid WHERE c.relnamespace = CAST(:schema AS regnamespace)
UNION ALL SELECT 'function', p.proname, pg_get_functiondef(p.oid)
  FROM pg_proc p WHERE p.pronamespace = CAST(:schema AS regnamespace) AND p.prokind <> 'a'
