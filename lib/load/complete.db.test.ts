import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { runCommand } from '@/lib/cli/run'
import { addProjectNote } from '@/lib/operations/entries/add-project-note'
import { execute } from '@/lib/operations/execute'
import { getRecord } from '@/lib/operations/get-record'
import { RESOURCES } from '@/lib/resources/registry'
import { actorOf } from '@/lib/testing/answer-of'
import { openTestDatabase } from '@/lib/testing/database'
import { FeedClient, truthOf } from '@/lib/testing/feed-client'
import { askAs, call, makeTenant, sampleBooks } from '@/lib/testing/tenant'
import type { Complete, FileReport } from './report'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const DELETE: Complete = { delete: true, mostPercent: 50 }

async function tenantWithBooks(count = 10) {
  const tenant = await makeTenant(db)
  await tenant.load(sampleBooks(count))
  return { ...tenant, id: tenant.contractor.id, secret: (await tenant.key()).text }
}
type Tenant = Awaited<ReturnType<typeof tenantWithBooks>>

const idOf = async ({ id }: Tenant, table: string, reference: string): Promise<string> => {
  const [row] = await rows<{ id: string }>(
    db.orm,
    sql`select id from ${sql.identifier(table)} where contractor_id = ${id} and source_reference = ${reference}`,
  )
  return row?.id ?? ''
}
const countOf = async ({ id }: Tenant, table: string): Promise<number> => {
  const [row] = await rows<{ n: number }>(
    db.orm,
    sql`select count(*)::int as n from ${sql.identifier(table)} where contractor_id = ${id}`,
  )
  return row?.n ?? -1
}
const removals = (files: FileReport[]) =>
  Object.fromEntries(files.map(({ file, removal }) => [file, removal && { ...removal }]))

test('complete files delete what they no longer have, children first; lists, 410, the feed and agents tell', async () => {
  const tenant = await tenantWithBooks()
  const client = new FeedClient(askAs(tenant.secret))
  await client.begin()
  const gone = await Promise.all(
    RESOURCES.map(async ({ name, singular, source }) => {
      const prefix =
        { customers: 'C', projects: 'P', invoices: 'I', payments: 'T', estimates: 'E' }[String(name)] ?? 'R'
      return { name, singular, id: await idOf(tenant, source.table, `${prefix}9`) }
    }),
  )
  const shown: string[] = []
  const confirm = (files: FileReport[]) => shown.push(...files.map(({ file }) => file)) > 0
  const report = await tenant.load(sampleBooks(9), { complete: { ...DELETE, confirm } })
  expect(report.faults).toEqual([])
  expect(shown).toHaveLength(RESOURCES.length)
  for (const { removal } of report.files)
    expect(removal).toEqual({ stored: 10, missing: 1, deleted: 1, kept: 0, refusal: null })

  for (const { name, singular, id } of gone) {
    const { body } = await call(`/api/v1/${name}?limit=100`, { key: tenant.secret })
    expect(body.items).toHaveLength(9)
    const one = await call(`/api/v1/${name}/${id}`, { key: tenant.secret })
    expect([name, one.status, one.body.code]).toEqual([name, 410, 'gone'])
    expect(Math.abs(Date.now() - Date.parse(one.body.deletedAt))).toBeLessThan(60_000)
    expect(one.body.error).toBe(`This ${singular} was deleted at ${one.body.deletedAt}. Remove it from your copy.`)
    expect((await call(`/api/v1/${name}/${id}`, { key: tenant.secret })).body.deletedAt).toBe(one.body.deletedAt)
    const asked = execute(getRecord, { actor: actorOf(tenant.contractor), now: new Date() }, { id })
    await expect(asked).rejects.toMatchObject({ code: 'gone', deletedAt: one.body.deletedAt })
    const other = await tenantWithBooks(1)
    expect((await call(`/api/v1/${name}/${id}`, { key: other.secret })).status).toBe(404)
  }
  expect((await call('/api/v1/invoices/inv_prj_none_1', { key: tenant.secret })).status).toBe(404)
  await client.catchUp()
  const deleted = client.items.filter(({ change }) => change === 'deleted').map(({ id }) => id)
  expect(deleted.sort()).toEqual(gone.map(({ id }) => id).sort())
  expect(client.proof()).toEqual(await truthOf(db, tenant.id))
})

