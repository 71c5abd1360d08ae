import { readFileSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { actorOf, answerOf } from '@/lib/testing/answer-of'
import { openTestDatabase } from '@/lib/testing/database'
import { makeTenant } from '@/lib/testing/tenant'
import { getCashFlow } from './cash-flow'
import { getProjectFinancials } from './project-financials'
import { getReceivablesAging } from './receivables-aging'
import { getRevenueSummary } from './revenue-summary'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const NOW = new Date('2026-11-20T17:00:00Z')

type Example = { word: string; files: Record<string, string>; claims: string[] }

/** The examples of docs/accounting.md: files by name, then what they give. */
function examples(): Example[] {
  const text = readFileSync(new URL('../../../docs/accounting.md', import.meta.url), 'utf8')
  return text.split(/^## /m).flatMap((section): Example[] => {
    const [, block] = /```books\n([\s\S]*?)```/.exec(section) ?? []
    if (block === undefined) return []
    const [given = '', claims = ''] = block.split('gives\n')
    const [, ...parts] = given.split(/^(\w+\.csv)\n/m)
    const files = Object.fromEntries(parts.flatMap((name, i) => (i % 2 === 0 ? [[name, parts[i + 1] ?? '']] : [])))
    return [{ word: section.split('\n')[0] ?? '', files, claims: claims.trim().split('\n') }]
  })
}

const EXAMPLES = examples()

test('docs/accounting.md: the words have examples, with files and figures', () => {
  expect(EXAMPLES).toHaveLength(14)
  for (const { files, claims } of EXAMPLES) {
    expect(Object.keys(files)).toContain('invoices.csv')
    expect(claims.length).toBeGreaterThan(1)
  }
})

/** The figures of a claim such as `status paid, unpaid 0.00`, amounts as numbers. */
const figuresOf = (text: string) =>
  Object.fromEntries(
    text.split(', ').map((pair) => {
      const [name = '', value = ''] = pair.split(' ')
      return [name, value === 'null' ? null : /^-?[\d.]+$/.test(value) ? Number(value) : value]
    }),
  )

test.each(EXAMPLES.map((example) => [example.word, example] as const))('%s', async (_, { files, claims }) => {
  const { contractor, load } = await makeTenant(db)
  const report = await load({
    'customers.csv': 'Customer ID,Name\nC1,Dana\n',
    'projects.csv': 'Project ID,Customer ID,Name,Status\nP1,C1,Roof,in_progress\n',
    ...files,
  })
  expect(report.faults).toEqual([])
  const ask = { actor: actorOf(contractor), now: NOW }
  const [project] = await rows<{ id: string }>(
    db.orm,
    sql`select id from projects where contractor_id = ${contractor.id}`,
  )
  const { answer: financials } = await answerOf(getProjectFinancials, {
    ...ask,
    input: { projectId: project?.id ?? '' },
  })
  const { answer: aging } = await answerOf(getReceivablesAging, { ...ask, input: {} })
  const told = async (what: string) => {
    const [, number] = /^invoice (\w+)$/.exec(what) ?? []
    if (number !== undefined) return financials.invoices.find((invoice) => invoice.number === number)
    if (what === 'aging') return aging.total
    if (what === 'project') return financials
    const [, asOf] = /^aging on (\S+)$/.exec(what) ?? []
    if (asOf !== undefined) return (await answerOf(getReceivablesAging, { ...ask, input: { asOf } })).answer.total
    if (what === 'revenue') return (await answerOf(getRevenueSummary, { ...ask, input: { by: 'year' } })).answer.total
    const [, from, to] = /^cash flow(?: (?:(\S+) )?to (\S+))?$/.exec(what) ?? []
    const { answer } = await answerOf(getCashFlow, { ...ask, input: { from, to } })
    return { ...answer.total, unpaidAtEnd: answer.unpaidAtEnd }
  }
  for (const claim of claims) {
    const [what = '', figures = ''] = claim.split(': ')
    if (what === 'contradictions') expect(report.contradictions?.map(({ value }) => value)).toEqual(figures.split(', '))
    else expect(await told(what), claim).toMatchObject(figuresOf(figures))
  }
  const isNamed = claims.some((claim) => claim.startsWith('contradictions'))
  if (!isNamed) expect(report.contradictions).toBeUndefined()
  const numbers = claims.flatMap((claim) => /^invoice (\w+):/.exec(claim)?.[1] ?? [])
  if (numbers.length > 0) expect(financials.invoices.map(({ number }) => number).sort()).toEqual(numbers.sort())
})

/** A generator that gives the same numbers for a seed. */
function dice(seed: number) {
  let state = seed
  const next = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return state / 0x7fffffff
  }
  const whole = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  return { whole, chance: (share: number) => next() < share }
}

const dayAt = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)

