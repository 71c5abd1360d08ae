import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { latestRuns } from '@/db/queries/connector-runs'
import { dataAsOf } from '@/db/queries/freshness'
import { acquireLoadTurn } from '@/lib/load/turn'
import { findAlerts } from '@/lib/notify/alerts'
import { openTestDatabase } from '@/lib/testing/database'
import type { TestCompany } from '@/lib/testing/quickbooks/company'
import { connectTo, TestClock, useServer } from '@/lib/testing/quickbooks/connection'
import { TestQuickBooks } from '@/lib/testing/quickbooks/server'
import { call, makeTenant } from '@/lib/testing/tenant'
import { CONNECTORS } from '../registry'
import { sessionFor } from '../tokens'

let db: Database
let server: TestQuickBooks
const clock = new TestClock()
let realms = 100

beforeAll(async () => {
  server = await TestQuickBooks.start(clock.now)
  useServer(server)
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(async () => {
  await server.stop()
  await db.close()
  vi.unstubAllEnvs()
})
beforeEach(async () => {
  // The connections of the tests before are due too.
  await db.orm.execute(sql`update connectors set state = 'disconnected'`)
  server.trouble = undefined
  server.alter = undefined
})

async function connected() {
  const { contractor, operator, load } = await makeTenant(db)
  const realm = String(++realms)
  const company = server.company(realm)
  const connection = await connectTo(db, server, clock, contractor.id, realm)
  return { contractor, operator, load, company, realm, ...connection }
}

/** Returns what is stored, in cents, as the company's own totals are. */
async function storedTotals(contractorId: string) {
  const [found] = await rows<Record<string, number>>(
    db.orm,
    sql`select (select coalesce(sum(amount) * 100, 0)::float8 from analytics_invoice_records where contractor_id = ${contractorId}) as invoiced,
      (select coalesce(sum(amount) * 100, 0)::float8 from analytics_revenue_transactions where contractor_id = ${contractorId} and type = 'payment_received') as received,
      (select coalesce(sum(amount) * 100, 0)::float8 from analytics_revenue_transactions where contractor_id = ${contractorId} and type = 'refund') as refunded,
      (select coalesce(sum(greatest(open_amount, 0)) * 100, 0)::float8 from analytics_invoice_records where contractor_id = ${contractorId}) as open,
      (select coalesce(sum(greatest(-open_amount, 0)) * 100, 0)::float8 from analytics_invoice_records where contractor_id = ${contractorId}) as credit,
      (select coalesce(sum(amount) * 100, 0)::float8 from estimates where contractor_id = ${contractorId}) as estimated`,
  )
  return found
}

/** Books with one of everything: jobs, taxes, discounts, credits, unapplied money. */
function fill(company: TestCompany) {
  const dana = company.customer('Dana Hill', {
    PrimaryEmailAddr: { Address: 'dana@example.com' },
    PrimaryPhone: { FreeFormNumber: '(615) 555-0142' },
    BillAddr: { Line1: '12 Elm St', City: 'Nashville', CountrySubDivisionCode: 'TN', PostalCode: '37201' },
  })
  const kitchen = company.job(dana, 'Kitchen')
  const tiles = company.job(kitchen, 'Tiles')
  const gone = company.customer('Old Customer (deleted)', { Active: false })
  const paid = company.invoice({ customer: kitchen, lines: [1000.1, 250.25], tax: 87.53, discount: 50, number: '1001' })
  const open = company.invoice({ customer: dana, lines: [500], number: '1002' })
  const credited = company.invoice({ customer: tiles, lines: [300], number: '1003' })
  const without = company.invoice({ customer: gone, lines: [40.4] })
  const memo = company.creditMemo({ customer: tiles, lines: [120], number: 'CM-1' })
  const sold = company.salesReceipt({ customer: dana, lines: [75.75], number: 'SR-1' })
  company.refundReceipt({ customer: dana, lines: [20] })
  company.estimate({ customer: kitchen, lines: [2000], number: 'E-1', status: 'Accepted', expires: '2026-12-01' })
  const payment = company.payment({
    customer: dana,
    total: 1500,
    invoices: { [paid]: 1287.88, [open]: 100 },
    number: '4711',
    method: 'Visa',
  })
  const used = company.payment({ customer: tiles, total: 50, invoices: { [credited]: 120 }, credits: { [memo]: 70 } })
  return { dana, kitchen, paid, open, credited, without, memo, sold, payment, used }
}

const listed = (contractorId: string, table: string) =>
  rows<Record<string, unknown>>(
    db.orm,
    sql`select * from ${sql.identifier(table)} where contractor_id = ${contractorId} order by source_reference`,
  )

describe('the first sync', () => {
  test('brings customers, jobs, invoices, payments, credits and estimates; sums equal the company’s own to the cent', async () => {
    const { contractor, company, run, connection } = await connected()
    fill(company)
    await expect(run()).resolves.toEqual({ ran: 1, failed: 0 })
    expect(await storedTotals(contractor.id)).toEqual(company.totals())
    const [dana, old] = await listed(contractor.id, 'users')
    expect([dana, old].map((each) => each?.name).sort()).toEqual(['Dana Hill', 'Old Customer'])
    expect(await listed(contractor.id, 'users')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          email: 'dana@example.com',
          phone: '+16155550142',
          city: 'Nashville',
          state: 'TN',
          zip: '37201',
        }),
      ]),
    )
    const projects = await listed(contractor.id, 'projects')
    expect(projects.map(({ name }) => name).sort()).toEqual([
      'Invoice 1002',
      'Invoice QBO-8',
      'Kitchen',
      'Kitchen:Tiles',
      'Payments without an invoice',
      'Sales receipt SR-1',
    ])
    expect(await connection()).toMatchObject({ mode: 'changes', cursor: null, error: null, syncedAt: clock.now() })
    const [last] = await latestRuns(db.orm, contractor.id, 'quickbooks', 1)
    expect(last).toMatchObject({ kind: 'full', state: 'done', read: 14, faultCount: 0 })
    const [audited] = await rows(
      db.orm,
      sql`select actor_name, subject, detail from audit_events where contractor_id = ${contractor.id} and event = 'data_loaded'`,
    )
    expect(audited).toMatchObject({ actor_name: 'QuickBooks Online', subject: 'QuickBooks Online' })
  })

  test('goes on after a kill at any page, and reads nothing twice', async () => {
    const { contractor, company, run, connection } = await connected()
    fill(company)
    const kinds = 7
    for (let page = 0; page < kinds + 1; page++) {
      // A turn that is over before it begins reads one page; its process is then killed, and its lease runs out.
      await run({ turnMs: 1, budgetMs: 1 })
      clock.pass(61_000)
      if ((await connection()).mode === 'changes') break
    }
    await run()
    expect(await connection()).toMatchObject({ mode: 'changes', error: null })
    expect(await storedTotals(contractor.id)).toEqual(company.totals())
    const runs = await latestRuns(db.orm, contractor.id, 'quickbooks', 9)
    expect(runs).toMatchObject([{ kind: 'full', state: 'done', read: 14 }])
  })

  test('a process that dies in the middle of a page leaves a lease; another goes on when it is over, and the sums are right', async () => {
    const { contractor, company, run, connection } = await connected()
    fill(company)
    const killed = new AbortController()
    server.alter = (path, body) => {
      if (path.includes('from Payment')) killed.abort(new Error('killed'))
      return body
    }
    await expect(run({ signal: killed.signal })).resolves.toEqual({ ran: 0, failed: 1 })
    server.alter = undefined
    expect(await connection()).toMatchObject({ mode: 'full', cursor: { kind: 5 }, failures: 0 })
    await run()
    expect(await storedTotals(contractor.id)).toEqual(company.totals())
  })

  test('what has no number is called by its id, which the run says; a number that comes later takes its place', async () => {
    const { contractor, company, run, later } = await connected()
    const dana = company.customer('Dana Hill')
    const without = company.invoice({ customer: dana, lines: [40] })
    const memo = company.creditMemo({ customer: dana, lines: [5], number: '  ' })
    company.invoice({ customer: dana, lines: [50], number: '1001' })
    const offer = company.estimate({ customer: dana, lines: [900] })
    await run()
    const numbers = async () =>
      (await listed(contractor.id, 'analytics_invoice_records')).map(({ number }) => number).sort()
    expect(await numbers()).toEqual(['1001', `QBO-${without}`, `QBO-${memo}`])
    expect((await listed(contractor.id, 'estimates')).map(({ number }) => number)).toEqual([`QBO-${offer}`])
    const [last] = await latestRuns(db.orm, contractor.id, 'quickbooks', 1)
    expect(last).toMatchObject({ faultCount: 0, counts: { invoices: { unnumbered: 2 }, estimates: { unnumbered: 1 } } })
    const before = await listed(contractor.id, 'analytics_invoice_records')
    company.change('Invoice', without, { DocNumber: '1002' })
    await later()
    expect(await numbers()).toEqual(['1001', '1002', `QBO-${memo}`])
    const ids = (all: Record<string, unknown>[]) => all.map(({ id }) => id).sort()
    expect(ids(await listed(contractor.id, 'analytics_invoice_records'))).toEqual(ids(before))
  })

  test('a payment method that only has an id gets its name, which is asked for once in a run', async () => {
    const { contractor, company, run, later } = await connected()
    const dana = company.customer('Dana Hill')
    const zelle = company.add('PaymentMethod', { Name: 'Zelle', Active: true, Type: 'NON_CREDIT_CARD' })
    const old = company.add('PaymentMethod', { Name: 'Old account', Active: false })
    company.payment({ customer: dana, total: 10, methodId: zelle })
    company.payment({ customer: dana, total: 20, methodId: old })
    company.payment({ customer: dana, total: 30, methodId: '999' })
    const sold = company.salesReceipt({ customer: dana, lines: [40] })
    company.change('SalesReceipt', sold, { PaymentMethodRef: { value: zelle } })
    await run()
    const details = async () =>
      (await listed(contractor.id, 'analytics_revenue_transactions'))
        .map(({ amount, method_detail }) => [Number(amount), method_detail])
        .sort(([a], [b]) => Number(a) - Number(b))
    expect(await details()).toEqual([
      [10, 'Zelle'],
      [20, 'Old account'],
      [30, null],
      [40, 'Zelle'],
    ])
    const asked = () => server.asked.filter((path) => path.includes('from PaymentMethod')).length
    expect(asked()).toBe(1)
    // The same payments are among the first changes; after that nothing needs a name.
    await later()
    company.customer('Ben Ray')
    await later()
    expect(asked()).toBe(2)
  })

  test('files that were loaded before are the same records', async () => {
    const { contractor, load, company, run } = await connected()
    await load({
      'invoices-report.csv': [
        'Whitfield Roofing,,,,,,',
        'Invoice List by Date,,,,,,',
        'All Dates,,,,,,',
        'Date,Transaction type,Num,Name,Due date,Amount,Open balance',
        '10/01/2026,Invoice,1001,Dana Hill:Kitchen,10/31/2026,500.00,0.00',
        '10/10/2026,Payment,,Dana Hill:Kitchen,10/10/2026,-500.00,0.00',
        'TOTAL,,,,,0.00,0.00',
      ].join('\n'),
    })
    const before = await rows<{ id: string }>(
      db.orm,
      sql`select id from analytics_invoice_records where contractor_id = ${contractor.id}`,
    )
    const dana = company.customer('Dana Hill')
    const kitchen = company.job(dana, 'Kitchen')
    const invoice = company.invoice({ customer: kitchen, lines: [500], number: '1001' })
    company.payment({ customer: kitchen, total: 500, invoices: { [invoice]: 500 } })
    await run()
    expect(
      await rows(db.orm, sql`select id from analytics_invoice_records where contractor_id = ${contractor.id}`),
    ).toEqual(before)
    expect(await storedTotals(contractor.id)).toEqual(company.totals())
    for (const table of ['users', 'projects', 'analytics_revenue_transactions'])
      expect(await listed(contractor.id, table), table).toHaveLength(1)
  })
})