test('what other records belong to is kept and reported; leads and notes are never deleted by a file', async () => {
  const tenant = await tenantWithBooks()
  const lead = { firstName: 'Ana', lastName: 'Ruiz', email: 'c9@example.com', externalId: 'x1' }
  const { text: key } = await tenant.key(['write:leads'])
  const headers = { 'content-type': 'application/json' }
  await call('/api/webhooks/leads/inbound', { key, method: 'POST', headers, body: JSON.stringify(lead) })
  const actor = actorOf(tenant.contractor, ['read:projects', 'write:notes'])
  const noted = await idOf(tenant, 'projects', 'P8')
  await execute(
    addProjectNote,
    { actor, now: new Date() },
    { projectId: noted, text: 'Call back', idempotencyKey: 'note-0001' },
  )
  // P9 has an invoice, a payment and an estimate that the other files still have.
  const { 'customers.csv': customers = '', 'projects.csv': projects = '' } = sampleBooks(7)
  const kept = await tenant.load({ 'customers.csv': customers, 'projects.csv': projects }, { complete: DELETE })
  expect(removals(kept.files)).toEqual({
    'customers.csv': { stored: 10, missing: 3, deleted: 0, kept: 3, refusal: null },
    'projects.csv': { stored: 10, missing: 3, deleted: 0, kept: 3, refusal: null },
  })
  expect(kept.faults).toHaveLength(6)
  expect(kept.faults).toContainEqual({
    file: 'projects.csv',
    line: null,
    field: 'Project ID',
    value: 'P9',
    reason: expect.stringMatching(
      /^is not in the file, but is kept: .*invoices and payments, refunds or adjustments and estimates still belong to it$/,
    ),
  })
  // With all files complete the rest goes; the noted project and the lead with its customer stay.
  await tenant.load(sampleBooks(7), { complete: DELETE })
  expect(await countOf(tenant, 'analytics_invoice_records')).toBe(7)
  expect(await countOf(tenant, 'projects')).toBe(9)
  expect(await countOf(tenant, 'leads')).toBe(1)
  expect(await countOf(tenant, 'users')).toBe(9)
  expect(await countOf(tenant, 'project_entries')).toBe(1)
})

test('a material list goes with its project; prices are history and stay', async () => {
  const tenant = await tenantWithBooks(3)
  const prices = 'Item,Name,Unit,Unit Cost,Date\nshingle,Shingle,each,1.50,2024-01-01\nnail,Nail,each,0.10,2024-01-01\n'
  await tenant.load({
    'materials.csv': prices,
    'project-materials.csv': 'Project ID,Item,Quantity\nP1,shingle,2\nP2,shingle,2\nP2,nail,9\n',
  })
  const one = prices.replace(/nail.*\n/, '')
  await tenant.load({ ...sampleBooks(2), 'materials.csv': one }, { complete: DELETE })
  expect(await countOf(tenant, 'project_materials')).toBe(1)
  expect(await countOf(tenant, 'material_prices')).toBe(2)
})

