import { expect, test } from 'vitest'
import { monthsBefore, stepsFor } from './widen'

test('monthsBefore: the same day, or the last of a shorter month', () => {
  expect(monthsBefore('2026-11-20', 24)).toBe('2024-11-20')
  expect(monthsBefore('2026-03-31', 1)).toBe('2026-02-28')
  expect(monthsBefore('2024-03-31', 1)).toBe('2024-02-29')
  expect(monthsBefore('2026-01-15', 1)).toBe('2025-12-15')
})

test('stepsFor: valuation, window, work class, all of the history, words, permit type; the property class stays', () => {
  const input = {
    jurisdiction: 'us-xx-a',
    permitType: 'Roof',
    permitTypes: ['Roof'],
    permitClass: 'Residential',
    workClass: 'New',
    text: 'deck',
    valuation: { max: 5000 },
  }
  const steps = stepsFor(input, '2026-11-20')
  expect(steps.map(({ words, from }) => [words, from])).toEqual([
    ['as asked, the 24 months to 2026-11-20', '2024-11-20'],
    ['valuation left out', '2024-11-20'],
    ['60 months instead of 24', '2021-11-20'],
    ['work class left out', '2021-11-20'],
    ['all of the loaded history', null],
    ['words of the description left out', null],
    ['permit type left out: permits of every type', null],
  ])
  expect(steps.map(({ filter }) => filter.permitClass)).toEqual(Array(7).fill('Residential'))
  expect(steps[0]?.filter).toMatchObject({ workClass: 'New', leastCost: null, mostCost: '5000' })
  expect(steps[5]?.filter).toMatchObject({ permitTypes: ['Roof'], text: null })
  expect(steps[6]?.filter).toMatchObject({
    permitTypes: null,
    workClass: null,
    text: null,
    leastCost: null,
    mostCost: null,
  })
})

test('stepsFor: what was not asked is no step', () => {
  expect(stepsFor({ jurisdiction: 'us-xx-a' }, '2026-11-20').map(({ words }) => words)).toEqual([
    'as asked, the 24 months to 2026-11-20',
    '60 months instead of 24',
    'all of the loaded history',
  ])
})