/**
 * Random books as files: post-dated checks, money before its invoice, retainage, its release by an invoice, deposits, refunds, chargebacks,
 * credits, write-offs, two currencies.
 */
function randomBooks(seed: number, customers: number) {
  const { whole, chance } = dice(seed)
  const [invoices, payments]: [string[], string[]] = [[], []]
  const money = (cents: number) => (cents / 100).toFixed(2)
  const pay = (row: { project: number; invoice: string; cents: number; currency: string; day: number; type: string }) =>
    payments.push(
      [
        `T${payments.length}`,
        `P${row.project}`,
        row.invoice,
        money(row.cents),
        row.currency,
        dayAt(row.day),
        row.type,
      ].join(','),
    )
  for (let n = 0; n < 60; n++) {
    const [project, cents, day] = [whole(1, customers), whole(100, 900_000), whole(-300, 90)]
    const currency = n % 5 === 0 ? 'EUR' : 'USD'
    const held = n % 4 === 0 ? Math.floor(cents / 10) : 0
    const line = [`I${n}`, `P${project}`, money(cents), currency, dayAt(day), dayAt(day + whole(0, 45)), money(held)]
    invoices.push(line.join(','))
    const row = { project, invoice: `I${n}`, currency }
    const at = day + whole(-60, 120)
    const events: [share: number, event: { invoice?: string; cents: number; day: number; type: string }][] = [
      [0.7, { cents: cents - held, day: at, type: 'payment' }],
      [0.1, { cents: whole(1, cents), day: at, type: 'chargeback' }],
      [0.1, { cents: whole(1, cents), day: at, type: 'credit' }],
      [0.1, { cents: cents - held, day: at + whole(0, 60), type: 'refund' }],
      [0.1, { cents: whole(1, 5_000), day: day + whole(0, 60), type: 'write-off' }],
      [0.3, { invoice: '', cents: whole(1, 90_000), day: at, type: 'deposit' }],
    ]
    for (const [share, event] of events) if (chance(share)) pay({ ...row, ...event })
  }
  return {
    'customers.csv': `Customer ID,Name\n${Array.from({ length: customers }, (_, i) => `C${i + 1},Customer ${i + 1}`).join('\n')}\n`,
    'projects.csv': `Project ID,Customer ID,Name\n${Array.from({ length: customers }, (_, i) => `P${i + 1},C${i + 1},Job`).join('\n')}\n`,
    'invoices.csv': `Invoice Number,Project ID,Amount,Currency,Date,Due Date,Retainage\n${invoices.join('\n')}\n`,
    'payments.csv': `Payment ID,Project ID,Invoice Number,Amount,Currency,Date,Type\n${payments.join('\n')}\n`,
  }
}

const cents = (amount: unknown) => Math.round(Number(amount) * 100)

test.each([1, 2, 3, 4])(
  'random books %i: on every day what was received is applied or unapplied, and every report and list says the same',
  async (seed) => {
    const { contractor, load } = await makeTenant(db)
    expect((await load(randomBooks(seed, 8))).faults).toEqual([])
    const ask = { actor: actorOf(contractor), now: new Date() }
    const { answer: bare } = await answerOf(getReceivablesAging, { ...ask, input: { limit: 25 } })
    for (const currency of ['USD', 'EUR']) {
      for (const offset of [-320, -200, -90, -30, -7, -1, 0, 1, 7, 30, 90, 200]) {
        const day = new Date(Date.parse(bare.asOf) + offset * 86_400_000).toISOString().slice(0, 10)
        const { answer } = await answerOf(getReceivablesAging, { ...ask, input: { asOf: day, currency, limit: 25 } })
        const days = { from: '2020-01-01', to: day, currency }
        const { answer: flow } = await answerOf(getCashFlow, { ...ask, input: days })
        const { invoiced, net, credited, writtenOff } = flow.total
        const [asked, used] = [
          cents(invoiced - credited - writtenOff),
          cents(answer.total.unpaid + answer.total.retainage),
        ]
        // What was asked for less what is open is what was applied.
        expect(cents(net), day).toBe(asked - used + cents(answer.total.unapplied))
        expect(
          answer.customers.reduce((sum, { unpaid }) => sum + cents(unpaid), 0),
          day,
        ).toBe(cents(answer.total.unpaid))
        if (offset <= 0) expect(cents(flow.unpaidAtEnd), day).toBe(cents(answer.total.unpaid))
        const { answer: revenue } = await answerOf(getRevenueSummary, { ...ask, input: { by: 'year', ...days } })
        const { received, refunded, reversed } = flow.total
        expect(revenue.total, day).toEqual({ invoiced, received, refunded, reversed, net, paidWithoutRecord: 0 })
        if (offset === 0 && currency === 'USD') expect(answer).toEqual(bare)
      }
    }
  },
)
