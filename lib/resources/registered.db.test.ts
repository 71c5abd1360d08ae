import { getTableName, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, type Orm, rows } from '@/db/client'
import { identifierOf } from '@/lib/core/resource-names'
import { openTestDatabase } from '@/lib/testing/database'
import { RESOURCES } from './registry'

/** The database's work for each record of a resource, and for whom. */
type Registered = { name: string; table: string; only?: string | undefined }

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

const registered: Registered[] = RESOURCES.map(({ name, table, only }) => ({ name, table: getTableName(table), only }))

/** Returns when each trigger fires, and what it runs; customers are queued row by row where they change. */
const triggersOf = (resource: string, name = identifierOf(resource)): Record<string, RegExp> => ({
  stamp: /BEFORE INSERT ON .* FOR EACH ROW .*EXECUTE FUNCTION stamp_listed\(\)/,
  touch: /BEFORE UPDATE ON .* FOR EACH ROW EXECUTE FUNCTION touch_listed\(\)/,
  feed_created: new RegExp(
    `AFTER INSERT ON .* NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION queue_created_${name}\\(\\)`,
  ),
  feed_updated: new RegExp(
    `AFTER UPDATE ON .* (OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION queue_updated_${name}|FOR EACH ROW .*queue_customer)\\(\\)`,
  ),
  feed_deleted: new RegExp(
    `AFTER DELETE ON .* (OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION queue_deleted_${name}|FOR EACH ROW .*queue_customer)\\(\\)`,
  ),
  image_added: /AFTER INSERT ON .* NEW TABLE AS new_rows FOR EACH STATEMENT WHEN .*note_images\(\)/,
  image_changed:
    /AFTER UPDATE ON .* OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT WHEN .*note_images\(\)/,
  image_deleted: /AFTER DELETE ON .* OLD TABLE AS old_rows FOR EACH STATEMENT WHEN .*note_images\(\)/,
})

/** Returns what the catalog lacks for a resource; nothing when it is registered. */
async function missingOf(orm: Orm, { name, table, only }: Registered): Promise<string[]> {
  const triggers = await rows<{ name: string; definition: string }>(
    orm,
    sql`select tgname as name, pg_get_triggerdef(oid) as definition from pg_trigger
      where tgrelid = ${table}::regclass and not tgisinternal and tgenabled = 'O'`,
  )
  const [facts] = await rows<Record<string, unknown>>(
    orm,
    sql`select
      exists (select from pg_class c join pg_policy p on p.polrelid = c.oid where c.oid = t and relrowsecurity and polname = 'one_contractor'
        and pg_get_expr(polqual, polrelid) = '((contractor_id || ''''::text) = current_setting(''app.contractor_id''::text, true))') as fence,
      (select bool_and(has_table_privilege('plumbline_tenant', t, one)) from unnest(array['select', 'insert', 'update', 'delete']) one) as rights,
      walk_of(t) is not null as walk,
      exists (select from pg_index where indrelid = t and indisunique and indpred is null
        and pg_get_indexdef(indexrelid) like '%(contractor_id, source_reference)') as source,
      exists (select from pg_index where indrelid = t and indisprimary and pg_get_indexdef(indexrelid) like '%(id)') as id,
      not exists (select from pg_attribute where attrelid = t and not attisdropped and attstattarget is distinct from 0
        and attname in ('contractor_id', 'customer_id', 'project_id', 'status', 'updated_at', 'turns_at')) as hidden,
      listed_table(${name}) = t as feed,
      not exists (select from pg_attribute a where attrelid = t and attname = 'project_id' and not exists (select from pg_index
        where indrelid = t and indpred is null and indkey[0] = a.attnum)) as project,
      translate(replace(shown_rows(t), '::text', ''), '()', '') as shown
      from cast(${table} as regclass) t`,
  )
  const { shown, ...has } = facts ?? {}
  return [
    ...Object.entries(triggersOf(name)).flatMap(([trigger, definition]) =>
      triggers.some((one) => one.name === trigger && definition.test(one.definition)) ? [] : `trigger ${trigger}`,
    ),
    ...Object.entries(has).flatMap(([what, isThere]) => (isThere === true ? [] : what)),
    ...(shown === (only ?? 'true') ? [] : 'shown'),
  ]
}

/** Runs work in a transaction that is undone. */
async function undone<T>(work: (orm: Orm) => Promise<T>): Promise<T> {
  let result: { value: T } | undefined
  await db.orm
    .transaction(async (tx) => {
      result = { value: await work(tx) }
      tx.rollback()
    })
    .catch((error) => {
      if (!result) throw error
    })
  if (!result) throw new Error('the work did not end')
  return result.value
}

for (const resource of registered) {
  test(`${resource.name}: the feed, undo, stamps, the fence and the indexes of a resource are there`, async () => {
    expect(await missingOf(db.orm, resource)).toEqual([])
  })

  test(`${resource.name}: each of them is missed when it is dropped`, async () => {
    const { table } = resource
    const walk = await rows<{ name: string }>(
      db.orm,
      sql`select indexrelid::regclass::text as name from pg_index where indrelid = ${table}::regclass and (indexrelid = walk_of(indrelid)
        or indisunique and pg_get_indexdef(indexrelid) like '%(contractor_id, source_reference)')`,
    )
    const drops = [
      ...Object.keys(triggersOf(resource.name)).map((trigger) => `drop trigger ${trigger} on ${table}`),
      `alter table ${table} disable trigger feed_updated`,
      `drop policy one_contractor on ${table}`,
      `alter table ${table} disable row level security`,
      `revoke delete on ${table} from plumbline_tenant`,
      `alter table ${table} alter updated_at set statistics -1`,
      ...walk.map(({ name }) => `drop index ${name}`),
    ]
    expect(walk).toHaveLength(2)
    for (const drop of drops) {
      const missing = await undone(async (orm) => {
        await orm.execute(sql.raw(drop))
        return missingOf(orm, resource)
      })
      expect(missing, drop).not.toEqual([])
    }
  })
}

