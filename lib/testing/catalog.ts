import type { Ask } from '../../db/drivers/migrated'

/**
 * The parts of a database, as sorted lines that begin with a kind and a name: columns in their order, constraints, indexes, triggers,
 * functions, policies, options, sequences, and the rights of the role behind the fence. White space in a function's text is ignored, and so are
 * partitions: which there are depends on the day.
 */
const CATALOG = `
with ours as (select oid, nspname from pg_namespace where nspname in ('public', 'drizzle')),
tables as (select c.*, nspname || '.' || relname as name from pg_class c join ours n on n.oid = relnamespace
  where relkind in ('r', 'p') and not relispartition)
select line from (
  select format('column %s.%s %s %s %s %s%s default %s collation %s statistics %s storage %s', t.name, attname,
    row_number() over (partition by t.oid order by attnum), format_type(atttypid, atttypmod), attnotnull, attidentity, attgenerated,
    pg_get_expr(adbin, adrelid), attcollation::regcollation, attstattarget, attstorage)
  from tables t join pg_attribute on attrelid = t.oid and attnum > 0 and not attisdropped
    left join pg_attrdef on adrelid = t.oid and adnum = attnum
  union all select format('constraint %s.%s %s', t.name, conname, pg_get_constraintdef(k.oid))
  from tables t join pg_constraint k on conrelid = t.oid where contype <> 'n'
  union all select format('index %s', replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ')) from tables t join pg_index on indrelid = t.oid
  union all select format('trigger %s %s', tgenabled, pg_get_triggerdef(g.oid)) from tables t join pg_trigger g on tgrelid = t.oid
  where not tgisinternal
  union all select format('policy %s.%s %s %s %s %s %s', t.name, polname, polcmd, polpermissive, polroles::regrole[],
    pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)) from tables t join pg_policy on polrelid = t.oid
  union all select format('table %s fenced %s forced %s options %s comment %s', name, relrowsecurity, relforcerowsecurity, reloptions,
    obj_description(oid, 'pg_class')) from tables
  union all select format('right %s %s %s', name, grantee::regrole, privilege_type) from tables cross join aclexplode(relacl)
  where grantee <> relowner
  union all select format('right %s.%s %s %s', name, attname, grantee::regrole, privilege_type)
  from tables join pg_attribute on attrelid = tables.oid cross join aclexplode(attacl)
  union all select format('sequence %s.%s %s %s %s', nspname, relname, seqtypid::regtype, seqstart, seqincrement)
  from pg_class c join ours n on n.oid = relnamespace join pg_sequence on seqrelid = c.oid
  union all select format('function %s.%s returns %s %s %s %s %s %s %s %s as %s', nspname, p.oid::regprocedure, pg_get_function_result(p.oid),
    lanname, provolatile, proisstrict, prosecdef, proparallel, procost, proconfig, regexp_replace(prosrc, '\\s+', ' ', 'g'))
  from pg_proc p join ours n on n.oid = pronamespace join pg_language l on l.oid = prolang
  union all select format('extension %s', extname) from pg_extension
) lines(line) order by line collate "C"`

/** Reads the catalog of a database as lines. */
export async function readCatalog(ask: Ask): Promise<string[]> {
  const { rows } = await ask(CATALOG)
  return rows.map((row) => ('line' in row ? String(row.line) : ''))
}
