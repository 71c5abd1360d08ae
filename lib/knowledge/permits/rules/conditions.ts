import { z } from 'zod'
import { FACT_NAMES, type FactName, type Facts } from './facts'

/** When a rule holds. Bounds say whether they are in: `atMost` and `atLeast` are, `moreThan` and `lessThan` are not. */
export type Condition =
  | { fact: FactName; is: boolean }
  | { fact: FactName; atMost: number }
  | { fact: FactName; moreThan: number }
  | { fact: FactName; lessThan: number }
  | { all: Condition[] }
  | { any: Condition[] }

const Name = z.enum(FACT_NAMES)

/** The form of a condition in the data. */
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

/** Three-valued after Kleene: one part that fails settles an `all`, one that holds an `any`; else what is unknown stays so. */
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

/** The facts that keep a condition unknown: those of its parts that nothing has settled. */
export function openFacts(condition: Condition, facts: Facts): FactName[] {
  if (truthOf(condition, facts) !== 'unknown') return []
  if ('fact' in condition) return [condition.fact]
  return ('all' in condition ? condition.all : condition.any).flatMap((part) => openFacts(part, facts))
}

/** Every fact a condition speaks of. */
export function factsOf(condition: Condition): FactName[] {
  if ('fact' in condition) return [condition.fact]
  return ('all' in condition ? condition.all : condition.any).flatMap(factsOf)
}
