import { sql } from 'drizzle-orm'
import { type Database, type Orm, rows, withinContractor } from '../client'
import { lastImageBefore } from './load-journal'
import { belongingTo, removeWithin } from './missing'

/** The effect of a load on a record. */
export type ImageKind = 'added' | 'updated' | 'deleted'
/** The effect of a load on one record, without the values. `n` counts up. */
export type Image = { n: number; table: string; id: string; kind: ImageKind }

/** A record that is not as the load left it: why it cannot be taken back. */
export type Changed = { table: string; id: string; reference: string | null; why: 'changed' | 'deleted' | string[] }

const numbers = (values: number[]) =>
  sql`array(select jsonb_array_elements_text(${JSON.stringify(values)}::jsonb)::bigint)`
const texts = (values: string[]) => sql`array(select jsonb_array_elements_text(${JSON.stringify(values)}::jsonb))`

/** Returns what a contractor's last load changed before `before`, the latest first; of one `step` where that is given. */
export const imagesBefore = (
  orm: Orm,
  contractorId: string,
  { before, step, most }: { before: number; step?: string | undefined; most: number },
): Promise<Image[]> =>
  rows<Image>(
    orm,
    sql`select n::float8 as n, table_name as "table", record_id as id,
        case when before is null then 'added' when after is null then 'deleted' else 'updated' end as kind
      from load_images where contractor_id = ${contractorId} and n < ${before} and n > ${lastImageBefore(contractorId)}
        ${step === undefined ? sql`` : sql`and step = ${step}`}
      order by n desc limit ${most}`,
  )

/** How many records of a table a load changed in one way. */
export type ImageCount = { table: string; kind: ImageKind; count: number }

/**
 * Counts the records that taking back the last load, or an earlier one by its last image, changes; null where it noted more than `most`. What a
 * load both added and deleted counts as neither.
 */
export async function countImages(
  orm: Orm,
  contractorId: string,
  { lastImage, most }: { lastImage: number | undefined; most: number },
): Promise<ImageCount[] | null> {
  const upTo = lastImage ?? Number.MAX_SAFE_INTEGER
  const before = sql`coalesce((select max(last_image) from earlier_loads where contractor_id = ${contractorId} and last_image < ${upTo}), 0)`
  const found = await rows<ImageCount & { all: number }>(
    orm,
    sql`with noted as (select n, table_name, record_id, before is null as was_absent, after is null as is_absent from load_images
        where contractor_id = ${contractorId} and n > ${before} and n <= ${upTo} order by n limit ${most + 1}),
      effects as (select table_name, (array_agg(was_absent order by n))[1] as was_absent, (array_agg(is_absent order by n desc))[1] as is_absent
        from noted group by table_name, record_id)
      select table_name as "table", case when was_absent then 'added' when is_absent then 'deleted' else 'updated' end as kind,
        count(*)::int as count, (select count(*)::int from noted) as all
      from effects where not (was_absent and is_absent) group by 1, 2 order by 1, 2`,
  )
  if (found.some(({ all }) => all > most)) return null
  return found.map(({ table, kind, count }) => ({ table, kind, count }))
}

/** Returns those records of images of one table that are not as the load left them. Table names come from the images, which a trigger writes. */
export const changedSince = (orm: Orm, contractorId: string, table: string, ns: number[]): Promise<Changed[]> =>
  rows<Changed>(
    orm,
    sql`select i.table_name as "table", i.record_id as id, coalesce(t.source_reference, i.before->>'source_reference') as reference,
        to_jsonb(case when t.id is null then 'deleted' else 'changed' end) as why
      from load_images i left join ${sql.identifier(table)} t on t.id = i.record_id and t.contractor_id || '' = ${contractorId}
      where i.contractor_id = ${contractorId} and i.n = any(${numbers(ns)})
        and case when i.after is null then t.id is not null
          else t.id is null or image_hash(i.table_name, to_jsonb(t)) <> i.after end
      order by i.n`,
  )

