import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** An interval of a soak: the process's resource use at its end, and latencies during it by kind of work. */
export type Sample = {
  /** Seconds since the start. */
  at: number
  memoryMb: number
  /** The number of open descriptors; undefined where the OS lacks it. */
  descriptors: number | undefined
  latencies: Record<string, { median: number; p95: number }>
}

/** Returns a percentile of unsorted figures; NaN when there are none. */
export function percentile(figures: readonly number[], part: number): number {
  const sorted = [...figures].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

function memoryMb(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
  } catch {
    return Number(spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).stdout) / 1024
  }
}

function descriptors(pid: number): number | undefined {
  try {
    return readdirSync(`/proc/${pid}/fd`).length
  } catch {
    return undefined
  }
}

/** Samples a process, with its latencies since the last sample. */
export function sample(pid: number, at: number, taken: ReadonlyMap<string, readonly number[]>): Sample {
  const latencies = [...taken].map(([kind, figures]) => [
    kind,
    { median: percentile(figures, 0.5), p95: percentile(figures, 0.95) },
  ])
  return { at, memoryMb: memoryMb(pid), descriptors: descriptors(pid), latencies: Object.fromEntries(latencies) }
}

const MOST_GROWTH = 1.15
const MOST_MORE_DESCRIPTORS = 20
/** The least length in seconds. A shorter soak spends most of its time warming up. */
const LEAST_SECONDS = 20 * 60

/** Returns what grew from the second quarter of a soak to the last. Empty when the soak was too short to judge. */
export function whatGrew(samples: readonly Sample[]): string[] {
  if ((samples.at(-1)?.at ?? 0) < LEAST_SECONDS) return []
  const quarter = samples.length >> 2
  const between = (of: (one: Sample) => number) => ({
    early: percentile(samples.slice(quarter, 2 * quarter).map(of), 0.5),
    late: percentile(samples.slice(-quarter).map(of), 0.5),
  })
  const memory = between((one) => one.memoryMb)
  const open = between((one) => one.descriptors ?? 0)
  return [
    memory.late > memory.early * MOST_GROWTH
      ? `Memory grew from ${memory.early.toFixed(0)} to ${memory.late.toFixed(0)} MB.`
      : '',
    open.late > open.early + MOST_MORE_DESCRIPTORS ? `Descriptors grew from ${open.early} to ${open.late}.` : '',
  ].filter((what) => what !== '')
}
