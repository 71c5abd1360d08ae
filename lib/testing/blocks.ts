import { setImmediate } from 'node:timers/promises'
import { stopwatch } from '@/lib/core/slices'

/** The longest time that anything may hold the thread on which requests are answered. Milliseconds. */
export const LONGEST_BLOCK_MS = 50

/** The first run compiles, and other processes slow the processor itself: the best of these is what the work itself takes. */
const ATTEMPTS = 9

/** The longest time between two turns of the event loop while something runs, by `stopwatch`. */
async function longestTurn(run: () => unknown): Promise<number> {
  let isRunning = true
  let longest = 0
  const watch = async () => {
    while (isRunning) {
      const held = stopwatch()
      await setImmediate()
      longest = Math.max(longest, held())
    }
  }
  const watching = watch()
  try {
    await run()
    await setImmediate()
  } finally {
    isRunning = false
    await watching
  }
  return longest
}

/** The longest time something holds the thread, in milliseconds: the best of several runs, of one when that is short enough. */
export async function longestBlock(run: () => unknown): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < ATTEMPTS && best > LONGEST_BLOCK_MS; attempt++)
    best = Math.min(best, await longestTurn(run))
  return best
}
