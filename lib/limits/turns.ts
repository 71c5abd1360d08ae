/** Whose work waits: `known` goes first; a stranger is named by what they are counted as, and waits once at a time. */
export type Waiter = { lane: 'known' } | { lane: 'stranger'; subject: string }

/** Thrown when there is no place left to wait. Told by its name: there may be several copies of this module in a process. */
export class Busy extends Error {
  override name = 'Busy'
}
export const isBusy = (error: unknown): boolean => error instanceof Error && error.name === 'Busy'

type Place = { subject: string | undefined; go: () => void }

/** Lets only so much work run at once; a few more wait, those known before strangers, and the rest is refused. */
export class Turns {
  private running = 0
  private readonly waiting: Record<Waiter['lane'], Place[]> = { known: [], stranger: [] }

  /** @param places how many of each lane may wait */
  constructor(
    private readonly atOnce: number,
    private readonly places: number,
  ) {}

  /** Runs work when it is its turn. @throws Busy when no place is left */
  async run<T>(waiter: Waiter, work: () => Promise<T>): Promise<T> {
    if (this.running < this.atOnce) this.running++
    else await this.wait(waiter)
    try {
      return await work()
    } finally {
      // The turn is handed on, so that nobody who comes meanwhile takes it first.
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
