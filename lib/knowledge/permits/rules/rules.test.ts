import { expect, test } from 'vitest'
import { CITY_CASES } from '@/lib/testing/permit-cases'
import { STATE_CASES } from '@/lib/testing/permit-cases-states'
import { requirementsOf } from './apply'
import { type Condition, factsOf, truthOf } from './conditions'
import { JurisdictionSchema, type Rule, RuleSchema, StateSchema } from './define'
import { determine, rulesOf } from './determine'
import { FACTS, type FactName, type Facts } from './facts'
import { findRules, JURISDICTIONS, MODEL_RULES, namedPlace, type Place, STATES } from './registry'
import { WORK_TYPE_NAMES, type WorkType } from './work-types'

const CASES = [...CITY_CASES, ...STATE_CASES]
const ALL_RULES: readonly Rule[] = [...MODEL_RULES, ...[...JURISDICTIONS, ...STATES].flatMap(({ rules }) => rules)]
const place = (id: string | null) => (id === null ? undefined : findRules(id))
const PLACES = [undefined, ...JURISDICTIONS, ...STATES]

test('every rule and jurisdiction is of its form, with ids once each', () => {
  for (const rule of ALL_RULES) expect(RuleSchema.safeParse(rule).error, rule.id).toBeUndefined()
  for (const one of JURISDICTIONS) expect(JurisdictionSchema.safeParse(one).error, one.id).toBeUndefined()
  for (const one of STATES) expect(StateSchema.safeParse(one).error, one.id).toBeUndefined()
  expect(new Set(ALL_RULES.map(({ id }) => id)).size).toBe(ALL_RULES.length)
})

test('a condition compares a measure with a number and a yes or no with a yes or no', () => {
  const leaves = (condition: Condition): Condition[] =>
    'fact' in condition ? [condition] : ('all' in condition ? condition.all : condition.any).flatMap(leaves)
  for (const { when, id } of ALL_RULES)
    for (const leaf of when ? leaves(when) : [])
      if ('fact' in leaf) expect('is' in leaf, id).toBe(FACTS[leaf.fact].unit === null)
})

test('each kind of work ends in a model rule that always holds, so every question has an answer', () => {
  for (const work of WORK_TYPE_NAMES) expect(rulesOf(work, undefined).at(-1)?.when, work).toBeUndefined()
})

test.each(CASES)('%s %s %j: decided by %s', (id, work, facts, rule) => {
  const { determination, decidedBy, missing } = determine(work, facts, place(id))
  // A true overlay fact would override “not required”, so a case sets one only where the rule itself uses it.
  expect([decidedBy?.rule, determination, missing]).toEqual([rule, decidedBy?.determination, []])
})

test('the cases have every rule decide once, and every condition and every bound on both sides', () => {
  for (const rule of ALL_RULES) {
    expect(
      CASES.some(([, , , decides]) => decides === rule.id),
      rule.id,
    ).toBe(true)
    if (!rule.when) continue
    const { when } = rule
    const asked = CASES.filter(([id, work]) => rulesOf(work, place(id)).includes(rule))
    const truths = new Set(asked.map(([, , facts]) => truthOf(when, facts)))
    expect([...truths], rule.id).toEqual(expect.arrayContaining(['holds', 'fails']))
    for (const fact of factsOf(when).filter((name) => FACTS[name].unit !== null)) {
      const values = new Set(asked.map(([, , facts]) => facts[fact]).filter((value) => value !== undefined))
      expect(values.size, `${rule.id} ${fact}`).toBeGreaterThanOrEqual(2)
    }
  }
})

/** Values on both sides of every bound in use, and both answers to a yes-or-no fact. */
const VALUES: Record<'number' | 'yes_or_no', (number | boolean)[]> = {
  number: [0, 1, 2, 4, 4.5, 6, 6.5, 7, 7.5, 8, 9, 15, 16, 23, 24, 25, 30, 31, 50, 51, 120, 121, 144, 145, 200, 201],
  yes_or_no: [true, false],
}
const valuesOf = (fact: FactName) => VALUES[FACTS[fact].unit === null ? 'yes_or_no' : 'number']

