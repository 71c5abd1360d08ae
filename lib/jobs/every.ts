import { logFault } from '@/lib/core/log'
import { stopping } from '@/lib/core/stopping'

type Timing = {
  /** The delay before the first round; an interval where it is left out. */
  firstMs?: number
  /** Goes on while the process stops: a sign of life of work that is not yet at its end. */
  whileStopping?: boolean
}

/**
 * Does work by the clock. A round begins an interval after the end of the one before, so that none runs beside it; a failure is logged
 * under the name, and the next round begins all the same. Once the process is asked to stop, none does. It keeps no process alive.
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
  const signal = whileStopping ? undefined : stopping()

  const plan = (milliseconds: number) => {
    timer = setTimeout(() => {
      if (!signal?.aborted) running = round()
    }, milliseconds).unref()
  }

  async function round(): Promise<void> {
    try {
      await work()
    } catch (fault) {
      // What it works with is closed while the process stops.
      if (!signal?.aborted) logFault({ operation: name }, fault)
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
