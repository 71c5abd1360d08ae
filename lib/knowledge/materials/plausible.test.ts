import { expect, test } from 'vitest'
import type * as z from 'zod'
import { ServiceError } from '@/lib/core/errors'
import { inSystem } from './measures'
import { TakeoffInput, takeoffs } from './takeoff'

type Asked = z.input<typeof TakeoffInput>
const ask = (assembly: Asked['assemblies'][number], more: Partial<Asked> = {}) =>
  takeoffs(TakeoffInput.parse({ assemblies: [assembly], ...more }))

function questionsOf(assembly: Asked['assemblies'][number], more: Partial<Asked> = {}) {
  try {
    ask(assembly, more)
  } catch (error) {
    if (error instanceof ServiceError) return error.fields ?? []
    throw error
  }
  return []
}

const SLAB = { kind: 'concrete_slab', length: 20, width: 10, thickness: 4 } as const
const TILE = { kind: 'tile', area: 100, tileLength: 12, tileWidth: 12 } as const

test.each([
  [
    { ...SLAB, thickness: 100 },
    'thickness',
    /100 in was given; 3.5 to 14 in is usual.*IRC R506.1.*100 mm would be usual/,
  ],
  [{ ...SLAB, rebarSpacing: 0.01 }, 'rebarSpacing', /0.01 in was given.*ACI 318/],
  [{ ...TILE, joint: 10 }, 'joint', /10 in was given; 0.0625 to 0.75 in is usual.*10 mm would be usual/],
  [{ kind: 'framed_wall', length: 20, height: 0.2 }, 'height', /2 to 20 ft is usual.*R602.3\(5\)/],
  [{ kind: 'fence', length: 100, height: 6, postSpacing: 96 }, 'postSpacing', /96 ft was given/],
  [{ kind: 'paint', wallLength: 56, height: 8, coats: 5, wastePercent: 45 }, 'wastePercent', /up to 30/],
] as const)('%j is a question, not an order', (assembly, field, question) => {
  const [asked, ...others] = questionsOf(assembly)
  expect([asked?.field, others]).toEqual([`assemblies.0.${field}`, []])
  expect(asked?.message).toMatch(question)
})

test('metric values are held to the same ranges: a slab 4 mm thick is one in inches', () => {
  const [asked] = questionsOf({ ...SLAB, thickness: 4 }, { units: 'metric' })
  expect(asked?.message).toMatch(/4 mm was given; 88.9 to 356 mm is usual.*4 in would be usual/)
  expect(questionsOf({ ...SLAB, length: 6, width: 3, thickness: 100 }, { units: 'metric' })).toEqual([])
})

test('sizes of one system are in range in the other: studs 610 mm apart', () => {
  expect(questionsOf({ kind: 'framed_wall', length: 6, height: 2.4, spacing: 610 }, { units: 'metric' })).toEqual([])
})

test('a confirmed value is calculated; one that only a wrong unit explains is asked again', () => {
  const thick = { ...SLAB, thickness: 18 }
  expect(questionsOf(thick)[0]?.message).toContain('name this field in confirmed')
  const [slab] = ask(thick, { confirmed: ['assemblies.0.thickness'] })
  expect(slab?.lines[0]?.netQuantity).toBe(11.111)
  expect(questionsOf({ ...SLAB, thickness: 100 }, { confirmed: ['assemblies.0.thickness'] })).toHaveLength(1)
})

test.each([
  ['18 in apart', '457 mm apart'],
  ['3.5 to 14 in thick', '88.9 to 356 mm thick'],
  ['joints are 1/16 to 3/4 in wide', 'joints are 1.59 to 19 mm wide'],
  ['risers of 7-3/4 in', 'risers of 197 mm'],
  ['rises at most 12 ft 7 in between', 'rises at most 3.84 m between'],
  ['at most 2,000 ft, a part 10,000 ft2', 'at most 610 m, a part 929 m2'],
  ['a guard 36 in (915 mm) high', 'a guard 915 mm high'],
  ['counted in whole pieces, table 2, in 3 steps', 'counted in whole pieces, table 2, in 3 steps'],
])('%s is %s in metric', (imperial, metric) => {
  expect(inSystem(imperial, 'metric')).toBe(metric)
  expect(inSystem(imperial, 'imperial')).toBe(imperial.replace(' (915 mm)', ''))
})

test('every doubtful value of every assembly is asked at once', () => {
  const asked = {
    assemblies: [
      { ...SLAB, thickness: 100, width: 4_000 },
      { ...TILE, joint: 10 },
    ],
  }
  expect(() => takeoffs(TakeoffInput.parse(asked))).toThrow(
    /assemblies\.0\.width.*assemblies\.0\.thickness.*assemblies\.1\.joint/,
  )
})

test('shingles below 2:12 are refused; from 2:12 to below 4:12 the underlayment lies double', () => {
  const roof = (rise: number) => ({ kind: 'roofing', length: 50, width: 20, rise }) as const
  for (const rise of [0, 1.9]) expect(() => ask(roof(rise), { confirmed: ['assemblies.0.rise'] })).toThrow(/R905\.2\.2/)
  const underlayment = (rise: number) => {
    const [takeoff] = ask(roof(rise))
    const squares = takeoff?.lines.find(({ key }) => key.startsWith('shingle'))?.netQuantity ?? Number.NaN
    return (takeoff?.lines.find(({ key }) => key.startsWith('underlayment'))?.netQuantity ?? Number.NaN) / squares
  }
  expect([2, 3.9, 4, 12].map((rise) => Math.round(underlayment(rise) * 1_000) / 1_000)).toEqual([2, 2, 1, 1])
})