describe('changes', () => {
  async function synced() {
    const made = await connected()
    const ids = fill(made.company)
    await made.run()
    clock.pass(60_000)
    return { ...made, ...ids }
  }

  test('a change, a new payment, a renamed customer and a new number arrive; ids stay', async () => {
    const { contractor, company, later, dana, open } = await synced()
    const before = await listed(contractor.id, 'analytics_invoice_records')
    const began = Date.now()
    company.change('Customer', dana, { DisplayName: 'Dana Hill-Moore', FullyQualifiedName: 'Dana Hill-Moore' })
    company.change('Invoice', open, { DocNumber: '1002-A' })
    company.payment({ customer: dana, total: 400, invoices: { [open]: 400 } })
    await expect(later()).resolves.toEqual({ ran: 1, failed: 0 })
    expect(await storedTotals(contractor.id)).toEqual(company.totals())
    const loaded = await dataAsOf(db.orm, contractor.id, ['estimates'])
    // No estimate changed, and it is known that none did.
    expect(Date.parse(loaded.get('estimates') ?? '')).toBeGreaterThan(began)
    const after = await listed(contractor.id, 'analytics_invoice_records')
    expect(after.map(({ id }) => id).sort()).toEqual(before.map(({ id }) => id).sort())
    expect(after).toEqual(expect.arrayContaining([expect.objectContaining({ number: '1002-A', status: 'paid' })]))
    expect((await listed(contractor.id, 'users')).map(({ name }) => name)).toContain('Dana Hill-Moore')
  })

  test('what was deleted or voided is gone, with the project that it alone made; what paid it is unapplied', async () => {
    const { contractor, company, later, open, without, memo, used } = await synced()
    company.removeInvoice(open)
    company.voidInvoice(without)
    company.remove('Payment', used)
    company.remove('CreditMemo', memo)
    await later()
    expect(await storedTotals(contractor.id)).toEqual(company.totals())
    const projects = (await listed(contractor.id, 'projects')).map(({ name }) => name)
    expect(projects).not.toContain('Invoice 1002')
    expect(projects).not.toContain('Invoice QBO-8')
    // Asking again over the same changes changes nothing.
    const runs = await latestRuns(db.orm, contractor.id, 'quickbooks', 9)
    clock.pass(-14 * 60_000)
    await later()
    expect(await latestRuns(db.orm, contractor.id, 'quickbooks', 9)).toHaveLength(runs.length)
  })

  test.each([
    ['a gap longer than changes are kept', (company: TestCompany) => void company.totals(), 31 * 86_400_000],
    [
      'a thousand changes in one answer',
      (company: TestCompany) => void Array.from({ length: 1_000 }, (_, i) => company.customer(`New ${i}`)),
      16 * 60_000,
    ],
  ])('after %s everything is read again, and what was deleted meanwhile is found', async (_, cause, wait) => {
    const { contractor, company, later, connection, paid } = await synced()
    const gone = company.invoice({ customer: company.customer('Short'), lines: [9.99], number: '2001' })
    await later()
    company.remove('Invoice', gone)
    cause(company)
    company.change('Invoice', paid, { DueDate: '2026-12-24' })
    // Old enough that no list of changes tells of the deletion.
    company.deleted.length = 0
    // The tokens of a long gap live on.
    server.tokens.accessSeconds = 3600
    await later(wait)
    await later(1_000)
    expect(await connection()).toMatchObject({ mode: 'changes', generation: 2 })
    expect(await storedTotals(contractor.id)).toEqual(company.totals())
    expect((await listed(contractor.id, 'analytics_invoice_records')).map(({ number }) => number)).not.toContain('2001')
  })
})

