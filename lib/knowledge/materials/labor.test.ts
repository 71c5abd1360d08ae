import { expect, test } from 'vitest'
import type * as z from 'zod'
import { laborInBook, laborOf } from './labor'
import { Assembly, takeoff } from './takeoff'

const workOf = (input: z.input<typeof Assembly>) => {
  const assembly = Assembly.parse(input)
  return laborOf(assembly, takeoff(assembly, 'imperial').lines, 'imperial')
}
const measures = (input: z.input<typeof Assembly>) => workOf(input).map(({ quantity, unit }) => `${quantity} ${unit}`)

test('work is measured as it is paid: by area, length, square, yard or piece', () => {
  expect(measures({ kind: 'roofing', length: 50, width: 20, rise: 9 })).toEqual(['12.5 square', '1250 ft2'])
  expect(measures({ kind: 'concrete_slab', length: 27, width: 10, thickness: 4 })).toEqual(['270 ft2', '3.333 yd3'])
  expect(measures({ kind: 'framed_wall', length: 20, height: 8 })).toEqual(['20 ft', '160 ft2'])
  expect(measures({ kind: 'paint', wallLength: 50, height: 8, coats: 2 })).toEqual(['400 ft2'])
  expect(measures({ kind: 'insulation', area: 500, rValue: '60' })).toContain('500 ft2')
  expect(measures({ kind: 'pier_footing', count: 6, width: 12, depth: 42 })).toContain('6 each')
})

const seen = (item: string, unit: string, currency = 'USD') => ({
  item,
  name: item,
  trade: 'labor',
  unit,
  currency,
  cost: '100.00',
  supplier: null,
  region: null,
  day: '2026-11-01',
})

test('the unit of the newest price decides; a price by another unit, in another currency or none is said', () => {
  const roof = workOf({ kind: 'roofing', length: 50, width: 20, rise: 9 })
  const found = (...prices: ReturnType<typeof seen>[]) => laborInBook([roof, roof], prices, 'USD')
  expect(found(seen('labor-roofing', 'ft2'), seen('labor-roofing', 'square')).lines).toMatchObject([
    { item: 'labor-roofing', quantity: 1250, unit: 'ft2' },
    { item: 'labor-roofing', quantity: 1250, unit: 'ft2' },
  ])
  expect(found(seen('labor-roofing', 'hour'))).toEqual({
    lines: [],
    without: ['labor: labor-roofing is priced by hour; give it as a line with a quantity'],
  })
  expect(found(seen('labor-roofing', 'square', 'EUR')).without).toEqual(['labor: the price book has no labor-roofing'])
})
