import type { Filter, Sort } from '@/db/queries/list-types'
import { type FilterDefinition, kindOf, type Resource } from '@/lib/resources/define'

/** Returns the filters that are given, with their values; several of which only one is given are an equality. */
export const filtersInForce = (filters: [string, FilterDefinition][], given: Record<string, unknown>): Filter[] =>
  filters.flatMap(([name, { column, operator, and }]): Filter[] => {
    const value = given[name]
    if (typeof value !== 'string') return []
    const one = operator === 'in' && !value.includes(',') ? '=' : operator
    return [{ column: column.name, operator: one, value, ...(and === undefined ? {} : { and }) }]
  })

/** The orders a list can be asked for: each from the least up, and with `-` from the greatest or latest down. */
export const sortNames = ({ sorts }: Resource): string[] => Object.keys(sorts).flatMap((name) => [name, `-${name}`])

const TYPES = { number: 'numeric', instant: 'timestamptz', text: 'date' } as const

/** Returns the order of a name of {@link sortNames}; undefined for the usual order. */
export function sortOf({ sorts }: Resource, name: unknown): Sort | undefined {
  if (typeof name !== 'string') return undefined
  const column = sorts[name.replace('-', '')]
  return column && { column: column.name, type: TYPES[kindOf(column)], down: name.startsWith('-') }
}
