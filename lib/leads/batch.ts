import { setImmediate } from 'node:timers/promises'

type Waiting<I, O> = { item: I; done(result: O): void; fail(error: unknown): void }

/** Besides what waits: how many groups and items are being written, and how many items there were lately, written and waiting. */
type Lane<I, O> = { waiting: Waiting<I, O>[]; writers: number; writing: number; load: number }

function settle<I, O>(group: Waiting<I, O>[], results: O[]): void {
  for (const [i, { done, fail }] of group.entries()) {
    const result = results[i]
    if (result === undefined) fail(new Error('no result'))
    else done(result)
  }
}

function failAll<I, O>(group: Waiting<I, O>[], error: unknown): void {
  for (const { fail } of group) fail(error)
}

/** The number of writers: one group is written while the next one gathers, so the database and the process both have work. */
const WRITERS = 2

/** A group has a cost of its own: fewer items than this are not divided. */
const LEAST = 8

/** The share of a lane's load that is left after each group, so that it falls when fewer arrive. */
const FADING = 0.95

/**
 * Returns how many items a group takes. Half of all, so that the writers' groups are of one size: beside a group of nearly all the database
 * would have nothing to write while their answers go out.
 */
const shareOf = <I, O>({ load }: Lane<I, O>): number => Math.max(LEAST, Math.ceil(load / WRITERS))

/**
 * Reports whether a lane's waiting items should be written now. A second group would only wait for the first one's lock, so it gathers its
 * share here.
 */
const isDue = <I, O>(lane: Lane<I, O>): boolean =>
  lane.waiting.length > 0 && (lane.writers === 0 || (lane.writers < WRITERS && lane.waiting.length >= shareOf(lane)))

/**
 * Groups items that arrive for a key while earlier ones are being written: under load many share one commit, and a single one never
 * waits. A burst for one contractor takes at most two connections, whatever its size.
 * @param write returns one result per item, in their order
 * @param isOwnFault whether one item caused the error, so that the others should be tried without it
 * @param most how many of some items, from the first on, may be written together; at least one
 */
export function batched<I, O>(
  write: (key: string, items: I[]) => Promise<O[]>,
  isOwnFault: (error: unknown) => boolean,
  most: (items: I[]) => number,
): (key: string, item: I) => Promise<O> {
  const lanes = new Map<string, Lane<I, O>>()

  /** Writes a group and settles its items; throws what `write` throws. */
  async function writeAll(key: string, group: Waiting<I, O>[]): Promise<void> {
    const items = group.map(({ item }) => item)
    settle(group, await write(key, items))
  }

  async function writeGroup(key: string, lane: Lane<I, O>, group: Waiting<I, O>[]): Promise<void> {
    try {
      await writeAll(key, group)
    } catch (error) {
      if (!isOwnFault(error)) {
        // The database takes nothing, so everyone who waits fails now instead of one group after another.
        failAll([...group, ...lane.waiting.splice(0)], error)
      } else if (group.length === 1) failAll(group, error)
      // One item is at fault and must not fail the others, so each is written by itself.
      else for (const one of group) await writeAll(key, [one]).catch(one.fail)
    }
  }

  async function work(key: string, lane: Lane<I, O>): Promise<void> {
    while (isDue(lane)) {
      lane.writers++
      // Lets newly arrived items join: the embedded database blocks the process while it writes, so none could arrive before.
      await setImmediate()
      lane.load = Math.max(lane.load * FADING, lane.writing + lane.waiting.length)
      const share = lane.waiting.slice(0, shareOf(lane)).map(({ item }) => item)
      const group = lane.waiting.splice(0, most(share))
      lane.writing += group.length
      if (group.length > 0) await writeGroup(key, lane, group)
      lane.writing -= group.length
      lane.writers--
    }
    if (lane.writers === 0) lanes.delete(key)
  }

  return (key, item) =>
    new Promise((done, fail) => {
      const lane = lanes.get(key) ?? { waiting: [], writers: 0, writing: 0, load: 0 }
      lanes.set(key, lane)
      lane.waiting.push({ item, done, fail })
      if (isDue(lane)) void work(key, lane)
    })
}
