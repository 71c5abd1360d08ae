import { setImmediate } from 'node:timers/promises'

/** How long a loop may hold the thread before others have their turn. Milliseconds. */
const SLICE_MS = 10

/**
 * Cuts a long loop into slices: call the function once a round and await what it gives, which lets waiting requests through when the
 * slice is over and is undefined until then.
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
