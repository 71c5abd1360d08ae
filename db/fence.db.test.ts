import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase } from '@/lib/testing/database'
import { newId } from '../lib/core/ids'
import { leadRow } from '../lib/testing/lead-row'
import { type Database, rows } from './client'
import { withinContractor } from './fence'
import { receiveLeads } from './queries/leads'

let db: Database
const [ours, theirs] = [newId('contractor'), newId('contractor')]
beforeAll(async () => {
  db = await openTestDatabase()
  for (const id of [ours, theirs]) {
    await db.orm.execute(sql`insert into contractors (id, slug, name) values (${id}, ${id}, 'One')`)
    await db.orm.execute(sql`insert into users (id, contractor_id, name) values (${`usr_${id}`}, ${id}, 'Ana')`)
    await db.orm.execute(
      sql`insert into projects (id, contractor_id, customer_id, name, status) values (${`prj_${id}`}, ${id}, ${`usr_${id}`}, 'Roof', 'lead')`,
    )
  }
})
afterAll(() => db.close())

const within = <T extends object>(statement: ReturnType<typeof sql>) =>
  withinContractor(db.orm, ours, (orm) => rows<T>(orm, statement))
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error) => String(Object(error).cause?.message ?? error),
  )
const names = () => rows<{ name: string }>(db.orm, sql`select name from projects order by name`)

test('every table with a contractor is behind the fence for every command, and accessible inside it', async () => {
  const tables = await rows<{ table: string; policies: string; open: boolean }>(
    db.orm,
    sql`select c.relname as table, (select string_agg(p.polname || p.polcmd::text, ' ') from pg_policy p where p.polrelid = c.oid) as policies,
      c.relrowsecurity and has_table_privilege('plumbline_tenant', c.oid, 'select') and has_table_privilege('plumbline_tenant', c.oid, 'insert')
        and has_table_privilege('plumbline_tenant', c.oid, 'update') and has_table_privilege('plumbline_tenant', c.oid, 'delete') as open
      from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace and a.attname = 'contractor_id'
        and not a.attisdropped`,
  )
  expect(tables.length).toBeGreaterThan(12)
  for (const { table, policies, open } of tables)
    expect({ table, policies, open }).toEqual({ table, policies: 'one_contractor*', open: true })
})

test('the partitions of a table are not accessible inside the fence but through it', async () => {
  const parts = await rows<{ open: boolean }>(
    db.orm,
    sql`select has_table_privilege('plumbline_tenant', inhrelid, 'select') as open from pg_inherits where inhparent = 'request_log'::regclass`,
  )
  expect(parts.length).toBeGreaterThan(1)
  expect(parts.filter(({ open }) => open)).toEqual([])
})

test('a select without its condition sees one contractor', async () => {
  expect(await within(sql`select id from projects`)).toEqual([{ id: `prj_${ours}` }])
  expect(await within(sql`select id from contractors`)).toEqual([{ id: ours }])
  expect(await within(sql`select id from projects where id = ${`prj_${theirs}`}`)).toEqual([])
})

test('an update or delete without its condition touches one contractor', async () => {
  await within(sql`update projects set name = 'Changed'`)
  expect(await names()).toEqual([{ name: 'Changed' }, { name: 'Roof' }])
  await within(sql`delete from projects`)
  expect(await names()).toEqual([{ name: 'Roof' }])
  const project = sql`insert into projects (id, contractor_id, customer_id, name, status) values (${`prj_${ours}`}, ${ours}, ${`usr_${ours}`}, 'Roof', 'lead')`
  await within(project)
  expect(await names()).toHaveLength(2)
})

test('inserting a row for another contractor, or moving one there, is refused', async () => {
  const foreign = sql`insert into users (id, contractor_id, name) values ('usr_x', ${theirs}, 'X')`
  expect(await refusal(within(foreign))).toContain('row-level security')
  expect(await refusal(within(sql`update users set contractor_id = ${theirs}`))).toContain('row-level security')
})

test('rows without a contractor, and tables without contractors, are not accessible', async () => {
  await db.orm.execute(
    sql`insert into audit_events (id, at, actor_kind, actor_name, event, detail) values ('aud_1', now(), 'nobody', 'x', 'sign_in', '{}')`,
  )
  expect(await within(sql`select id from audit_events`)).toEqual([])
  for (const what of ['password from person_accounts', 'token from person_sessions', 'title from documents'])
    expect(await refusal(within(sql`select ${sql.raw(what)}`))).toContain('permission denied')
})

test('the fence ends with its transaction, even if that fails', async () => {
  await expect(withinContractor(db.orm, ours, () => Promise.reject(new Error('undone')))).rejects.toThrow('undone')
  // As many statements at once as the pool has connections, so that each connection is used.
  const seen = await Promise.all(
    Array.from({ length: 10 }, () => rows<{ n: number }>(db.orm, sql`select count(*)::int as n from contractors`)),
  )
  for (const [row] of seen) expect(row?.n).toBe(2)
})

test('inside the fence without a contractor, no rows are visible', async () => {
  const found = await db.orm.transaction(async (tx) => {
    await tx.execute(sql`select set_config('role', 'plumbline_tenant', true)`)
    return rows(tx, sql`select id from projects`)
  })
  expect(found).toEqual([])
})

const lead = (contractorId: string, name: string) =>
  receiveLeads(db, contractorId, [leadRow({ dedupe_key: name, new_project: `prj_${contractorId}_${name}` })])

test('leads are received behind the fence: one with another contractor’s id does not find that project', async () => {
  expect(await lead(theirs, 'one')).toEqual([{ projectId: `prj_${theirs}_one`, jobNumber: 1, created: true }])
  expect(await refusal(lead(ours, 'one'))).toContain('duplicate key')
  expect(await lead(ours, 'two')).toEqual([{ projectId: `prj_${ours}_two`, jobNumber: 1, created: true }])
  // After its statement, the connection is outside the fence again.
  expect(await rows<{ n: number }>(db.orm, sql`select count(*)::int as n from leads`)).toEqual([{ n: 2 }])
})
