/** A statement took too long; its request gets an error, and the connection recovers or breaks on its own. */
export class DeadlinePassed extends Error {
  override name = 'DeadlinePassed'
}

type Pending = { due: number; reject(error: Error): void }

const CHECK_EVERY_MS = 250

/**
 * Gives every statement the same timeout. Since all are equally long, they expire in the order they began, so one timer for the
 * process checks only the oldest; a timer for each statement cost an eighth of the throughput.
 */
export function makeDeadline(patienceMs: number): <T>(work: Promise<T>) => Promise<T> {
  const pending = new Set<Pending>()
  const giveUp = (dueBefore: number) => {
    for (const one of pending) {
      if (one.due > dueBefore) return
      pending.delete(one)
      one.reject(new DeadlinePassed(`the database did not answer within ${patienceMs} ms`))
    }
  }
  const check = () => {
    const now = performance.now()
    const [oldest] = pending
    // If this process was busy, the answers have already arrived and are read before the next immediate.
    if (oldest && oldest.due <= now) setImmediate(giveUp, now)
  }
  setInterval(check, CHECK_EVERY_MS).unref()

  return (work) =>
    new Promise((resolve, reject) => {
      const one: Pending = { due: performance.now() + patienceMs, reject }
      pending.add(one)
      work.then(
        (value) => {
          pending.delete(one)
          resolve(value)
        },
        (error) => {
          pending.delete(one)
          reject(error)
        },
      )
    })
}
