/** Returns how long a run takes, in milliseconds. */
function took(work: () => void): number {
  const began = performance.now()
  work()
  return performance.now() - began
}

/** The floor: a shorter run is noise. */
const FLOOR_MS = 4
/** The measured growth below which work is linear, whatever disturbed it. Quadratic work grows sixteenfold. */
const LINEAR = 8
const RUNS = 9

/**
 * Returns how many times longer some work takes on four times as much input: about 4 when it is linear, 16 when it is quadratic.
 * Work too short to measure counts as linear. Each size counts by its shortest run, which is what is left when nothing else holds the
 * machine. The large one goes first, so that both are measured compiled, and again only while it looks longer than linear.
 */
export function growth<T>(make: (size: number) => T, work: (input: T) => void, size: number): number {
  const [small, large] = [make(size), make(4 * size)]
  const runs = (input: T, count: number) => Math.min(...Array.from({ length: count }, () => took(() => work(input))))
  work(small)
  let long = runs(large, 1)
  const short = Math.max(FLOOR_MS, runs(small, 3))
  for (let run = 1; run < RUNS && long > LINEAR * short; run++) long = Math.min(long, runs(large, 1))
  return long < 4 * FLOOR_MS ? 4 : long / short
}
