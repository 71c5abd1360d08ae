/**
 * A waiting caller: `known` callers go first; an unknown caller is named by the subject they are counted as, and may wait only once at a
 * time.
 */
export type Waiter = { lane: 'known' } | { lane: 'stranger'; subject: string }

/** The error thrown when there is no place left to wait. Check its `name`, because a process may hold several copies of this module. */
class Busy extends Error {
  override name = 'Busy'
}
export const isBusy = (error: unknown): boolean => error instanceof Error && error.name === 'Busy'

type Place = { subject: string | undefined; go: () => void }

/** Limits how much work runs at once; a few more wait, known callers before unknown ones, and the rest are refused. */
export class Turns {
  private running = 0
  private readonly waiting: Record<Waiter['lane'], Place[]> = { known: [], stranger: [] }

  /** @param places how many of each lane may wait */
  constructor(
    private readonly atOnce: number,
    private readonly places: number,
  ) {}

  /** Runs work in its turn. @throws Busy when no place is left */
  async run<T>(waiter: Waiter, work: () => Promise<T>): Promise<T> {
    if (this.running < this.atOnce) this.running++
    else await this.wait(waiter)
    try {
      return await work()
    } finally {
      // The turn is passed on directly, so that a new caller cannot take it first.
      const next = this.waiting.known.shift() ?? this.waiting.stranger.shift()
      if (next) next.go()
      else this.running--
    }
  }

  private wait(waiter: Waiter): Promise<void> {
    const lane = this.waiting[waiter.lane]
    const subject = waiter.lane === 'stranger' ? waiter.subject : undefined
    if (lane.length >= this.places || (subject !== undefined && lane.some((place) => place.subject === subject)))
      throw new Busy('no place left to wait')
    return new Promise((go) => lane.push({ subject, go }))
  }
}