test('one call makes the rows of a new table a resource, whose name may have a hyphen; it may be made again', async () => {
  await undone(async (orm) => {
    const run = (text: string) => rows<Record<string, unknown>>(orm, sql.raw(text))
    await run(`create table visits (id text primary key, contractor_id text not null references contractors, source_reference text,
      name text not null, is_draft boolean not null default false, created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now())`)
    const register = `select register_resource('site-visits', 'visits', shown => 'not row.is_draft')`
    await run(register)
    const visits = { name: 'site-visits', table: 'visits', only: 'NOT is_draft' }
    expect(await missingOf(orm, visits)).toEqual([])

    await run(`insert into contractors (id, slug, name) values ('con_w', 'con-w', 'W')`)
    await run(
      `insert into load_journals (contractor_id, load_id, state, files, created_at) values ('con_w', 'load_w', 'running', '[]', now())`,
    )
    await run(`select set_config('app.load', 'visits.csv', true)`)
    await run(
      `insert into visits (id, contractor_id, name, updated_at) values ('w_1', 'con_w', 'Roof', '2001-01-01'), ('w_2', 'con_w', 'Shed', '2001-01-01')`,
    )
    await run(`insert into visits (id, contractor_id, name, is_draft) values ('w_3', 'con_w', 'Draft', true)`)
    await run(`update visits set name = 'Roof, ten years' where id = 'w_1'`)
    await run(`update visits set is_draft = true where id = 'w_2'`)
    await run(`delete from visits where id = 'w_1'`)
    await run(register)
    expect(await missingOf(orm, visits)).toEqual([])
    expect(
      await run(`select resource, record_id, change from change_queue where contractor_id = 'con_w' order by id`),
    ).toEqual([
      { resource: 'site-visits', record_id: 'w_1', change: 'created' },
      { resource: 'site-visits', record_id: 'w_2', change: 'created' },
      { resource: 'site-visits', record_id: 'w_1', change: 'updated' },
      { resource: 'site-visits', record_id: 'w_2', change: 'deleted' },
      { resource: 'site-visits', record_id: 'w_1', change: 'deleted' },
    ])
    expect(
      await run(
        `select record_id, before is null as added, after is null as deleted from load_images where contractor_id = 'con_w' order by n`,
      ),
    ).toEqual([
      { record_id: 'w_1', added: true, deleted: false },
      { record_id: 'w_2', added: true, deleted: false },
      { record_id: 'w_3', added: true, deleted: false },
      { record_id: 'w_1', added: false, deleted: false },
      { record_id: 'w_2', added: false, deleted: false },
      { record_id: 'w_1', added: false, deleted: true },
    ])
    expect(await run(`select id, updated_at > '2002-01-01' as stamped from visits order by id`)).toEqual([
      { id: 'w_2', stamped: true },
      { id: 'w_3', stamped: true },
    ])
    // The second call found rows that were not counted.
    expect(await run(`select resource from change_base`)).toEqual([{ resource: 'site-visits' }])
    await run(`select count_records('site-visits', 100)`)
    await run(`select number_changes('con_w', 100)`)
    expect(await run(`select resource, count::int as count from change_totals where contractor_id = 'con_w'`)).toEqual([
      { resource: 'site-visits', count: 0 },
    ])
    await run(`select enter_fence('con_other')`)
    expect(await run(`select id from visits`)).toEqual([])
  })
})

test('records of a new resource follow their project to its new owner', async () => {
  await undone(async (orm) => {
    const run = (text: string) => rows<Record<string, unknown>>(orm, sql.raw(text))
    await run(`create table visits (id text primary key, contractor_id text not null references contractors, source_reference text,
      customer_id text not null references users, project_id text not null references projects,
      created_at timestamptz(3) not null default now(), updated_at timestamptz(3) not null default now())`)
    const register = `select register_resource('site-visits', 'visits')`
    await run(register)
    expect(await missingOf(orm, { name: 'site-visits', table: 'visits' })).toEqual(['project'])
    await run(`create index visits_of_project on visits (project_id)`)
    expect(await missingOf(orm, { name: 'site-visits', table: 'visits' })).toEqual([])

    await run(`insert into contractors (id, slug, name) values ('con_w', 'con-w', 'W')`)
    await run(`insert into users (id, contractor_id, name) values ('cus_1', 'con_w', 'Ana'), ('cus_2', 'con_w', 'Ben')`)
    await run(`insert into projects (id, contractor_id, customer_id, name, status) values
      ('prj_1', 'con_w', 'cus_1', 'Roof', 'lead'), ('prj_2', 'con_w', 'cus_1', 'Deck', 'lead')`)
    await run(`insert into visits (id, contractor_id, customer_id, project_id) values
      ('w_1', 'con_w', 'cus_1', 'prj_1'), ('w_2', 'con_w', 'cus_1', 'prj_2')`)
    await run(`update projects set customer_id = 'cus_2' where id = 'prj_1'`)
    expect(await run('select id, customer_id from visits order by id')).toEqual([
      { id: 'w_1', customer_id: 'cus_2' },
      { id: 'w_2', customer_id: 'cus_1' },
    ])
  })
})
