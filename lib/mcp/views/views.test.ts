import { expect, test } from 'vitest'
import { wordsIn } from '@/lib/core/words'
import { estimateTakeoff } from '@/lib/operations/materials/estimate-takeoff'
import { getCashFlow } from '@/lib/operations/reports/cash-flow'
import { getProjectFinancials } from '@/lib/operations/reports/project-financials'
import { getReceivablesAging } from '@/lib/operations/reports/receivables-aging'
import { cashFlow } from './cash-flow'
import { type Piece, textOf } from './piece'
import { project } from './project'
import { receivables } from './receivables'
import { takeoff } from './takeoff'
import { shown, type View } from './view'

const words = wordsIn({ locale: 'en-US' })
const drawn = <T>(view: View<T>, result: Record<string, unknown>) => shown(view, result, words).map(textOf).join('\n')
const report = getReceivablesAging.example
const flow = getCashFlow.example
const financials = getProjectFinancials.example

/** Returns every element of a piece. */
const elementsOf = (piece: Piece): Exclude<Piece, string>[] =>
  typeof piece === 'string' ? [] : [piece, ...piece.children.flatMap(elementsOf)]

test('receivables: totals, ages and each customer', () => {
  const text = drawn(receivables, { structuredContent: report })
  for (const said of [
    'As of Nov 20, 2026',
    '$9,780.30',
    '$2,380.30',
    'Over 90 days',
    'Dana Whitfield',
    'last paid Nov 2, 2026',
  ])
    expect(text).toContain(said)
  expect(text).toContain('1 more customer is not shown.')
  const shares = shown(receivables, { structuredContent: report }, words)
    .flatMap(elementsOf)
    .flatMap(({ attributes }) => attributes.share ?? [])
  expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1)
})

test('cash flow: each period by its bars, the newest 26 of many', () => {
  const text = drawn(cashFlow, { structuredContent: flow })
  for (const said of ['Oct 1, 2026 to Nov 20, 2026', '2026-10', '2026-11', '$7,380.30', 'not profit'])
    expect(text).toContain(said)
  const [period] = flow.periods
  const periods = Array.from({ length: 30 }, (_, at) => ({ ...period, period: `W${at}` }))
  const many = drawn(cashFlow, { structuredContent: { ...flow, periods } })
  expect(many).toContain('4 earlier periods are not shown.')
  expect(many.split('\n')).not.toContain('W3')
  expect(many.split('\n')).toContain('W4')
})

test('take-off: what to order, its waste, what is assumed and not counted', () => {
  const text = drawn(takeoff, { structuredContent: estimateTakeoff.example })
  for (const said of ['Insulation', '500 ft2', '5 bag', '5% waste: batts cut to odd cavities', 'vapor retarder'])
    expect(text).toContain(said)
})

/** The amounts that stand under these labels, one after another in the text of a view. */
const under = (text: string, ...labels: string[]) => {
  const lines = text.split('\n')
  return labels.map((label) => lines[lines.indexOf(label) + 1])
}

test('what is due now, not yet due, dated ahead, held back, in credit and written off stands apart in each view', () => {
  const apart = { future: 11, retainage: 22, unapplied: 33, writtenOff: 44 }
  const dollars = ['$11.00', '$22.00', '$33.00', '$44.00']
  const LABELS = ['Future (dated ahead)', 'Retainage', 'Unapplied (in credit)', 'Written off']
  const [first] = report.customers
  const told = drawn(receivables, {
    structuredContent: { ...report, total: { ...report.total, ...apart }, customers: [{ ...first, ...apart }] },
  })
  expect(under(told, ...LABELS)).toEqual(dollars)
  expect(under(told, 'Due now (overdue)', 'Not yet due')).toEqual(['$2,380.30', '$7,400.00'])
  expect(told).toContain('in credit $33.00, retainage $22.00, written off $44.00')
  const one = drawn(project, { structuredContent: { ...financials, ...apart, notYetDue: 55 } })
  expect(under(one, ...LABELS)).toEqual(dollars)
  expect(under(one, 'Due now (overdue)', 'Not yet due', 'Balance')).toEqual(['$2,380.30', '$55.00', '$2,380.30'])
  expect(one).toContain('Due Nov 11, 2026, overdue')
  const total = { ...flow.total, reversed: 1, credited: 2, writtenOff: 3, invoicedAhead: 4, receivedAhead: 5 }
  const flowing = drawn(cashFlow, { structuredContent: { ...flow, total, unpaidAtEnd: 6 } })
  const FLOW = ['Came back', 'Credited, no money', 'Written off', 'Future (invoiced ahead)', 'Received ahead']
  expect(under(flowing, ...FLOW, 'Unpaid at the end')).toEqual(['$1.00', '$2.00', '$3.00', '$4.00', '$5.00', '$6.00'])
})

