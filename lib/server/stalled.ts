import type { ServerResponse } from 'node:http'

/**
 * A reader that takes nothing for so long is cut, because its stream holds a place among others. Streams that wait for something say so more
 * often than this.
 */
const STALLED_MS = 60_000

/** In how many parts that time is measured. */
const CHECKS = 6

/**
 * Cuts a response once it has begun and its reader takes nothing of it for so long. Node's own timeout of a socket begins again where the
 * system had taken a part of the last write, so that it lasts up to twice as long. A short one that must run out several times in a row lasts
 * at most one part longer.
 */
export function cutStalled(response: ServerResponse, stalledMs: number = STALLED_MS): void {
  const shortMs = stalledMs / CHECKS
  let [runs, last] = [0, 0]
  const ranOut = () => {
    const now = performance.now()
    // Whatever is taken in between puts it off.
    const isNext = now - last < 1.5 * shortMs
    last = now
    runs = response.headersSent && isNext ? runs + 1 : 1
    if (runs === CHECKS) response.destroy()
    else response.setTimeout(shortMs)
  }
  response.setTimeout(shortMs, ranOut)
}
