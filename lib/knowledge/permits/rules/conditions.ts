import * as z from 'zod'
import { FACT_NAMES, type FactName, type Facts } from './facts'

/** The condition under which a rule applies. `atMost` includes its bound; `moreThan` and `lessThan` exclude it. */
export type Condition =
  | { fact: FactName; is: boolean }
  | { fact: FactName; atMost: number }
  | { fact: FactName; moreThan: number }
  | { fact: FactName; lessThan: number }
  | { all: Condition[] }
  | { any: Condition[] }

// Builders, in the words of the rules.
export const is = (fact: FactName): Condition => ({ fact, is: true })
export const isNot = (fact: FactName): Condition => ({ fact, is: false })
export const atMost = (fact: FactName, bound: number): Condition => ({ fact, atMost: bound })
export const moreThan = (fact: FactName, bound: number): Condition => ({ fact, moreThan: bound })
export const lessThan = (fact: FactName, bound: number): Condition => ({ fact, lessThan: bound })
export const all = (...parts: Condition[]): Condition => ({ all: parts })
export const any = (...parts: Condition[]): Condition => ({ any: parts })

const Name = z.enum(FACT_NAMES)

/** Validates a condition in the rule data. */
export const ConditionSchema: z.ZodType<Condition> = z.lazy(() =>
  z.union([
    z.strictObject({ fact: Name, is: z.boolean() }),
    z.strictObject({ fact: Name, atMost: z.number() }),
    z.strictObject({ fact: Name, moreThan: z.number() }),
    z.strictObject({ fact: Name, lessThan: z.number() }),
    z.strictObject({ all: z.array(ConditionSchema).min(1) }),
    z.strictObject({ any: z.array(ConditionSchema).min(1) }),
  ]),
)

export type Truth = 'holds' | 'fails' | 'unknown'

/**
 * Returns a condition's truth in Kleene's three-valued logic: one part that fails decides an `all`, one part that holds decides an `any`;
 * otherwise an unknown part makes the result unknown.
 */
export function truthOf(condition: Condition, facts: Facts): Truth {
  if ('all' in condition) {
    const parts = condition.all.map((part) => truthOf(part, facts))
    if (parts.includes('fails')) return 'fails'
    return parts.includes('unknown') ? 'unknown' : 'holds'
  }
  if ('any' in condition) {
    const parts = condition.any.map((part) => truthOf(part, facts))
    if (parts.includes('holds')) return 'holds'
    return parts.includes('unknown') ? 'unknown' : 'fails'
  }
  const value = facts[condition.fact]
  if (value === undefined) return 'unknown'
  return compares(condition, value) ? 'holds' : 'fails'
}

function compares(
  condition: Exclude<Condition, { all: unknown } | { any: unknown }>,
  value: number | boolean,
): boolean {
  if ('is' in condition) return value === condition.is
  const number = Number(value)
  if ('atMost' in condition) return number <= condition.atMost
  return 'moreThan' in condition ? number > condition.moreThan : number < condition.lessThan
}

/** Returns the facts that keep a condition unknown: those in its undecided parts. */
export function openFacts(condition: Condition, facts: Facts): FactName[] {
  if (truthOf(condition, facts) !== 'unknown') return []
  if ('fact' in condition) return [condition.fact]
  return ('all' in condition ? condition.all : condition.any).flatMap((part) => openFacts(part, facts))
}

/** Returns every fact that a condition uses. */
export function factsOf(condition: Condition): FactName[] {
  if ('fact' in condition) return [condition.fact]
  return ('all' in condition ? condition.all : condition.any).flatMap(factsOf)
}
