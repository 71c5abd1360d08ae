import { expect, test } from 'vitest'
import { barsOf, lineOf, middlesOf, namesBelow, partsOf, type Series, scaleOf } from './chart-shapes'

const series = (...values: (number | null)[]): Series => ({ name: 'One', tone: 'first', values })

test('a scale begins at zero, ends above the greatest value, and marks round values', () => {
  const { marks, y } = scaleOf([series(1_200, 18_450.75)], { height: 100, room: 0 })
  expect(marks.map(({ value }) => value)).toEqual([0, 5_000, 10_000, 15_000, 20_000])
  expect([y(0), y(10_000), y(20_000)]).toEqual([100, 50, 0])
})

test('counts have whole marks only', () => {
  const valuesOf = (most: number) => scaleOf([series(most)], { whole: true }).marks.map(({ value }) => value)
  expect(valuesOf(5)).toEqual([0, 1, 2, 3, 4, 5])
  expect(valuesOf(13)).toEqual([0, 5, 10, 15])
  expect(valuesOf(2)).toEqual([0, 1, 2])
  expect(valuesOf(1)).toEqual([0, 1])
  expect(valuesOf(0)).toEqual([0, 1])
})

test('what is below zero goes down from the line of zero, and stays within the picture', () => {
  const all = [series(300, 0, -100)]
  const scale = scaleOf(all, { height: 100, room: 0 })
  const [up, down] = barsOf(all, scale)
  expect(up).toMatchObject({ place: 0, y: 0 })
  expect((up?.y ?? 0) + (up?.height ?? 0)).toBe(scale.y(0))
  expect(down).toMatchObject({ place: 2, y: scale.y(0) })
  expect((down?.y ?? 0) + (down?.height ?? 0)).toBeLessThanOrEqual(100)
})

test('bars fill their places, in front of each other or side by side; nothing has no bar, a little has a visible one', () => {
  const all = [series(10, 0, 10_000), { ...series(5, 5, 5), name: 'Two' }]
  const scale = scaleOf(all)
  const over = barsOf(all, scale)
  expect(over.map(({ series: of, place }) => [of, place])).toEqual([
    [0, 0],
    [0, 2],
    [1, 0],
    [1, 1],
    [1, 2],
  ])
  expect(over[0]).toMatchObject({ x: over[2]?.x, height: 1.5 })
  const beside = barsOf(all, scale, { beside: true })
  expect((beside[0]?.x ?? 0) + (beside[0]?.width ?? 0)).toBeLessThan(beside[2]?.x ?? 0)
  for (const { x, width } of beside) expect(x >= 0 && x + width <= 100).toBe(true)
})

test('a bar and the middle of its place are in line', () => {
  const all = [series(1, 2, 3, 4)]
  const middles = barsOf(all, scaleOf(all)).map(({ x, width }) => x + width / 2)
  expect(middles.map((middle) => Math.round(middle * 10) / 10)).toEqual(middlesOf(4, 'bars'))
})

test('a line goes from edge to edge, with a gap where a value is not known', () => {
  const all = [series(0, 10, null, 10)]
  const scale = scaleOf(all, { height: 100, room: 0 })
  expect(lineOf([0, 10, 5], scale)).toBe('M0,100L50,0L100,50')
  expect(lineOf([0, 10, null, 10, 0], scale)).toBe('M0,100L25,0M75,0L100,100')
})

test('names below a picture are even and never more than asked, the last among them; none touches another or leaves the picture', () => {
  const namesOf = (places: number, longest: number, width: number, most: number) =>
    namesBelow(middlesOf(places, 'bars'), { longest, width, most })
  const placesOf = (...asked: Parameters<typeof namesOf>) => namesOf(...asked).map(({ place }) => place)
  expect(placesOf(12, 3, 500, 12)).toEqual(Array.from({ length: 12 }, (_, at) => at))
  expect(placesOf(168, 3, 500, 4)).toEqual([41, 83, 125, 167])
  expect(placesOf(60, 8, 198, 4)).toEqual([3, 31, 59])
  expect(placesOf(0, 0, 198, 4)).toEqual([])
  for (let places = 1; places < 70; places++) {
    const names = namesOf(places, 8, 198, 4)
    const lefts = names.map(({ x, anchor }) => x * 1.98 - { start: 0, middle: 28, end: 56 }[anchor])
    expect(Math.min(...lefts)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...lefts)).toBeLessThanOrEqual(198 - 56)
    for (const [at, left] of lefts.slice(1).entries()) expect(left).toBeGreaterThanOrEqual((lefts[at] ?? 0) + 56)
  }
})

test('of places that may be named, others are not', () => {
  const across = middlesOf(168, 'lines')
  const named = namesBelow(across, { longest: 6, width: 500, most: 12, of: [12, 36, 60, 84, 108, 132, 156] })
  expect(named.map(({ place }) => place)).toEqual([12, 36, 60, 84, 108, 132, 156])
})

test('parts of a whole lie side by side over its width; nothing is left out, a small one is visible', () => {
  expect(partsOf([50, 0, 25, 25])).toEqual([
    { part: 0, x: 0, width: 50 },
    { part: 2, x: 50, width: 25 },
    { part: 3, x: 75, width: 25 },
  ])
  const [small, rest] = partsOf([0.01, 1_000_000])
  expect(small?.width).toBeCloseTo(0.4, 1)
  expect((rest?.x ?? 0) + (rest?.width ?? 0)).toBeCloseTo(100, 5)
  expect(partsOf([0, 0])).toEqual([])
})
