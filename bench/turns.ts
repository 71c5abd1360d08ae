import type { ChildProcess } from 'node:child_process'
import type { Home } from '../e2e/running'
import { type Load, type Measured, measure, median } from './load'

/** A server that is compared with others. */
export type Contestant<Name extends string> = { name: Name; child: ChildProcess; url: string; home: Home }

/** The slices of a warm-up: their length in seconds, the most of them, and how many in a row without a gain end it. */
const WARM_UP = { seconds: 3, most: 12, idle: 2 }

/**
 * Loads a server until a request's processor time falls no more: how long its JIT compiler takes depends on the machine and on how much code there
 * is. A trial with rounds of a second is loaded for one.
 */
export async function warmUp(seconds: number, load: (seconds: number) => Promise<Measured>): Promise<void> {
  if (seconds < 2) return void (await load(seconds))
  let [best, idle] = [Number.POSITIVE_INFINITY, 0]
  for (let slice = 0; slice < WARM_UP.most && idle < WARM_UP.idle; slice++) {
    const { cpuMicroseconds } = await load(WARM_UP.seconds)
    idle = cpuMicroseconds > best * 0.95 ? idle + 1 : 0
    best = Math.min(best, cpuMicroseconds)
  }
}

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
      if (round === 0) {
        await warmUp(seconds, loaded)
        continue
      }
      await loaded(wakeOf(seconds))
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
