import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { ServiceError } from '@/lib/core/errors'
import type { TakeoffLine } from './define'
import { doubtsOf, METRIC_PER_IMPERIAL } from './plausible'
import { Assembly, RANGES, type TakeoffInput, takeoffs } from './takeoff'

type Values = Record<string, string | number | boolean>
type Units = z.output<typeof TakeoffInput>['units']

/** Kinds with what they take, read from their schemas. */
const KINDS = Assembly.options.map((schema) => {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input' })
  return { kind: schema.shape.kind.value, properties, required }
})

/** An input of a kind, its numbers within their ranges, fields that may be left out sometimes left out. */
function inputs({ kind, properties, required }: (typeof KINDS)[number], always = false): fc.Arbitrary<Values> {
  const fields = Object.entries(properties).flatMap(
    ([name, property]): [string, fc.Arbitrary<string | number | boolean>][] => {
      const { type, enum: choices } = Object(property)
      const range = RANGES[kind][name]
      if (name === 'kind') return [[name, fc.constant(kind)]]
      if (Array.isArray(choices)) return [[name, fc.constantFrom(...choices)]]
      if (type === 'boolean') return [[name, fc.boolean()]]
      if (!range) return []
      if (type === 'integer') return [[name, fc.integer({ min: Math.ceil(range.least), max: Math.floor(range.most) })]]
      return [
        [
          name,
          fc
            .double({ min: range.least, max: range.most, noNaN: true })
            .map((n) => (n < 1e-3 ? 0 : Number(n.toPrecision(6)))),
        ],
      ]
    },
  )
  const needed = always ? fields.map(([name]) => name) : ['kind', ...required]
  return fc.record(Object.fromEntries(fields), { requiredKeys: needed })
}

/** The lines of an input; undefined where it cannot be built, which is an answer of its own. */
function linesOf(values: Values, units: Units): TakeoffLine[] | undefined {
  const parsed = Assembly.safeParse(values)
  if (!parsed.success) return undefined
  try {
    return takeoffs({ assemblies: [parsed.data], units, confirmed: [] })[0]?.lines
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'bad_request') return undefined
    throw error
  }
}

/** What an answer says in words. */
function textsOf(values: Values, units: Units): string[] {
  const parsed = Assembly.safeParse(values)
  if (!parsed.success) return []
  try {
    return takeoffs({ assemblies: [parsed.data], units, confirmed: [] }).flatMap((found) => [
      ...found.assumptions,
      ...found.notCounted,
      ...found.lines.flatMap(({ item, wasteBasis }) => [item, wasteBasis]),
    ])
  } catch (error) {
    if (error instanceof ServiceError) return [error.message]
    throw error
  }
}
const OTHER: Record<Units, RegExp> = {
  imperial: /\d ?(?:m|mm|m2|m3|kg|l|kPa)\b|liter/,
  metric: /\d ?(?:ft|ft2|in|psf|lb|gal)\b|\bsquares?\b(?! lay)|cubic yard|gallon/,
}
const least = (kind: Assembly['kind']): Record<string, number> =>
  Object.fromEntries(Object.entries(RANGES[kind]).map(([name, range]) => [name, range.least]))

/** Fields of which more takes less material, or other material; of every other number more takes as much or more. */
const LESS =
  /spacing|boardWidth|picketWidth|gap|tileLength|tileWidth|openings|doors|windows|gates|joint|boxArea|wastePercent|exposure/i
const NOT_MORE: Record<string, string[]> = {
  deck: ['overhang'],
  roofing: ['rise', 'width', 'length'],
  fence: ['height'],
}

/** The metric unit of a net quantity, and how many of it one imperial unit is. */
const METRIC: Record<string, [unit: string, factor: number]> = {
  ft: ['m', METRIC_PER_IMPERIAL.long],
  ft2: ['m2', METRIC_PER_IMPERIAL.area],
  square: ['m2', METRIC_PER_IMPERIAL.area * 100],
  yd3: ['m3', 0.764554857984],
  ft3: ['m3', 0.028316846592],
  lb: ['kg', 0.45359237],
  gal: ['l', 3.785411784],
}

/** Quantities by item; a deck's joists and its rim may be of one length. */
function ordered(lines: TakeoffLine[] = []): Map<string, number> {
  const sums = new Map<string, number>()
  for (const { key, orderQuantity } of lines) sums.set(key, (sums.get(key) ?? 0) + orderQuantity)
  return sums
}

