import { stopwatch } from '@/lib/core/slices'

/**
 * Returns what a run takes of the processor, in milliseconds. By the clock, a long run would also wait for its turn beside other processes, and
 * one that ends before its first turn does would not.
 */
function took(work: () => void): number {
  const held = stopwatch()
  work()
  return held()
}

/** The floor: a shorter run is noise. */
const FLOOR_MS = 4
/** The measured growth below which work is linear, whatever disturbed it. Quadratic work grows sixteenfold. */
const LINEAR = 8
const [FEWEST, MOST] = [3, 9]

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

/**
 * Returns how many times longer some work takes on four times as much input: about 4 when it is linear, 16 when it is quadratic.
 * Work too short to measure counts as linear. A machine that becomes slower or faster does so for both sizes, as they are measured in turns;
 * the median leaves out turns that something disturbed in between. More turns are taken while it looks longer than linear.
 */
export function growth<T>(make: (size: number) => T, work: (input: T) => void, size: number): number {
  const [small, large] = [make(size), make(4 * size)]
  work(small)
  const ratios: number[] = []
  while (ratios.length < FEWEST || (ratios.length < MOST && median(ratios) > LINEAR)) {
    const long = took(() => work(large))
    if (long < 4 * FLOOR_MS) return 4
    const short = took(() => work(small))
    ratios.push(long / Math.max(FLOOR_MS, short))
  }
  return median(ratios)
}
