import { describe, expect, test } from 'vitest'
import { DateOrder, periodOf } from './date-order'

const TODAY = Math.floor(Date.parse('2025-07-01T00:00:00Z') / 86_400_000)
const US = { country: 'US', timezone: 'America/New_York', currency: 'USD' }
const CA = { country: 'CA', timezone: 'America/Toronto', currency: 'CAD' }
const GB = { country: 'GB', timezone: 'Europe/London', currency: 'GBP' }

type Dates = { issued?: string; due?: string; paid?: string }

/** Collects the dates of documents, one a line from line 2. */
function collected(...documents: Dates[]): DateOrder {
  const order = new DateOrder(TODAY)
  for (const [i, dates] of documents.entries()) {
    for (const cell of Object.values(dates)) order.cell(cell, 'a.csv', i + 2)
    order.document(dates, 'a.csv', i + 2)
  }
  return order
}

const cases: [title: string, documents: Dates[], office: typeof US, order: 'mdy' | 'dmy' | 'asks', why: RegExp][] = [
  ['a day above 12', [{ issued: '04/02/2025' }, { issued: '25/02/2025' }], US, 'dmy', /“25\/02\/2025” on line 3/],
  ['a month’s place', [{ issued: '04/02/2025' }, { issued: '02/25/2025' }], GB, 'mdy', /“02\/25\/2025” on line 3/],
  ['both orders', [{ issued: '25/02/2025' }, { issued: '02/25/2025' }], GB, 'asks', /02\/25\/2025.*25\/02\/2025/],
  ['due before issue', [{ issued: '05/01/2025', due: '04/02/2025' }], US, 'dmy', /due before it was issued/],
  ['paid before issue', [{ issued: '04/02/2025', paid: '03/05/2025' }], US, 'dmy', /paid before it was issued/],
  ['paid on a day ahead', [{ issued: '01/01/2025', paid: '11/05/2025' }], US, 'dmy', /paid on a day that lies ahead/],
  [
    'neither can be',
    [
      { issued: '05/01/2025', due: '04/02/2025' },
      { issued: '04/02/2025', due: '05/01/2025' },
    ],
    US,
    'asks',
    /read month first.*read day first/,
  ],
  ['the usual terms', [{ issued: '04/02/2025', due: '06/03/2025' }], CA, 'dmy', /usual terms/],
  ['the country', [{ issued: '04/02/2025' }], GB, 'dmy', /GB writes them.*2025-02-04/],
  ['the country', [{ issued: '04/02/2025' }], US, 'mdy', /US writes them.*2025-04-02/],
  ['nothing', [{ issued: '04/02/2025' }], CA, 'asks', /04\/02\/2025.*two months/],
]

test.each(cases)('the order is shown by %s', (_, documents, office, order, why) => {
  const decided = collected(...documents).decide(undefined, undefined, office)
  if (order === 'asks') {
    expect(decided).toMatchObject({ kind: 'dates', key: 'dates', file: 'a.csv', choices: ['mdy', 'dmy'] })
    expect('question' in decided && decided.question).toMatch(why)
  } else expect(decided).toEqual({ order, why: expect.stringMatching(why) })
})

test('what a person says counts, against what files show too', () => {
  const order = collected({ issued: '25/02/2025' }, { issued: '04/02/2025' })
  expect(order.decide('mdy', undefined, US)).toEqual({
    order: 'mdy',
    why: expect.stringMatching(/you said so.*2025-04-02/),
  })
})

test('dates that can be read one way only need no reason', () => {
  expect(
    collected({ issued: '2025-02-04' }, { issued: '04.02.2025' }, { issued: '03/03/2025' }).decide(
      undefined,
      undefined,
      CA,
    ),
  ).toEqual({
    order: 'mdy',
  })
})

test('numbers that a spreadsheet made of dates beside text that it left ask', () => {
  const order = collected({ issued: '25/02/2025' })
  order.serial('45748', 'a.csv', 9)
  expect(order.decide(undefined, undefined, US)).toMatchObject({
    question: expect.stringMatching(/“45748” on line 9.*text that it left/),
  })
})

describe('the days that a report names', () => {
  const day = (text: string) => Date.parse(`${text}T00:00:00Z`) / 86_400_000

  test.each([
    ['March 1 - March 31, 2025', '2025-03-01', '2025-03-31'],
    ['1 March - 31 March 2025', '2025-03-01', '2025-03-31'],
    ['March 1-31, 2025', '2025-03-01', '2025-03-31'],
    ['January 1, 2024 through March 31, 2025', '2024-01-01', '2025-03-31'],
  ])('%s', (line, from, to) => {
    expect(periodOf([['Rook Ltd', ''], [line]])).toEqual({ from: day(from), to: day(to) })
  })

  test('as of a day, and none', () => {
    expect(periodOf([['As of June 30, 2025']])).toEqual({ from: Number.NEGATIVE_INFINITY, to: day('2025-06-30') })
    expect(periodOf([['Rook Ltd'], ['Invoice List 2025'], []])).toBeUndefined()
  })

  test('a date outside them rules an order out; inside both it rules out none', () => {
    const period = { from: day('2025-03-01'), to: day('2025-03-31') }
    const order = collected({ issued: '04/03/2025' })
    order.period('04/03/2025', period, 'a.csv', 2)
    expect(order.decide(undefined, undefined, US)).toEqual({
      order: 'dmy',
      why: expect.stringContaining('outside the days'),
    })
    const wide = collected({ issued: '04/03/2025' })
    wide.period('04/03/2025', { from: day('2025-01-01'), to: day('2025-06-30') }, 'a.csv', 2)
    expect(wide.decide(undefined, undefined, CA)).toMatchObject({ kind: 'dates' })
  })
})
