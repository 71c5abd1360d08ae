import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { TEST_APP } from '@/lib/testing/quickbooks/oauth'
import { TEST_VERIFIER, TestQuickBooks } from '@/lib/testing/quickbooks/server'
import { forgetRuntime } from '@/lib/testing/runtime'
import type { Session } from '../connector'
import { MOST_OBJECTS } from './api'
import { partsOf } from './parts'
import { quickbooks } from './quickbooks'

let server: TestQuickBooks
let now = new Date('2026-11-20T12:00:00Z')
const REALM = '4620816365'
const REDIRECT = 'https://portal.example.com/data/quickbooks/callback'

beforeAll(async () => {
  server = await TestQuickBooks.start(() => now)
  vi.stubEnv('QUICKBOOKS_CLIENT_ID', TEST_APP.clientId)
  vi.stubEnv('QUICKBOOKS_CLIENT_SECRET', TEST_APP.clientSecret)
  vi.stubEnv('QUICKBOOKS_WEBHOOK_VERIFIER', TEST_VERIFIER)
  vi.stubEnv('QUICKBOOKS_TEST_URL', server.url)
  forgetRuntime()
})
afterAll(async () => {
  await server.stop()
  vi.unstubAllEnvs()
  forgetRuntime()
})
beforeEach(() => {
  server.trouble = undefined
  server.alter = undefined
  now = new Date('2026-11-20T12:00:00Z')
})

/** Connects to a company as a person does, and asks with its tokens. */
async function connected(realm = REALM): Promise<Session> {
  server.company(realm)
  const back = server.allow(quickbooks.authorizeUrl({ state: 'the-state', redirect: REDIRECT }), realm)
  const { code, company } = quickbooks.granted(back.searchParams) ?? { code: '', company: '' }
  let tokens = await quickbooks.exchange({ code, redirect: REDIRECT })
  return {
    company,
    signal: new AbortController().signal,
    names: new Map(),
    token: async (isRefused) => {
      if (isRefused === tokens.access) tokens = await quickbooks.refresh(tokens.refresh)
      return tokens.access
    },
  }
}

describe('connecting', () => {
  test('a code works once, and only for the address that it was made for', async () => {
    server.company(REALM)
    const back = server.allow(quickbooks.authorizeUrl({ state: 's', redirect: REDIRECT }), REALM)
    expect(back.searchParams.get('state')).toBe('s')
    const { code } = quickbooks.granted(back.searchParams) ?? { code: '' }
    await expect(quickbooks.exchange({ code, redirect: REDIRECT })).resolves.toMatchObject({
      accessSeconds: 3600,
      refreshSeconds: 8_640_000,
    })
    await expect(quickbooks.exchange({ code, redirect: REDIRECT })).rejects.toMatchObject({ kind: 'reconnect' })
  })

  test('a person who refuses brings nothing, and neither does a company that is none', () => {
    expect(quickbooks.granted(new URLSearchParams({ error: 'access_denied', state: 's' }))).toBeUndefined()
    expect(quickbooks.granted(new URLSearchParams({ code: 'c', realmId: '../1' }))).toBeUndefined()
  })

  test('a token that ended is renewed once; a revoked grant asks to connect again', async () => {
    const session = await connected()
    server.tokens.expireAccess()
    await expect(quickbooks.companyName(session)).resolves.toBe('Whitfield Roofing')
    server.tokens.revoke(REALM)
    await expect(quickbooks.companyName(session)).rejects.toMatchObject({ kind: 'reconnect' })
  })

  test('an app that Intuit does not know is the operator’s to fix', async () => {
    vi.stubEnv('QUICKBOOKS_CLIENT_SECRET', 'another one')
    forgetRuntime()
    await expect(quickbooks.refresh('any')).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('QUICKBOOKS_CLIENT_SECRET'),
    })
    vi.stubEnv('QUICKBOOKS_CLIENT_SECRET', TEST_APP.clientSecret)
    forgetRuntime()
  })
})