/** The rows that name records of a table, as `table`, `id` of the row and `of` the record. */
export async function rowsNaming(
  orm: Orm,
  table: string,
  ids: string[],
): Promise<{ table: string; id: string; of: string }[]> {
  const found: { table: string; id: string; of: string }[] = []
  for (const child of await belongingTo(orm, table))
    found.push(
      ...(await rows<{ table: string; id: string; of: string }>(
        orm,
        sql`select ${child.table}::text as "table", to_jsonb(c)->>'id' as id, c.${sql.identifier(child.column)} as of
          from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb) as r(id)
          cross join lateral (select * from ${sql.identifier(child.table)} c where c.${sql.identifier(child.column)} = r.id limit 1000) c`,
      )),
    )
  return found
}

/** The references of records by their ids. */
export async function referencesById(orm: Orm, table: string, ids: string[]): Promise<Map<string, string | null>> {
  const found = await rows<{ id: string; reference: string | null }>(
    orm,
    sql`select id, source_reference as reference from ${sql.identifier(table)} where id = any(${texts(ids)})`,
  )
  return new Map(found.map(({ id, reference }) => [id, reference]))
}

/** The columns of a table that a record has of its own: not its id and times, and not what triggers derive. */
async function ownColumns(orm: Orm, table: string): Promise<string[]> {
  const found = await rows<{ name: string }>(
    orm,
    sql`select attname::text as name from pg_attribute where attrelid = ${table}::regclass and attnum > 0 and not attisdropped
      and attname <> all(array['id', 'contractor_id', 'created_at'] || derived_columns(${table})) order by attnum`,
  )
  return found.map(({ name }) => name)
}

/** Puts records back as they were before the load, where they are still as it left them. */
async function restoreUpdated(orm: Orm, contractorId: string, table: string, ns: number[]): Promise<void> {
  const columns = (await ownColumns(orm, table)).map((name) => sql.identifier(name))
  const list = sql.join(columns, sql`, `)
  const values = sql.join(
    columns.map((name) => sql`b.${name}`),
    sql`, `,
  )
  await orm.execute(sql`update ${sql.identifier(table)} t set (${list}) = (
      select ${values} from jsonb_populate_record(null::${sql.identifier(table)}, i.before) b)
    from load_images i where i.contractor_id = ${contractorId} and i.n = any(${numbers(ns)}) and t.id = i.record_id
      and t.contractor_id || '' = ${contractorId} and image_hash(i.table_name, to_jsonb(t)) = i.after`)
}

/** Takes back what the load did to these records of one table, in one transaction; the images go. @returns records that stay as they are */
export function reverseImages(
  db: Database,
  contractorId: string,
  { table, kind, images }: { table: string; kind: ImageKind; images: Image[] },
): Promise<Changed[]> {
  const ns = images.map(({ n }) => n)
  return withinContractor(db.orm, contractorId, async (orm) => {
    // What triggers would take back in passing is among the images.
    await orm.execute(sql`select set_config('plumbline.taking_back', 'on', true)`)
    const changed = await changedSince(orm, contractorId, table, ns)
    const skipped = new Set(changed.map(({ id }) => id))
    const kept = changed.filter(({ why }) => why !== 'deleted' || kind === 'updated')
    if (kind === 'updated') await restoreUpdated(orm, contractorId, table, ns)
    if (kind === 'deleted')
      await orm.execute(sql`insert into ${sql.identifier(table)}
        select b.* from load_images i cross join lateral jsonb_populate_record(null::${sql.identifier(table)}, i.before) b
        where i.contractor_id = ${contractorId} and i.n = any(${numbers(ns)}) order by i.n desc on conflict do nothing`)
    if (kind === 'added') {
      const ids = images.flatMap(({ id }) => (skipped.has(id) ? [] : [id]))
      const removed = await removeWithin(orm, table, { contractorId, ids, parts: [] })
      const references = await referencesById(orm, table, [...removed.kept.keys()])
      for (const [id, tables] of removed.kept)
        kept.push({ table, id, reference: references.get(id) ?? null, why: tables })
    }
    await orm.execute(sql`delete from load_images where contractor_id = ${contractorId} and n = any(${numbers(ns)})`)
    return kept
  })
}
