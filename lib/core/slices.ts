import { setImmediate } from 'node:timers/promises'

/** Milliseconds a loop may hold the thread before other work gets a turn. */
const SLICE_MS = 10

/**
 * Cuts a long loop into slices: call the returned function once per iteration and await its result, which lets waiting requests run
 * when the slice is over and is undefined until then.
 */
export function slices(milliseconds = SLICE_MS): () => Promise<void> | undefined {
  let began = performance.now()
  return () => {
    if (performance.now() - began < milliseconds) return undefined
    return setImmediate().then(() => {
      began = performance.now()
    })
  }
}
