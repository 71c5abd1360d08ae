import { appendFileSync } from 'node:fs'
import type { Driver } from '../e2e/running'

/** The goal of a figure. */
export type Goal = { atLeast: number } | { atMost: number }

/** A measured figure. Without a unit it is a ratio. */
export type Figure = { what: string; value: number; unit?: string; goal?: Goal }

/**
 * Keeps a figure for the report, as a line of JSON in the file that `BENCH_FIGURES` names. A bench that runs alone only prints its
 * figures.
 */
export function note(what: string, value: number, { unit, goal }: Pick<Figure, 'unit' | 'goal'> = {}): void {
  const file = process.env.BENCH_FIGURES
  if (file)
    appendFileSync(file, `${JSON.stringify({ what, value, unit, goal } satisfies Record<keyof Figure, unknown>)}\n`)
}

/** Reports whether a figure reaches a goal. A figure that is not a number, because nothing was measured, does not. */
export const isReached = (goal: Goal, value: number): boolean =>
  'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost

/** Returns the name of a driver's database in reports. */
export const databaseOf = (driver: Driver): string => (driver === 'pglite' ? 'PGlite' : 'Postgres')

/** Returns both kinds of database, or the one that a bench's arguments name. */
export const driversOf = (args: string[]): ('pg' | 'pglite')[] => {
  const drivers = ['pg', 'pglite'] as const
  const named = drivers.filter((driver) => args.includes(driver))
  return named.length > 0 ? named : [...drivers]
}

/** Returns the number behind an option of a bench's arguments, or another one when the option is not there. */
export function optionOf(args: string[], name: string, otherwise: number): number {
  const at = args.indexOf(name)
  const value = at < 0 ? otherwise : Number(args[at + 1])
  if (!(value >= 0)) throw new Error(`${name} wants a number`)
  return value
}