/** A seeded random number generator (mulberry32), so every run sees the same numbers. */
function numbers(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}

test('what is said while facts are unknown stays said whatever they turn out to be', () => {
  const next = numbers(20261121)
  const faults: unknown[] = []
  let partial = 0
  for (const [where, work] of PLACES.flatMap((where) => WORK_TYPE_NAMES.map((work) => [where, work] as const))) {
    const names = [...new Set(rulesOf(work, where).flatMap(({ when }) => (when ? factsOf(when) : [])))]
    const pick = (name: FactName): [FactName, number | boolean] => [
      name,
      valuesOf(name)[next(valuesOf(name).length)] ?? false,
    ]
    for (let round = 0; round < 150; round++) {
      const known: Facts = Object.fromEntries(names.filter(() => next(2) === 0).map(pick))
      const full: Facts = { ...Object.fromEntries(names.map(pick)), ...known }
      const { fault, isPartial } = growth(work, where, known, full)
      if (fault) faults.push({ where: where?.id, work, known, full, fault })
      if (isPartial) partial++
    }
  }
  expect(faults).toEqual([])
  expect(partial).toBeGreaterThan(1000)
})

/**
 * Compares the answer from some facts with the answer from all facts: what contradicts it, if anything, and whether the partial facts
 * were not enough to decide. It asserts nothing itself: an assertion for each of the many pairs would take longer than the pairs.
 */
function growth(work: WorkType, where: Place | undefined, known: Facts, full: Facts) {
  const before = determine(work, known, where)
  const after = determine(work, full, where)
  const isPartial = before.determination === 'more_facts_needed'
  const districtIsKnown = known.historicDistrict === full.historicDistrict
  const faults = {
    'undecided by all facts': after.determination === 'more_facts_needed' || after.missing.length > 0,
    'decided otherwise': !isPartial && districtIsKnown && after.determination !== before.determination,
    'asks for nothing': isPartial && before.missing.length === 0,
    'asks for what is known': isPartial && before.missing.some(({ fact }) => fact in known),
    'decided by a rule not named': isPartial && !before.couldBe.some(({ rule }) => rule === after.decidedBy?.rule),
  }
  return { isPartial, fault: Object.entries(faults).find(([, holds]) => holds)?.[0] }
}

test('three values: a part that fails settles an all, one that holds an any', () => {
  const [yes, no]: Condition[] = [
    { fact: 'attached', is: true },
    { fact: 'structural', is: true },
  ]
  if (!yes || !no) throw new Error('two conditions')
  expect(truthOf({ all: [yes, no] }, { attached: false })).toBe('fails')
  expect(truthOf({ all: [yes, no] }, { attached: true })).toBe('unknown')
  expect(truthOf({ any: [yes, no] }, { attached: true })).toBe('holds')
  expect(truthOf({ any: [yes, no] }, { attached: false })).toBe('unknown')
})

test('a state binds its cities where its code is the whole state’s, and not where places choose', () => {
  expect(determine('siding', { structural: false }, findRules('us-or-portland')).decidedBy?.rule).toBe('or.siding.any')
  const rules = rulesOf('interior_remodel', findRules('us-tn-springfield')).map(({ id }) => id)
  expect(rules).not.toContain('tn.interior-remodel.any')
})

test('an emergency: the work may begin, and the caveat says by when the application follows', () => {
  const { caveats, determination } = determine('water_heater', { minorPartOnly: false, emergency: true }, undefined)
  expect(determination).toBe('likely_required')
  expect(caveats).toContainEqual(expect.stringContaining('R105.2.1'))
})

test('overlays: a historic district or flood hazard takes “not required” back; unknown, it is a caveat', () => {
  expect(determine('fence', { heightFt: 6 }, undefined)).toMatchObject({
    determination: 'likely_not_required',
    caveats: [expect.stringContaining('historic'), expect.stringContaining('flood')],
  })
  expect(determine('fence', { heightFt: 6, floodZone: true }, undefined).determination).toBe('ask_jurisdiction')
  expect(determine('fence', { heightFt: 6, historicDistrict: false, floodZone: false }, undefined)).toMatchObject({
    determination: 'likely_not_required',
    caveats: [],
  })
})

