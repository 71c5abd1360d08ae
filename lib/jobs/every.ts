import { logFault } from '@/lib/core/log'
import { overloadOf } from '@/lib/core/overload'
import { stopping } from '@/lib/core/stopping'

type Timing = {
  /** The delay before the first round; an interval where it is left out. */
  firstMs?: number
  /** Goes on while the process stops: a sign of life of work that is not yet at its end. */
  whileStopping?: boolean
}

/** What is the same overload as the one before is logged again after this time: a database that is away fails every round. */
const SAID_AGAIN_MS = 60_000

/** Returns what logs how rounds under a name ended: undefined for one that succeeded. */
function roundLog(operation: string): (fault?: unknown) => void {
  let said: { overload: object; at: number } | undefined
  return (fault) => {
    const overload = fault === undefined ? undefined : overloadOf(fault)
    const isRepeated = overload && said?.overload === overload && performance.now() - said.at < SAID_AGAIN_MS
    if (fault !== undefined && !isRepeated) logFault({ operation }, fault)
    if (!isRepeated) said = overload && { overload, at: performance.now() }
  }
}

/**
 * Does work by the clock. A round begins an interval after the end of the one before, so that none runs beside it; a failure is logged
 * under the name (an overload once a minute), and the next round begins all the same. Once the process is asked to stop, none does. It keeps no process alive.
 * @param work runs until it is done, or ends at its next step once the process stops
 * @returns the function that ends it: no further round begins, and it resolves once the present one is over
 */
export function every(
  name: string,
  intervalMs: number,
  work: () => Promise<unknown>,
  { firstMs = intervalMs, whileStopping = false }: Timing = {},
): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  let running = Promise.resolve()
  const note = roundLog(name)
  const signal = whileStopping ? undefined : stopping()

  const plan = (milliseconds: number) => {
    timer = setTimeout(() => {
      if (!signal?.aborted) running = round()
    }, milliseconds).unref()
  }

  async function round(): Promise<void> {
    try {
      await work()
      note()
    } catch (fault) {
      // What it works with is closed while the process stops.
      if (!signal?.aborted) note(fault)
    }
    if (!isOver) plan(intervalMs)
  }

  plan(firstMs)
  return () => {
    isOver = true
    clearTimeout(timer)
    return running
  }
}
