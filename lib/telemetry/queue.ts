/** What a queue is told: how many at once, how often, how much it holds, and how long it leaves a database alone that failed. */
export type QueueSettings = { most: number; everyMs: number; capacity: number; pauseMs: number }

export type Queue<T> = {
  /** Takes an item, or drops it when the queue is full, and says which: never waits, never throws. */
  add(item: T): boolean
  /** Resolves once what was taken before is written or lost. */
  settled(): Promise<void>
  /** Items dropped or lost since this was last asked. */
  takeLost(): number
  /** Items that wait, and all that were dropped or lost since the process began. */
  state(): { waiting: number; lost: number }
}

/**
 * A bounded queue that is written behind its users' backs, in batches, one at a time. A batch that fails is lost and counted, not
 * tried again: whether a statement that broke off was done cannot be known, and twice would be as wrong as not at all.
 */
export function batchQueue<T>(
  write: (items: T[]) => Promise<void>,
  { most, everyMs, capacity, pauseMs }: QueueSettings,
): Queue<T> {
  let waiting: T[] = []
  let lost = 0
  let lostBefore = 0
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined
  let pausedUntil = 0

  async function writeBatch(): Promise<void> {
    const batch = waiting.slice(0, most)
    waiting = waiting.slice(most)
    try {
      await write(batch)
    } catch {
      lost += batch.length
      pausedUntil = performance.now() + pauseMs
    }
  }

  function begin(): void {
    clearTimeout(timer)
    timer = undefined
    if (writing || waiting.length === 0) return
    writing = writeBatch().finally(() => {
      writing = undefined
      plan()
    })
  }

  /** Full batches go at once, what is less waits for company. */
  function plan(): void {
    const pause = pausedUntil - performance.now()
    if (writing || waiting.length === 0) return
    if (waiting.length >= most && pause <= 0) begin()
    else timer ??= setTimeout(begin, Math.max(everyMs, pause))
  }

  return {
    add(item) {
      if (waiting.length >= capacity) {
        lost++
        return false
      }
      waiting.push(item)
      // Asking for the time on every item would cost more than the rest of this.
      if (waiting.length === most) plan()
      else if (timer === undefined && writing === undefined) plan()
      return true
    },
    async settled() {
      for (let left = Math.ceil(waiting.length / most) + (writing ? 1 : 0); left > 0; left--) {
        begin()
        await writing
      }
    },
    takeLost() {
      const before = lost
      lostBefore += lost
      lost = 0
      return before
    },
    state: () => ({ waiting: waiting.length, lost: lostBefore + lost }),
  }
}
