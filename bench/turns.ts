import type { ChildProcess } from 'node:child_process'
import type { Home } from '../e2e/running'
import { type Load, type Measured, measure, median } from './load'

/** A server that is compared with others. */
export type Contestant<Name extends string> = { name: Name; child: ChildProcess; url: string; home: Home }

/** In seconds. Long enough for the JIT compiler to finish. */
const WARM_UP_SECONDS = 10

/** Prints the measurements and the ratios of their medians. */
function table<Name extends string>(measured: Map<Name, Measured[]>) {
  const of = (name: Name, figure: keyof Measured) => (measured.get(name) ?? []).map((one) => one[figure])
  const shown = (name: Name, figure: keyof Measured, width: number) =>
    median(of(name, figure)).toFixed(0).padStart(width)
  return {
    line: (name: Name) =>
      `${name.padEnd(10)} ${shown(name, 'perSecond', 6)} requests/s  ${shown(name, 'cpuMicroseconds', 5)} µs CPU`,
    ratio(name: Name, other: Name) {
      const others = of(other, 'perSecond')
      return median(of(name, 'perSecond').map((value, i) => value / (others[i] ?? Number.NaN))).toFixed(2)
    },
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
      const load = { ...loadOf(contestant), seconds: round === 0 ? WARM_UP_SECONDS : seconds }
      const one = await measure(contestant.child.pid ?? 0, load)
      if (round > 0) measured.set(contestant.name, [...(measured.get(contestant.name) ?? []), one])
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