describe('when the vendor does not answer as asked', () => {
  test('a throttled hour is waited for, shown, and gone on from', async () => {
    const { contractor, company, run, connection } = await connected()
    fill(company)
    server.trouble = { status: 429, retryAfter: 3_600, times: 1 }
    await expect(run()).resolves.toEqual({ ran: 0, failed: 1 })
    const until = new Date(clock.now().getTime() + 3_600_000)
    expect(await connection()).toMatchObject({ state: 'connected', throttledUntil: until, nextAt: until })
    const asked = server.asked.length
    clock.pass(3_599_000)
    await run()
    expect(server.asked).toHaveLength(asked)
    clock.pass(2_000)
    await run()
    expect(await connection()).toMatchObject({ mode: 'changes', throttledUntil: null, error: null, failures: 0 })
    expect(await storedTotals(contractor.id)).toEqual(company.totals())
  })

  test('a revoked grant asks to connect again, tells the administrators, and deletes nothing', async () => {
    const { contractor, company, realm, run, later, connection } = await connected()
    fill(company)
    await run()
    const before = await storedTotals(contractor.id)
    server.tokens.revoke(realm)
    const from = clock.now()
    await later(2 * 3_600_000)
    expect(await connection()).toMatchObject({ state: 'reconnect', error: expect.stringContaining('Connect again') })
    expect(await storedTotals(contractor.id)).toEqual(before)
    clock.pass(1_000)
    const window = { contractorId: contractor.id, from, to: clock.now() }
    expect(await findAlerts(db.orm, ['stopped_connectors'], window)).toMatchObject([
      { title: 'QuickBooks Online must be connected again', path: '/data/quickbooks' },
    ])
    await expect(later()).resolves.toEqual({ ran: 0, failed: 0 })
  })

  test('an answer without a field ends the run with its name; nothing of it is written', async () => {
    const { contractor, company, run, connection } = await connected()
    fill(company)
    server.alter = (path, body) =>
      path.includes('from Invoice') ? JSON.parse(JSON.stringify(body).replace(/"TotalAmt":500,/, '')) : body
    await run()
    expect(await connection()).toMatchObject({
      mode: 'full',
      failures: 1,
      error: expect.stringContaining('TotalAmt is required'),
    })
    expect(await listed(contractor.id, 'analytics_invoice_records')).toEqual([])
    expect((await connection()).failingAt).not.toBeNull()
    server.alter = undefined
    clock.pass(3_600_000)
    await run()
    expect(await storedTotals(contractor.id)).toEqual(company.totals())
  })

  test('while somebody loads files for the contractor it waits', async () => {
    const { contractor, company, run, connection } = await connected()
    fill(company)
    const giveBack = await acquireLoadTurn(contractor.id)
    await run()
    expect(await connection()).toMatchObject({ failures: 0, error: null, mode: 'full', cursor: null })
    await giveBack()
    clock.pass(20_000)
    await run()
    expect(await connection()).toMatchObject({ mode: 'changes' })
  })
})

