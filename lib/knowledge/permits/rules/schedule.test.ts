import { expect, test } from 'vitest'
import { requirementsOf } from './apply'
import { checklistFor } from './checklist'
import { findRules } from './registry'
import { daysBetween, scheduleRisk } from './schedule'

const NASHVILLE = findRules('us-tn-nashville')
const required = requirementsOf(['addition'], {}, undefined).requirements
const open = requirementsOf(['fence'], {}, undefined).requirements
const exempt = requirementsOf(['fence'], { heightFt: 6 }, undefined).requirements
const asked = requirementsOf(['window_door'], { openingChanged: false, structural: false }, undefined).requirements
const TIMELINE = { p10: 4, p50: 20, p90: 45 }

const risk = (
  startDate: string | null,
  requirements = required,
  timelines: Parameters<typeof scheduleRisk>[3] = [TIMELINE],
) => scheduleRisk(requirements, startDate, '2026-11-20', timelines)

test('days between are whole days, over the end of summer time and a leap day', () => {
  expect(daysBetween('2026-11-20', '2026-12-14')).toBe(24)
  expect(daysBetween('2026-10-30', '2026-11-02')).toBe(3)
  expect(daysBetween('2028-02-28', '2028-03-01')).toBe(2)
  expect(daysBetween('2026-11-20', '2026-11-19')).toBe(-1)
})

test('days to the start against p50 and p90, on both sides of each', () => {
  // From 2026-11-20, 20 days end on 2026-12-10 and 45 days on 2027-01-04.
  expect(risk('2027-01-04')).toMatchObject({ risk: 'low', daysToStart: 45, p50: 20, p90: 45 })
  expect(risk('2027-01-03')).toMatchObject({ risk: 'medium', daysToStart: 44 })
  expect(risk('2026-12-10')).toMatchObject({ risk: 'medium', daysToStart: 20 })
  expect(risk('2026-12-09')).toMatchObject({ risk: 'high', daysToStart: 19 })
  expect(risk('2026-11-19')).toMatchObject({ risk: 'started', daysToStart: -1 })
})

test('without what it takes to judge, it says so; without a permit there is no risk', () => {
  expect(risk(null)).toMatchObject({
    risk: 'unknown',
    reason: expect.stringContaining('start date'),
    daysToStart: null,
  })
  expect(risk('2027-01-04', required, [null])).toMatchObject({ risk: 'unknown', p50: null, p90: null })
  expect(risk('2027-01-04', required, [])).toMatchObject({
    risk: 'unknown',
    reason: expect.stringContaining('history'),
  })
  expect(risk('2027-01-04', open)).toMatchObject({ risk: 'unknown', reason: expect.stringContaining('missing') })
  expect(risk('2027-01-04', asked)).toMatchObject({ risk: 'unknown', reason: expect.stringContaining('jurisdiction') })
  expect(risk('2027-01-04', [])).toMatchObject({ risk: 'unknown' })
  expect(risk('2026-11-21', exempt)).toMatchObject({ risk: 'none' })
})

test('where p90 is not known there is no low risk, and no number stands for it', () => {
  const few = risk('2027-06-01', required, [{ ...TIMELINE, p90: null }])
  expect(few).toMatchObject({ risk: 'medium', p50: 20, p90: null, reason: expect.stringContaining('not known') })
  expect(few.from.map(({ number }) => number)).toEqual(['startDate', 'daysToStart', 'p50'])
})

test('the slowest permit type counts, and every number says where it comes from', () => {
  const answer = risk('2026-12-30', required, [TIMELINE, { p10: 1, p50: 2, p90: 90 }])
  expect(answer).toMatchObject({ p50: 2, p90: 90, risk: 'medium' })
  expect(answer.from.map(({ number }) => number)).toEqual(['startDate', 'daysToStart', 'p50', 'p90'])
  expect(risk(null, required, [null]).from).toEqual([])
  // 15 days are more than half of the first kind took, and less than half of the second, whose slowest tenth is not known.
  const unlike = [
    { p10: 4, p50: 10, p90: 45 },
    { p10: null, p50: 30, p90: null },
  ]
  expect(risk('2026-12-05', required, unlike)).toMatchObject({ risk: 'high', p50: 30, p90: null })
})

test('a measure that could be of two kinds of work is not used, and neither is one nobody asks for', () => {
  const { requirements, factsNotUsed } = requirementsOf(
    ['fence', 'retaining_wall'],
    { heightFt: 3, volts: 12, structural: true },
    undefined,
  )
  expect(requirements.map(({ determination }) => determination)).toEqual(['more_facts_needed', 'more_facts_needed'])
  expect(factsNotUsed).toEqual([
    { fact: 'structural', because: 'No rule of these kinds of work asks for it.' },
    { fact: 'heightFt', because: 'It could be of fence or retaining_wall. Ask for one kind of work at a time.' },
    { fact: 'volts', because: 'No rule of these kinds of work asks for it.' },
  ])
})

test('the checklist: papers, inspections and who applies, with sources; flood elevations unless it is said there is no flood', () => {
  const lines = (facts = {}) => checklistFor(['addition'], facts, NASHVILLE).map(({ text }) => text)
  expect(lines()).toEqual(
    expect.arrayContaining([expect.stringMatching(/Site plan/), expect.stringMatching(/Footings/)]),
  )
  expect(lines()).toEqual(
    expect.arrayContaining([expect.stringMatching(/ePermits/), expect.stringMatching(/flood hazard/)]),
  )
  expect(lines({ floodZone: false })).not.toEqual(expect.arrayContaining([expect.stringMatching(/flood hazard/)]))
  const [first] = checklistFor(['circuits'], {}, undefined).filter(({ kind }) => kind === 'inspection')
  expect(first).toMatchObject({
    section: 'R109.1.2',
    for: ['circuits'],
    source: { link: expect.stringMatching(/^https/) },
  })
  expect(checklistFor(['circuits'], {}, undefined).at(-1)).toMatchObject({ kind: 'who_applies', section: 'R105.1' })
  expect(checklistFor([], {}, NASHVILLE)).toEqual([])
})