test('what stands apart is shown also where nothing is unpaid', () => {
  const nothing = {
    ...report,
    customers: [],
    total: { ...report.total, unpaid: 0, overdue: 0, invoices: 0, unapplied: 0 },
  }
  const text = drawn(receivables, {
    structuredContent: { ...nothing, total: { ...nothing.total, future: 0, retainage: 9 } },
  })
  expect(under(text, 'Retainage')).toEqual(['$9.00'])
  expect(text).not.toContain('NaN')
})

test('nothing to show is said in a sentence', () => {
  const none = { ...report, customers: [], total: { ...report.total, unpaid: 0, invoices: 0, future: 0, unapplied: 0 } }
  expect(drawn(receivables, { structuredContent: none })).toBe('Nothing is unpaid as of Nov 20, 2026.')
  const zeros = flow.periods.map((period) => ({ ...period, invoiced: 0, received: 0, refunded: 0 }))
  expect(drawn(cashFlow, { structuredContent: { ...flow, periods: zeros } })).toContain('Nothing was invoiced or paid')
  expect(drawn(takeoff, { structuredContent: { units: 'metric', assemblies: [], order: [] } })).toContain(
    'Nothing has to be bought',
  )
})

test('an error is shown in its own words, and a result of another shape as one that cannot be drawn', () => {
  const error = {
    isError: true,
    content: [{ type: 'text', text: '{"error":"asOf: must be a day","code":"bad_request"}' }],
  }
  expect(drawn(receivables, error)).toBe('asOf: must be a day')
  for (const result of [
    {},
    { structuredContent: [] },
    { structuredContent: { total: 1 } },
    { content: [{ type: 'text', text: '{' }] },
  ])
    for (const view of [receivables, cashFlow, project, takeoff])
      expect(drawn(view as View<unknown>, result)).toBe('This result has nothing that can be drawn.')
})

test('a host that passes on the text alone gets the same view; a cut answer says so', () => {
  const content = [{ type: 'text', text: JSON.stringify(report) }]
  expect(drawn(receivables, { content })).toBe(drawn(receivables, { structuredContent: report }))
  const cut = [...content, { type: 'text', text: 'Only the first 3 of 9 in customers are told: …' }]
  expect(drawn(receivables, { content: cut })).toContain('first part')
})

test('a stranger’s text stays text: it is a child of an element, never a tag or an attribute', () => {
  const name = '<img src=x onerror=alert(1)>"\'&'
  const customers = [{ ...report.customers[0], name }]
  const pieces = shown(receivables, { structuredContent: { ...report, customers } }, words)
  const holding = pieces.flatMap(elementsOf).filter(({ children }) => children.includes(name))
  expect(holding.map(({ tag }) => tag)).toEqual(['th'])
  for (const { tag, attributes } of pieces.flatMap(elementsOf))
    expect(JSON.stringify([tag, attributes])).not.toContain('onerror')
})

test('amounts and days in the host’s language; in American English where it names none that is known', () => {
  expect(wordsIn({ locale: 'de-DE' }).money(1234.5, 'EUR')).toBe('1.234,50 €')
  for (const locale of [undefined, 'no such language', ''])
    expect(wordsIn({ locale }).money(1234.5, 'USD')).toBe('$1,234.50')
  expect(wordsIn({ locale: 'en-US' }).day('soon')).toBe('soon')
})