test('a fence around a pool is left to the office however low it is, and the fact counts as used', () => {
  for (const where of [undefined, 'us-ca', 'us-tn-springfield']) {
    const { requirements, factsNotUsed } = requirementsOf(
      ['fence'],
      { heightFt: 5, poolBarrier: true },
      where === undefined ? undefined : findRules(where),
    )
    expect([where, requirements[0]?.determination, factsNotUsed]).toEqual([where, 'ask_jurisdiction', []])
  }
})

test('a place is found by its id, or by city and state; a city alone is not enough for rules', () => {
  expect(findRules('us-tn-nashville')?.id).toBe('us-tn-nashville')
  expect(findRules(' Portland ', 'or')?.id).toBe('us-or-portland')
  expect(findRules('Portland', 'ME')).toBeUndefined()
  expect(findRules('Eugene', 'or')?.id).toBe('us-or')
  expect(findRules('us-ca-fresno')?.id).toBe('us-ca')
  expect(findRules('California')?.id).toBe('us-ca')
  expect(findRules('', 'TX')?.id).toBe('us-tx')
  expect(findRules('Brooklyn, NY')).toBeUndefined()
  expect(findRules('Portland')).toBeUndefined()
})

test.each([
  ['nashville tn', 'us-tn-nashville'],
  ['Nashville, Tennessee', 'us-tn-nashville'],
  ['Nashville, TN 37206', 'us-tn-nashville'],
  ['NASHVILLE TENNESSEE', 'us-tn-nashville'],
  ['Metro Nashville, TN', 'us-tn-nashville'],
  ['City of Nashville, TN', 'us-tn-nashville'],
  ['Davidson County, TN', 'us-tn-nashville'],
  ['Nashville-Davidson County, TN', 'us-tn-nashville'],
  ['Nashville–Davidson tn', 'us-tn-nashville'],
  ['portland oregon', 'us-or-portland'],
  ['Davidson County, NC', undefined],
  ['Nashville, IN', undefined],
  ['West Virginia', undefined],
  ['New York', undefined],
  ['fresno ca', 'us-ca'],
])('%s is the place %s', (name, id) => {
  expect(findRules(name)?.id).toBe(id)
})

test('a place named without its state is taken where one is meant, and told; else asked back', () => {
  expect(namedPlace('Nashville')).toMatchObject({
    place: { id: 'us-tn-nashville' },
    assumed: expect.stringContaining('Nashville was taken for Nashville–Davidson County, Tennessee'),
  })
  expect(namedPlace('nashville', 'TN')).toMatchObject({ place: { id: 'us-tn-nashville' }, assumed: undefined })
  expect(namedPlace('Nashville', 'IN')).toEqual({ place: undefined, assumed: undefined })
  expect(namedPlace(undefined)).toEqual({ place: undefined, assumed: undefined })
  expect(() => namedPlace('Portland')).toThrow(/Which state is Portland in\?.*rules of Portland, Oregon/)
  for (const name of ['Fresno', 'Washington', 'New York'])
    expect(() => namedPlace(name)).toThrow(`Which state is ${name} in?`)
  expect(namedPlace('us-zz-atlantis')).toEqual({ place: undefined, assumed: undefined })
})

test('a city called like a state is not that state', () => {
  expect(findRules('Washington', 'DC')).toBeUndefined()
  expect(findRules('Washington, DC')).toBeUndefined()
  expect(findRules('Oregon', 'OH')).toBeUndefined()
  expect(findRules('California', 'MD')).toBeUndefined()
  expect(findRules('New York', 'NY')).toBeUndefined()
  expect(findRules('New York')).toBeUndefined()
  expect(findRules('Washington')).toBeUndefined()
  expect(findRules('California', 'ca')?.id).toBe('us-ca')
  expect(findRules('us-wa', 'TN')?.id).toBe('us-wa')
})

test('a state within the name or id counts before the state beside it', () => {
  expect(findRules('us-ca-fresno', 'TN')?.id).toBe('us-ca')
  expect(findRules('Brooklyn, NY', 'TN')).toBeUndefined()
})
