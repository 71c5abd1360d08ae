import { setImmediate } from 'node:timers/promises'

type Waiting<I, O> = { item: I; done(result: O): void; fail(error: unknown): void }

type Lane<I, O> = { waiting: Waiting<I, O>[]; writers: number; latestSize: number }

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

/** One group is written while the next one gathers, so the database and the process both have work. */
const WRITERS = 2

/**
 * Whether a lane's waiting items should be written now. A second group would only wait in the database for the first one's lock, so it gathers
 * here until it is as large: groups of one size take less time than a large and a small one.
 */
const isDue = <I, O>({ waiting, writers, latestSize }: Lane<I, O>): boolean =>
  waiting.length > 0 && (writers === 0 || (writers < WRITERS && waiting.length >= latestSize))

/**
 * Groups items that arrive for a key while earlier ones are being written: under load many share one commit, and a single one never
 * waits. A burst for one contractor takes at most two connections, whatever its size.
 * @param write returns one result per item, in their order
 * @param isOwnFault whether one item caused the error, so that the others should be tried without it
 */
export function batched<I, O>(
  write: (key: string, items: I[]) => Promise<O[]>,
  isOwnFault: (error: unknown) => boolean,
  most: number,
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
      const group = lane.waiting.splice(0, most)
      if (group.length > 0) {
        lane.latestSize = group.length
        await writeGroup(key, lane, group)
      }
      lane.writers--
    }
    if (lane.writers === 0) lanes.delete(key)
  }

  return (key, item) =>
    new Promise((done, fail) => {
      const lane = lanes.get(key) ?? { waiting: [], writers: 0, latestSize: most }
      lanes.set(key, lane)
      lane.waiting.push({ item, done, fail })
      void work(key, lane)
    })
}
