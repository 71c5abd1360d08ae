/** The batch size, longest delay, capacity, and the pause after a failed write. */
export type QueueSettings = { most: number; everyMs: number; capacity: number; pauseMs: number }

export type Queue<T> = {
  /** Adds an item and returns true, or drops it and returns false when the queue is full. Never waits, never throws. */
  add(item: T): boolean
  /** Resolves once every item added so far is written or lost. */
  settled(): Promise<void>
  /** Items dropped or lost since the last call. */
  takeLost(): number
  /** Counts waiting items, and all items dropped or lost since the process began. */
  state(): { waiting: number; lost: number }
}

/**
 * Creates a bounded queue that is written in the background, one batch at a time. A failed batch is counted as lost and not retried,
 * because an interrupted statement may have taken effect, and writing twice is as wrong as not at all.
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

  /** Schedules the next write: full batches at once; smaller ones wait for more items. */
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
      // Reading the clock for every item would cost more than everything else here.
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