describe('tokens', () => {
  const REDIRECT = new AbortController().signal

  test('two processes that find the token over renew it once, and both go on', async () => {
    const { connection } = await connected()
    server.tokens.expireAccess()
    clock.pass(3_600_000)
    const before = server.tokens.renewals
    const ask = async () =>
      sessionFor(db, await connection(), {
        connector: CONNECTORS.quickbooks,
        signal: REDIRECT,
        clock: clock.now,
      }).token()
    const [first, second] = await Promise.all([ask(), ask()])
    expect(first).toBe(second)
    expect(server.tokens.renewals).toBe(before + 1)
    expect(await connection()).toMatchObject({ tokenVersion: 1, refreshingUntil: null })
  })

  test('a lost answer is asked for again with the old token; after its grace the connection is over', async () => {
    const { connection } = await connected()
    const ask = async () =>
      sessionFor(db, await connection(), {
        connector: CONNECTORS.quickbooks,
        signal: REDIRECT,
        clock: clock.now,
      }).token()
    clock.pass(3_600_000)
    server.loseTokens = 1
    await expect(ask()).resolves.toMatch(/^access-/)
    clock.pass(3_600_000)
    server.loseTokens = 3
    await expect(ask()).rejects.toMatchObject({ kind: 'unreachable' })
    expect(await connection()).toMatchObject({ refreshingUntil: null })
    clock.pass(25 * 3_600_000)
    await expect(ask()).rejects.toMatchObject({ kind: 'reconnect' })
  })

  test('no token is stored as it is', async () => {
    const { connection } = await connected()
    const { accessToken, refreshToken } = await connection()
    expect(`${accessToken} ${refreshToken}`).not.toMatch(/access-|refresh-/)
  })
})

describe('POST /api/webhooks/quickbooks', () => {
  const post = ({ body, headers }: { body: string; headers: Record<string, string> }) =>
    call('/api/webhooks/quickbooks', { method: 'POST', body, headers })

  test('a signed one asks for changes soon, once; unknown companies get 200; other signatures 401', async () => {
    const { realm, run, connection } = await connected()
    await run()
    const later = (await connection()).nextAt
    expect((await post(server.webhook(realm, { verifier: 'another' }))).status).toBe(401)
    expect((await post(server.webhook('999'))).status).toBe(200)
    expect((await connection()).nextAt).toEqual(later)
    const hook = server.webhook(realm)
    for (const again of [hook, hook]) expect((await post(again)).status).toBe(200)
    const soon = (await connection()).nextAt
    expect(soon.getTime() - Date.now()).toBeLessThan(5_000)
    expect((await connection()).mode).toBe('changes')
    // What merged is in no list of changes.
    await post(server.webhook(realm, { form: 'notifications', operation: 'merged' }))
    expect((await connection()).since).toBeNull()
  })
})
