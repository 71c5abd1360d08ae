import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Assembly, takeoff } from '@/lib/knowledge/materials/takeoff'

const itemsOf = (slug: string) =>
  new Set(
    readFileSync(join(import.meta.dirname, slug, 'materials.csv'), 'utf8')
      .split(/\r?\n/)
      .map((line) => line.split(',')[0] ?? ''),
  )

const WORK = [
  { kind: 'concrete_slab', length: 20, width: 10, thickness: 4, rebarSpacing: 18, vaporRetarder: true },
  { kind: 'concrete_footing', length: 60, width: 16, depth: 8, bars: 2 },
  { kind: 'gravel_base', length: 20, width: 10, depth: 4, fabric: true },
  { kind: 'drywall', wallLength: 52, height: 8 },
  { kind: 'insulation', area: 500, rValue: '19' },
  { kind: 'paint', wallLength: 52, height: 8, primer: true },
]
const REMODELING = [
  { kind: 'framed_wall', length: 20, height: 8, sheathing: true },
  { kind: 'framed_wall', length: 20, height: 10, lumber: '2x6' },
  { kind: 'roofing', length: 40, width: 30, rise: 6 },
  { kind: 'siding', wallLength: 140, height: 9, openingsPerimeter: 200 },
  { kind: 'deck', length: 16, width: 12 },
  { kind: 'fence', length: 100, height: 6, gates: 1 },
  { kind: 'tile', area: 100, tileLength: 12, tileWidth: 12 },
  { kind: 'flooring', length: 15, width: 12, underlayment: true },
  { kind: 'roofing', length: 40, width: 30, rise: 6, iceBarrier: true, ridgeVent: true, sheathing: true },
  { kind: 'gutters', length: 100, height: 10, corners: 4 },
  { kind: 'fiber_cement_siding', wallLength: 140, height: 9 },
  { kind: 'pier_footing', count: 6, width: 12, depth: 42 },
  { kind: 'stairs', height: 3, width: 4 },
  { kind: 'railing', length: 24 },
]

test.each([
  ['cumberland-roofing', [...WORK, ...REMODELING]],
  ['lakeshore-electric', WORK],
])('the price book of %s has every item of the take-offs of its work', (slug, work) => {
  const items = itemsOf(slug)
  for (const assembly of work)
    for (const { key } of takeoff(Assembly.parse(assembly), 'imperial').lines)
      expect(items, assembly.kind).toContain(key)
})