describe('asking', () => {
  test('pages overlap by one object, so that a deletion before them is noticed; inactive customers are there', async () => {
    const session = await connected('1')
    const company = server.company('1')
    const ids = Array.from({ length: MOST_OBJECTS + 5 }, (_, i) =>
      company.customer(`Customer ${i}`, i === 3 ? { Active: false } : {}),
    )
    const first = await quickbooks.page(session, 'Customer', 1)
    expect([first.read, first.next]).toEqual([MOST_OBJECTS, MOST_OBJECTS])
    const second = await quickbooks.page(session, 'Customer', first.next ?? 0)
    expect([second.first, second.next]).toEqual([first.last, null])
    expect(new Set([...first.items, ...second.items].map((item) => item.id))).toEqual(new Set(ids))
    await expect(quickbooks.find(session, 'Customer', [ids[3] ?? '', '999999'])).resolves.toMatchObject([
      { id: ids[3] },
    ])
  })

  test('a page that is too long is asked for in halves', async () => {
    const session = await connected('2')
    const company = server.company('2')
    for (let i = 0; i < 300; i++) company.customer(`Customer ${i}`, { Notes: 'x'.repeat(20_000) })
    const page = await quickbooks.page(session, 'Customer', 1)
    expect([page.read, page.next]).toEqual([125, 125])
  })

  test('429, with or without Retry-After, and Intuit’s own code say how long to wait', async () => {
    const session = await connected()
    server.trouble = { status: 429, retryAfter: 7, times: 1 }
    await expect(quickbooks.companyName(session)).rejects.toMatchObject({ kind: 'throttled', waitMs: 7_000 })
    server.trouble = { status: 429, times: 1 }
    await expect(quickbooks.companyName(session)).rejects.toMatchObject({ kind: 'throttled', waitMs: 60_000 })
  })

  test('an answer of a server that is down is asked for again', async () => {
    const session = await connected()
    server.trouble = { status: 503, times: 1 }
    await expect(quickbooks.companyName(session)).resolves.toBe('Whitfield Roofing')
  })

  test.each([
    ['a missing field', 'Invoice 2, TotalAmt is required', (thing: Record<string, unknown>) => delete thing.TotalAmt],
    [
      'another type',
      'Invoice 2, Line must be a list',
      (thing: Record<string, unknown>) => Object.assign(thing, { Line: {} }),
    ],
  ])('%s ends the reading with its name; fields that nobody knows pass', async (_, words, spoil) => {
    const session = await connected('3')
    const company = server.company('3')
    company.things.clear()
    Reflect.set(company, 'last', 0)
    const customer = company.customer('Dana Hill', { Unknown: { deep: [1] } })
    company.invoice({ customer, lines: [100] })
    await expect(quickbooks.page(session, 'Customer', 1)).resolves.toMatchObject({ read: 1 })
    spoil(company.get('Invoice', '2'))
    await expect(quickbooks.page(session, 'Invoice', 1)).rejects.toMatchObject({
      kind: 'shape',
      message: expect.stringContaining(words),
    })
  })

  test('changes have whole objects and the ids of deleted ones; a thousand may not be all', async () => {
    const session = await connected('4')
    const company = server.company('4')
    const customer = company.customer('Dana Hill')
    const kept = company.invoice({ customer, lines: [100], number: '1001' })
    const gone = company.invoice({ customer, lines: [50], number: '1002' })
    const since = new Date('2026-11-21T00:00:00Z')
    now = new Date('2026-11-21T08:00:00Z')
    company.change('Invoice', kept, { DueDate: '2026-12-24' })
    company.remove('Invoice', gone)
    const found = await quickbooks.changes(session, since)
    expect(found?.items).toMatchObject([
      { kind: 'invoice', id: kept, dueDate: '2026-12-24' },
      { kind: 'gone', entity: 'Invoice', id: gone },
    ])
    expect(found?.time).toEqual(now)
    for (let i = 0; i < MOST_OBJECTS; i++) company.customer(`Customer ${i}`)
    await expect(quickbooks.changes(session, since)).resolves.toBeUndefined()
  })
})

