const SOON_MS = 30_000
const MOST_SOON = 5
const FIRST_PAUSE_MS = 100

/**
 * Returns how long to wait before restarting a worker that died: briefly at first, then twice as long each time; undefined when it
 * has died five times within half a minute, because another start won't help.
 * @param deaths when it died, this last time included; in milliseconds of the same clock as `now`
 */
export function pauseBefore(deaths: number[], now: number): number | undefined {
  const soon = deaths.filter((at) => now - at < SOON_MS).length
  return soon >= MOST_SOON ? undefined : FIRST_PAUSE_MS * 2 ** (soon - 1)
}
