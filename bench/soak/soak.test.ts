import { expect, test } from 'vitest'
import { picture, roundUp } from './picture'
import { percentile, type Sample, sample, whatGrew } from './samples'

const series = (memoryMb: (i: number) => number, descriptors = (_: number) => 40): Sample[] =>
  Array.from({ length: 120 }, (_, i) => ({
    at: i * 30,
    memoryMb: memoryMb(i),
    descriptors: descriptors(i),
    latencies: { 'data API': { median: 4, p95: 9 + (i % 3) }, 'a <kind>': { median: 1, p95: Number.NaN } },
  }))

test('what grows for an hour is told; what warms up and stays is not, nor a soak too short to tell', () => {
  expect(whatGrew(series((i) => 300 + i))).toEqual([expect.stringMatching(/^Memory grew from \d+ to \d+ MB\.$/)])
  expect(whatGrew(series((i) => (i < 20 ? 200 + 10 * i : 400)))).toEqual([])
  expect(
    whatGrew(
      series(
        () => 300,
        (i) => 40 + i,
      ),
    ),
  ).toEqual([expect.stringContaining('Descriptors grew')])
  expect(whatGrew(series((i) => 300 + 10 * i).slice(0, 10))).toEqual([])
})

test('the picture has a line for each figure and each kind of work, within its frame, its words escaped', () => {
  const svg = picture(
    'An hour',
    series((i) => 300 + i),
  )
  expect(svg.match(/<polyline/g)).toHaveLength(6)
  expect(svg).toContain('a &#60;kind&#62;')
  expect(svg).not.toContain('NaN')
  const height = Number(/viewBox="0 0 960 (\d+)"/.exec(svg)?.[1])
  for (const [, x, y] of svg.matchAll(/([\d.]+),([\d.]+)(?=[ "])/g)) {
    expect(Number(x)).toBeLessThanOrEqual(960)
    expect(Number(y)).toBeLessThanOrEqual(height)
  }
})

test('a sample tells of a living process; percentiles and round figures', () => {
  const one = sample(process.pid, 5, new Map([['data API', [3, 1, 2]]]))
  expect(one).toMatchObject({ at: 5, latencies: { 'data API': { median: 2, p95: 3 } } })
  expect(one.memoryMb).toBeGreaterThan(10)
  expect(percentile([], 0.5)).toBeNaN()
  expect([0, 0.3, 7, 41, 500, 501].map(roundUp)).toEqual([1, 0.5, 10, 50, 500, 1000])
})