describe.each(KINDS)('$kind', (kind) => {
  test('every number has a plausible range', () => {
    const numbers = Object.entries(kind.properties).filter(([, each]) => /number|integer/.test(Object(each).type))
    expect(Object.keys(RANGES[kind.kind]).sort()).toEqual(numbers.map(([name]) => name).sort())
  })

  test('quantities are finite and never negative, waste is never negative, an order holds what is needed', () => {
    let built = 0
    fc.assert(
      fc.property(inputs(kind), fc.constantFrom<Units>('imperial', 'metric'), (values, units) => {
        const scaled = units === 'imperial' ? values : inMetric(kind.kind, values)
        for (const { netQuantity, orderQuantity, wastePercent } of linesOf(scaled, units) ?? []) {
          built++
          expect(Number.isFinite(netQuantity) && netQuantity >= 0).toBe(true)
          expect(Number.isFinite(orderQuantity) && orderQuantity >= 0).toBe(true)
          expect(wastePercent).toBeGreaterThanOrEqual(0)
          if (netQuantity > 0) expect(orderQuantity).toBeGreaterThan(0)
        }
      }),
    )
    expect(built).toBeGreaterThan(20)
  })

  test('an answer names the measures of one system only', () => {
    fc.assert(
      fc.property(inputs(kind), fc.constantFrom<Units>('imperial', 'metric'), (values, units) => {
        const scaled = units === 'imperial' ? values : inMetric(kind.kind, values)
        expect(textsOf(scaled, units).filter((text) => OTHER[units].test(text))).toEqual([])
      }),
    )
    const doubtful = Object.keys(RANGES[kind.kind]).map((name) => ({ ...least(kind.kind), [name]: 100_000 }))
    const questions = doubtful.flatMap((values) => doubtsOf(values, RANGES[kind.kind], 'metric'))
    expect(questions.length).toBeGreaterThan(0)
    // A question also tells the value in the other system where that would be usual.
    const own = questions.map(({ message }) => message.replace(/ \S+ (?:ft2?|in) would be usual/, ''))
    expect(own.filter((text) => OTHER.metric.test(text))).toEqual([])
  })

  const grows = Object.keys(RANGES[kind.kind]).filter(
    (name) => !LESS.test(name) && !NOT_MORE[kind.kind]?.includes(name),
  )
  test.each(grows)('more %s never takes less of anything', (field) => {
    fc.assert(
      fc.property(inputs(kind, true), fc.double({ min: 1, max: 2, noNaN: true }), (values, factor) => {
        const given = Number(values[field])
        const most = RANGES[kind.kind][field]?.most ?? given
        const more = Math.min(Number.isInteger(given) ? Math.ceil(given * factor) : given * factor, most)
        const before = ordered(linesOf(values, 'imperial'))
        const after = ordered(linesOf({ ...values, [field]: more }, 'imperial'))
        // A longer piece is another item, so only orders of the same items can be compared.
        if ([...before.keys()].sort().join() !== [...after.keys()].sort().join()) return
        for (const [key, quantity] of before) expect(after.get(key), `${key} ${more}`).toBeGreaterThanOrEqual(quantity)
      }),
    )
  })

  test('the same work in metric takes the same, but for the sizes of the products', () => {
    fc.assert(
      fc.property(inputs(kind, true), (values) => {
        const [feet, meters] = [linesOf(values, 'imperial'), linesOf(inMetric(kind.kind, values), 'metric')]
        const whole = linesOf(withoutOpenings(values), 'imperial')
        for (const [at, line] of (feet ?? []).entries()) {
          const other = meters?.[at]
          const [unit, factor] = METRIC[line.netUnit] ?? []
          // Bars are lapped where their stock ends, 20 ft or 6 m.
          if (!other || factor === undefined || other.netUnit !== unit || line.key.startsWith('rebar')) continue
          const converted = line.netQuantity * factor
          // Openings are rounded in either system, which counts where little is left beside them.
          const gross = (whole?.[at]?.netQuantity ?? 0) * factor
          expect(Math.abs(other.netQuantity - converted), `${line.key} ${converted}`).toBeLessThanOrEqual(
            0.5 + Math.max(converted, gross) * 0.08,
          )
        }
      }),
    )
  })
})

const withoutOpenings = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, /^(doors|windows|openings)/.test(name) ? 0 : value]),
  )

function inMetric(kind: Assembly['kind'], values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const range = RANGES[kind][name]
      return [name, typeof value === 'number' && range ? value * METRIC_PER_IMPERIAL[range.in] : value]
    }),
  )
}