describe('a guard refuses, and the rows are loaded all the same', () => {
  const invoices = (count: number) => ({ 'invoices.csv': sampleBooks(count)['invoices.csv'] ?? '' })
  const header = 'Invoice Number,Project ID,Amount,Date\n'
  test.each<[string, string, Complete, RegExp]>([
    ['an empty file, whatever the share', header, { delete: true, mostPercent: 100 }, /^The file has no rows/],
    [
      'more than the usual share',
      invoices(8)['invoices.csv'],
      { delete: true },
      /^2 of 10 records \(20%\).*at most 10%/,
    ],
    ['more than the chosen share', invoices(6)['invoices.csv'], { delete: true, mostPercent: 39 }, /at most 39%/],
    ['more than were confirmed', invoices(8)['invoices.csv'], { ...DELETE, most: 1 }, /2 records.*1 were confirmed/],
    ['a row that shows no number', `${invoices(9)['invoices.csv']}\n,P9,1.00,2024-01-01`, DELETE, /^1 row of the file/],
    ['a row with too few cells', `${invoices(9)['invoices.csv']}\nI9`, DELETE, /^1 row of the file/],
    ['a file cut off inside a quote', `${invoices(9)['invoices.csv']}\n"I9,P9`, DELETE, /not read to its end/],
    ['a file without a needed column', 'Invoice Number,Project ID\nI1,P1', DELETE, /not read to its end/],
  ])('%s', async (_, text, complete, refusal) => {
    const tenant = await tenantWithBooks()
    const report = await tenant.load({ 'invoices.csv': text }, { complete })
    expect(report.files[0]?.removal?.refusal).toMatch(refusal)
    expect(await countOf(tenant, 'analytics_invoice_records')).toBe(10)
  })

  test('a row that is refused for another reason still shows its record, which is kept', async () => {
    const tenant = await tenantWithBooks()
    const text = invoices(10)['invoices.csv'].replace('I3,P3,4.25', 'I3,P3,oops')
    const report = await tenant.load({ 'invoices.csv': text }, { complete: DELETE })
    expect(report.files[0]).toMatchObject({ refused: 1, removal: { missing: 0, deleted: 0, refusal: null } })
  })

  test('counting deletes nothing, and neither does a person who says no', async () => {
    const tenant = await tenantWithBooks()
    const counted = await tenant.load(invoices(8), { complete: { delete: false, mostPercent: 50 } })
    expect(counted.files[0]?.removal).toEqual({ stored: 10, missing: 2, deleted: 0, kept: 0, refusal: null })
    const refused = await tenant.load(invoices(8), { complete: { ...DELETE, confirm: () => false } })
    expect(refused.files[0]?.removal?.refusal).toMatch(/not confirmed/)
    expect(await countOf(tenant, 'analytics_invoice_records')).toBe(10)
  })
})

test('load --complete shows the count, asks on a terminal, and ends with 1 when a guard refused', async () => {
  const tenant = await tenantWithBooks()
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-load-'))
  writeFileSync(join(folder, 'estimates.csv'), sampleBooks(8)['estimates.csv'] ?? '')
  const run = async (more: string[], answer?: string) => {
    let text = ''
    const write = (part: string) => {
      text += part
    }
    const ask = answer === undefined ? undefined : async () => answer
    const io = { out: write, err: write, cwd: '/', ...(ask && { ask }) }
    const code = await runCommand(['load', '--contractor', tenant.id, ...more, folder], io)
    return { code, text, left: await countOf(tenant, 'estimates') }
  }
  try {
    expect(await run(['--count-only'])).toMatchObject({ code: 1, text: expect.stringContaining('need --complete') })
    expect(await run(['--complete', '--max-deleted', '120'])).toMatchObject({ code: 2, left: 10 })
    const guarded = await run(['--complete'])
    expect(guarded).toMatchObject({ code: 1, left: 10 })
    expect(guarded.text).toContain('estimates.csv: 2 of 10 records. 2 of 10 records (20%) are not in the file')
    const counted = await run(['--complete', '--count-only', '--max-deleted', '20'])
    expect(counted).toMatchObject({ code: 0, left: 10, text: expect.stringContaining('2 of 10 records') })
    expect(await run(['--complete', '--max-deleted', '20'], 'no')).toMatchObject({ code: 1, left: 10 })
    const done = await run(['--complete', '--max-deleted', '20'], 'yes')
    expect(done.text).toContain('estimates.csv: 2 of 10 stored records are not in the file.')
    expect(done).toMatchObject({ code: 0, left: 8, text: expect.stringContaining('2 deleted, 0 kept.') })
  } finally {
    rmSync(folder, { recursive: true })
  }
})
