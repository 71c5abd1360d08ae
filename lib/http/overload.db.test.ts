import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, shareDatabase } from '@/db/client'
import { openTestDatabase } from '@/lib/testing/database'
import { collectLog } from '@/lib/testing/log'
import { call, makeTenant } from '@/lib/testing/tenant'

let db: Database
let key: string
let leadKey: string
let invoice: string
let session: string | undefined
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
  const tenant = await makeTenant(db)
  key = (await tenant.key()).text
  leadKey = (await tenant.key(['write:leads'])).text
  await tenant.load({
    'customers.csv': 'Customer ID,Name\nC1,Ana',
    'projects.csv': 'Project ID,Customer ID,Name\nP1,C1,Roof',
    'invoices.csv': 'Invoice Number,Project ID,Amount,Date\nI1,P1,10,2026-01-05',
  })
  invoice = (await call('/api/v1/invoices', { key })).body.items[0].id
  const client = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  session = (await rpc('initialize', client)).headers.get('mcp-session-id') ?? undefined
  await db.orm.execute(sql`create table failing (code text)`)
  await db.orm.execute(sql`grant select on failing to public`)
  await db.orm.execute(
    sql.raw(`create function fail() returns boolean language plpgsql as $$ declare found text; begin
      select code into found from failing;
      if found is not null then raise exception 'refused' using errcode = found; end if;
      return true; end $$`),
  )
  await db.orm.execute(sql`alter table analytics_invoice_records rename to kept_invoices`)
  await db.orm.execute(sql`create view analytics_invoice_records as select * from kept_invoices where fail()`)
  await db.orm.execute(
    sql.raw(
      `create function fail_row() returns trigger language plpgsql as $$ begin perform fail(); return new; end $$`,
    ),
  )
  for (const table of ['projects', 'lead_deliveries'])
    await db.orm.execute(
      sql.raw(`create trigger failing before insert on ${table} for each row execute function fail_row()`),
    )
})
afterAll(() => db.close())

/** Runs work while every reading of invoices and every new project or delivery fails with a code; returns the lines of the log. */
async function failing<T>(code: string, work: () => Promise<T>) {
  await db.orm.execute(sql`insert into failing values (${code})`)
  const log = collectLog()
  try {
    return { found: await work(), log: log.text() }
  } finally {
    log.end()
    await db.orm.execute(sql`delete from failing`)
  }
}

const rpc = (method: string, params: object) =>
  call('/mcp', {
    key,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(session && { 'mcp-session-id': session }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })

test.each([
  ['53300', '2'],
  ['57014', '2'],
  ['57P01', '5'],
  ['53100', '600'],
])('%s of the database is 503 with Retry-After: REST, lead webhook, MCP', async (code, seconds) => {
  const { found, log } = await failing(code, async () => ({
    list: await call('/api/v1/invoices', { key }),
    lead: await call('/api/webhooks/leads/inbound', {
      key: leadKey,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ firstName: 'Bo', lastName: 'Li', phone: '6155550123', externalId: code }),
    }),
    tool: await rpc('tools/call', { name: 'list_invoices', arguments: {} }),
    resource: await rpc('resources/read', { uri: `plumbline://invoices/${invoice}` }),
  }))
  for (const [name, { status, headers, body }] of Object.entries({ list: found.list, lead: found.lead }))
    expect([name, status, headers.get('retry-after'), body.code]).toEqual([name, 503, seconds, 'busy'])
  const { result } = found.tool.body
  expect([found.tool.status, found.tool.headers.get('retry-after'), result.isError]).toEqual([200, seconds, true])
  expect(JSON.parse(result.content[0].text)).toMatchObject({ code: 'busy', retryAfterSeconds: Number(seconds) })
  expect([found.resource.status, found.resource.headers.get('retry-after')]).toEqual([503, seconds])
  expect(found.resource.body.error).toMatchObject({ code: -32603, data: { code: 'busy' } })
  // One line for each: that the lead could not be kept among the refused ones either has the same reason.
  expect(log.match(new RegExp(`"code":"${code}"`, 'g'))).toHaveLength(4)
})
