import { setImmediate } from 'node:timers/promises'

declare global {
  namespace NodeJS {
    interface Process {
      /** Exists since Node 22.19 and 23.9; Node 20 and its types have none. */
      threadCpuUsage?(): CpuUsage
    }
  }
}

/** The longest time that anything may hold the thread on which requests are answered. Milliseconds. */
export const LONGEST_BLOCK_MS = 50

/** The first run compiles, and other processes slow the processor itself: the best of these is what the work itself takes. */
const ATTEMPTS = 9

/**
 * Milliseconds of processor and of clock that have gone by. Other threads of the process (the garbage collector's, the compiler's) hold no
 * request, so only this thread's time counts where Node can tell it.
 */
const now = () => {
  const { user, system } = process.threadCpuUsage?.() ?? process.cpuUsage()
  return { cpu: (user + system) / 1000, clock: performance.now() }
}

/** The longest time between two turns of the event loop while something runs: what it took of the processor, or less by the clock. */
async function longestTurn(run: () => unknown): Promise<number> {
  let isRunning = true
  let longest = 0
  const watch = async () => {
    for (let before = now(); isRunning; ) {
      await setImmediate()
      const after = now()
      longest = Math.max(longest, Math.min(after.cpu - before.cpu, after.clock - before.clock))
      before = now()
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
