import { expect, test } from 'vitest'
import type { WorkType } from '@/lib/knowledge/permits/rules/work-types'
import { type Half, readLabels } from './labels'
import { reportOf } from './main'
import { labelOf } from './nashville'
import { scoreOne, totalsOf } from './score'

const labels = readLabels()

test('the set: at least 300 descriptions, each once, every kind of work, half of them for testing', () => {
  expect(new Set(labels.map(({ description }) => description)).size).toBe(labels.length)
  const of = (half: Half) => labels.filter((one) => one.half === half).length
  expect(of('test') + of('fresh')).toBeGreaterThanOrEqual(300)
  expect(of('dev')).toBeGreaterThanOrEqual(300)
  expect(labels.filter(({ must }) => must.length === 0).length).toBeGreaterThan(30)
})

test('kinds of work are recognized as well as when the scores in the documentation were taken', () => {
  const isTuned = ({ half }: { half: Half }) => half === 'dev'
  for (const group of [labels.filter(isTuned), labels.filter((one) => !isTuned(one))]) {
    const { n, right, wrong } = totalsOf(group.map(scoreOne))
    expect(right / n).toBeGreaterThanOrEqual(0.95)
    expect(wrong / n).toBeLessThanOrEqual(0.01)
  }
})

test('a verdict: strange work is wrong, too little is missed, what may be found is no fault', () => {
  const of = (description: string, must: WorkType[], may: WorkType[] = []) =>
    scoreOne({ description, must, may, half: 'dev' }).verdict
  expect(of('new fence', ['fence'])).toBe('right')
  expect(of('new fence', ['siding'])).toBe('wrong')
  expect(of('something', ['fence'])).toBe('missed')
  expect(of('something', [])).toBe('right')
  expect(of('new pool and hot tub', ['pool'], ['hot_tub'])).toBe('right')
})

test('the report has both halves and no description of the set', () => {
  const report = reportOf(labels.map(scoreOne))
  expect(report).toMatch(/\| dev \| \d+ \|/)
  expect(report).toMatch(/\| test \| \d+ \|/)
  for (const { description } of labels.filter(({ half }) => half === 'test').slice(0, 20))
    expect(report).not.toContain(`| ${description} |`)
})

test('Nashville’s types stand for kinds of work; types that tell none are left out', () => {
  expect(labelOf('Building Demolition Permit', 'Demolition Permit - Residential')?.any).toEqual(['demolition'])
  expect(labelOf('Building Residential - New', 'Single Family Residence')?.any).toEqual(['new_dwelling'])
  expect(labelOf('Building Sign Permit', 'Sign - Ground /  Wall Signs')).toBeUndefined()
})
