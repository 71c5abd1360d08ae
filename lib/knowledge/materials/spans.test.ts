import { expect, test } from 'vitest'
import { JOISTS, joistFor, longestSpan, SPECIES } from './spans'

/** The spans of AWC DCA 6 (2012 IRC), table 2, in inches, at 12, 16 and 24 in on center: its three groups of species, 2x6 to 2x12. */
const TABLE = [
  [
    [119, 108, 91],
    [157, 142, 116],
    [194, 168, 137],
    [216, 198, 162],
  ],
  [
    [114, 100, 82],
    [150, 133, 109],
    [188, 163, 133],
    [216, 189, 154],
  ],
  [
    [106, 96, 82],
    [140, 127, 104],
    [179, 156, 127],
    [209, 181, 148],
  ],
]

test('spans are those of DCA 6, table 2', () => {
  const spans = SPECIES.map((species) =>
    JOISTS.map((joist) => [12, 16, 24].map((at) => Math.round(longestSpan(joist, species, at, 'imperial') * 12))),
  )
  expect(spans).toEqual(TABLE)
})

test('a spacing between those of the table counts as the wider; metric is the same table', () => {
  expect(longestSpan('2x8', 'southern_pine', 19.2, 'imperial')).toBe(
    longestSpan('2x8', 'southern_pine', 24, 'imperial'),
  )
  expect(longestSpan('2x8', 'southern_pine', 400, 'metric')).toBeCloseTo((142 / 12) * 0.3048)
  expect(longestSpan('2x8', 'southern_pine', 610, 'metric')).toBeCloseTo((116 / 12) * 0.3048)
  expect(() => longestSpan('2x8', undefined, 30, 'imperial')).toThrow(/24 in/)
})

const WORK = { spacing: 16, joist: undefined, species: undefined, system: 'imperial' } as const

test('the smallest joist that carries the span in every species, or in the one given', () => {
  expect(joistFor({ ...WORK, span: 8 })).toBe('2x6')
  expect(joistFor({ ...WORK, span: 11 })).toBe('2x10')
  expect(joistFor({ ...WORK, span: 11, species: 'southern_pine' })).toBe('2x8')
})

test('a joist that is too long for its size is refused with what would do', () => {
  expect(() => joistFor({ ...WORK, span: 12, joist: '2x8', species: 'southern_pine' })).toThrow(
    /2x8 at 16 in.*at most 11 ft 10 in in southern pine.*needs 12 ft 0 in\. Use 2x10/,
  )
  expect(() => joistFor({ ...WORK, span: 24 })).toThrow(/beam in between/)
  expect(() => joistFor({ ...WORK, span: 4, joist: '2x8', spacing: 400, system: 'metric' })).toThrow(/3\.23 m/)
})
