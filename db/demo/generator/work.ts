import type { Random } from './random'

/**
 * A kind of job: what it is called, what is to be done, what it costs in whole dollars, how often it is asked for.
 * `{a|b}` in name and scope stands for one of these words.
 */
export type Job = {
  name: string
  scope: string
  low: number
  high: number
  weight: number
  /** Days on site, from and to. */
  days: readonly [number, number]
  /** From and to; `#` in the name stands for it, and `low` and `high` are then dollars for one. */
  size?: readonly [number, number]
  /** What is found on site, for a change order. */
  extras?: readonly [string, ...string[]]
  /** After this job a yearly plan is offered. */
  leadsToPlan?: true
}
export type Trade = { jobs: readonly [Job, ...Job[]]; plan: Job }

/** A job as one customer ordered it. */
export type Order = { name: string; scope: string; total: number }

const worded = (random: Random, text: string) =>
  text.replace(/\{([^}]*)\}/g, (_, words: string) => {
    const [first = '', ...rest] = words.split('|')
    return random.pick([first, ...rest])
  })

/** Words the job and prices it: to the dollar when small, to five when large, with cents where taxed by the piece. */
export function order(random: Random, job: Job): Order {
  const size = job.size ? random.int(...job.size) : 1
  const dollars = random.int(job.low * size, job.high * size)
  const rounded = dollars > 5_000 ? Math.round(dollars / 5) * 5 : dollars
  return {
    name: worded(random, job.name.replace('#', String(size))),
    scope: worded(random, job.scope),
    total: rounded * 100 + (random.chance(0.4) ? random.int(1, 99) : 0),
  }
}
