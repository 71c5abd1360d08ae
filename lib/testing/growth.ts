/** The least of several runs, in milliseconds: what is left when nothing else held the machine. */
function least(work: () => void, runs = 3): number {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < runs; i++) {
    const began = performance.now()
    work()
    least = Math.min(least, performance.now() - began)
  }
  return least
}

/** Below this a run is noise. */
const FLOOR_MS = 4

/**
 * Returns how many times longer some work takes on four times as much input: about 4 when it is linear, 16 when it is quadratic.
 * Work too short to measure counts as linear.
 */
export function growth<T>(make: (size: number) => T, work: (input: T) => void, size: number): number {
  const [small, large] = [make(size), make(4 * size)]
  work(small)
  const longer = least(() => work(large))
  return longer < 4 * FLOOR_MS
    ? 4
    : longer /
        Math.max(
          FLOOR_MS,
          least(() => work(small)),
        )
}
