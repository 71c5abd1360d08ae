import type { ChildProcess } from 'node:child_process'
import type { Home } from '../e2e/running'
import { type Load, type Measured, measure, median } from './load'

/** A server that is compared with others. */
export type Contestant<Name extends string> = { name: Name; child: ChildProcess; url: string; home: Home }

/** Returns a warm-up long enough for the JIT compiler to finish, except for a trial with rounds of a second. */
export const warmUpOf = (seconds: number): number => (seconds < 2 ? seconds : 10)

/**
 * The load before each later round, which is not counted: while others have their turn, the system takes memory and caches from a server that
 * stands idle, and more of it the more others there are.
 */
const wakeOf = (seconds: number): number => Math.min(seconds, 2)

/** Prints the measurements and the ratios of their medians. */
function table<Name extends string>(measured: Map<Name, Measured[]>) {
  const of = (name: Name, figure: keyof Measured) => (measured.get(name) ?? []).map((one) => one[figure])
  const shown = (name: Name, figure: keyof Measured, width: number) =>
    median(of(name, figure)).toFixed(0).padStart(width)
  return {
    line: (name: Name) =>
      `${name.padEnd(10)} ${shown(name, 'perSecond', 6)} requests/s  ${shown(name, 'cpuMicroseconds', 5)} µs CPU`,
    /** Requests/s of one as a ratio to another's in the same round. */
    ratio(name: Name, other: Name): number {
      const others = of(other, 'perSecond')
      return median(of(name, 'perSecond').map((value, i) => value / (others[i] ?? Number.NaN)))
    },
    /** Returns the processor time for a request, in microseconds. */
    cpu: (name: Name): number => median(of(name, 'cpuMicroseconds')),
  }
}

/**
 * Loads the servers in turn, so that a machine that slows down affects all of them. The first round warms up and is not counted.
 */
export async function takeTurns<Name extends string, One extends Contestant<Name>>(
  contestants: (One & { name: Name })[],
  rounds: number,
  seconds: number,
  loadOf: (contestant: One) => Omit<Load, 'seconds'>,
) {
  const measured = new Map<Name, Measured[]>()
  for (let round = 0; round <= rounds; round++) {
    for (const contestant of contestants) {
      const loaded = (seconds: number) => measure(contestant.child.pid ?? 0, { ...loadOf(contestant), seconds })
      await loaded(round === 0 ? warmUpOf(seconds) : wakeOf(seconds))
      if (round === 0) continue
      const one = await loaded(seconds)
      measured.set(contestant.name, [...(measured.get(contestant.name) ?? []), one])
    }
  }
  return table(measured)
}

/** Stops the servers and removes their data, including the data they were copied from. */
export async function stopAll(contestants: Contestant<string>[], source: Home): Promise<void> {
  for (const { child, home } of contestants) {
    child.kill('SIGKILL')
    if (home !== source) await home.remove()
  }
  await source.remove()
}
