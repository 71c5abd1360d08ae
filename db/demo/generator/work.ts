import type { Random } from './random'

/**
 * A type of job: its name, its scope, its price range in whole dollars, and its weight. `{a|b}` in the name and scope means one of
 * these words.
 */
export type Job = {
  name: string
  scope: string
  low: number
  high: number
  weight: number
  /** The minimum and maximum days on site. */
  days: readonly [number, number]
  /** The minimum and maximum size. It replaces `#` in the name, and `low` and `high` are then dollars per unit. */
  size?: readonly [number, number]
  /** The conditions that crews may find on site, which lead to a change order. */
  extras?: readonly [string, ...string[]]
  /** A yearly plan is offered after this job. */
  leadsToPlan?: true
}
export type Trade = { jobs: readonly [Job, ...Job[]]; plan: Job }

/** A job as one customer ordered it. `total` is in cents. */
export type Order = { name: string; scope: string; total: number }

const worded = (random: Random, text: string) =>
  text.replace(/\{([^{}]*)\}/g, (_, words: string) => {
    const [first = '', ...rest] = words.split('|')
    return random.pick([first, ...rest])
  })

/**
 * Returns the words and the price of a job. Prices above $5,000 are rounded to five dollars; some have odd cents because materials are
 * taxed.
 */
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