describe('webhooks', () => {
  const read = ({ body, headers }: ReturnType<TestQuickBooks['webhook']>) =>
    quickbooks.notices(Buffer.from(body), (name) => new Headers(headers).get(name))

  test('both published forms say whose books changed', () => {
    expect(read(server.webhook('11'))).toEqual([{ company: '11', isMerge: false }])
    expect(read(server.webhook('11', { form: 'notifications', operation: 'merged' }))).toEqual([
      { company: '11', isMerge: true },
    ])
  })

  test('a signature of another verifier, a missing one, and a body that was changed are refused', () => {
    expect(() => read(server.webhook('11', { verifier: 'another' }))).toThrow('intuit-signature')
    const { body, headers } = server.webhook('11')
    expect(() => read({ body: `${body} `, headers })).toThrow('intuit-signature')
    expect(() => quickbooks.notices(Buffer.from(body), () => null)).toThrow('intuit-signature')
  })
})

describe('amounts', () => {
  const line = (Amount: number, TxnType: string, TxnId: string) => ({ Amount, LinkedTxn: [{ TxnId, TxnType }] })
  const payment = (TotalAmt: number, UnappliedAmt: number, Line: ReturnType<typeof line>[]) =>
    partsOf({ Id: '9', TxnDate: '2026-11-01', CustomerRef: { value: '1' }, TotalAmt, UnappliedAmt, Line })

  test('a payment is split by invoices; credits are counted first, and the rest is unapplied', () => {
    expect(payment(100, 10, [line(70, 'Invoice', '1'), line(50, 'Invoice', '2'), line(30, 'CreditMemo', '3')])).toEqual(
      {
        parts: [
          {
            key: 'Invoice 1 by CreditMemo 3',
            type: 'adjustment',
            amount: '30.00',
            invoice: { entity: 'Invoice', id: '1' },
          },
          {
            key: 'Invoice 1 by CreditMemo 3, used',
            type: 'adjustment',
            amount: '-30.00',
            invoice: { entity: 'CreditMemo', id: '3' },
          },
          { key: 'Invoice 1', type: 'payment', amount: '40.00', invoice: { entity: 'Invoice', id: '1' } },
          { key: 'Invoice 2', type: 'payment', amount: '50.00', invoice: { entity: 'Invoice', id: '2' } },
          { key: 'unapplied', type: 'payment', amount: '10.00' },
        ],
      },
    )
  })

  test('a credit memo that was paid back is a refund of it; a journal entry stands where the total says', () => {
    expect(payment(0, 0, [line(25, 'Expense', '7'), line(25, 'CreditMemo', '3')])).toMatchObject({
      parts: [{ type: 'refund', amount: '25.00', invoice: { id: '3' } }],
    })
    expect(payment(60, 0, [line(100, 'Invoice', '1'), line(40, 'JournalEntry', '8')])).toMatchObject({
      parts: [
        { type: 'adjustment', amount: '40.00' },
        { type: 'payment', amount: '60.00' },
      ],
    })
  })

  test('amounts that do not add up to the cent are refused with the sums', () => {
    expect(payment(100, 0, [line(99.99, 'Invoice', '1')])).toEqual({ reason: expect.stringContaining('99.99') })
  })

  test('an invoice’s lines, discount and tax make up its total, or it is refused', async () => {
    const session = await connected('5')
    const company = server.company('5')
    const customer = company.customer('Dana Hill')
    const good = company.invoice({ customer, lines: [100.1, 200.2], discount: 30.03, tax: 22.22 })
    const bad = company.invoice({ customer, lines: [100] })
    company.change('Invoice', bad, { TotalAmt: 100.01 })
    const { items } = await quickbooks.page(session, 'Invoice', 1)
    expect(items).toMatchObject([
      { kind: 'invoice', id: good, amount: '292.49' },
      { kind: 'refused', id: bad, reason: 'its lines add up to 100.00, with tax 100.00, and its total is 100.01' },
    ])
  })
})
