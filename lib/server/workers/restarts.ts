const SOON_MS = 30_000
const MOST_SOON = 5
const FIRST_PAUSE_MS = 100

/**
 * How long to wait before a worker that died is started again: the first time hardly, then twice as long each time; undefined when it
 * has died five times within half a minute, which another start will not fix.
 * @param deaths when it died, this last time included; milliseconds of the clock that `now` is of
 */
export function pauseBefore(deaths: number[], now: number): number | undefined {
  const soon = deaths.filter((at) => now - at < SOON_MS).length
  return soon >= MOST_SOON ? undefined : FIRST_PAUSE_MS * 2 ** (soon - 1)
}
