/** A statement took too long; its request gets an error, and the connection recovers or breaks on its own. */
export class DeadlinePassed extends Error {
  override name = 'DeadlinePassed'
  readonly code = 'DEADLINE_PASSED'
}

/** Says what has been done in the time. */
type Described = { describe(): string | undefined }

type Pending = { due: number; what: Described | undefined; reject(error: Error): void }

const CHECK_EVERY_MS = 250

/**
 * Gives every statement the same timeout. One timer for the process looks at all that run, because a timer for each statement cost an
 * eighth of the throughput. They stand in an array and not in a `Set`: a set that things come to and go from is copied again and again,
 * each copy leads to the next, and so one copy in the old generation kept the answers of all later statements from being collected early.
 */
export function makeDeadline(patienceMs: number): <T>(work: Promise<T>, what?: Described) => Promise<T> {
  const pending: (Pending | undefined)[] = []
  const free: number[] = []
  const end = (at: number, one: Pending) => {
    if (pending[at] !== one) return
    pending[at] = undefined
    free.push(at)
  }
  const giveUp = (dueBefore: number) => {
    for (const [at, one] of pending.entries()) {
      if (one === undefined || one.due > dueBefore) continue
      end(at, one)
      const what = one.what?.describe()
      const details = what === undefined ? '' : `: ${what}`
      one.reject(new DeadlinePassed(`the database did not answer within ${patienceMs} ms${details}`))
    }
  }
  const check = () => {
    const now = performance.now()
    // If this process was busy, the answers have already arrived and are read before the next immediate.
    if (pending.some((one) => one !== undefined && one.due <= now)) setImmediate(giveUp, now)
  }
  setInterval(check, CHECK_EVERY_MS).unref()

  return (work, what) =>
    new Promise((resolve, reject) => {
      const one: Pending = { due: performance.now() + patienceMs, what, reject }
      const at = free.pop() ?? pending.length
      pending[at] = one
      work.then(
        (value) => {
          end(at, one)
          resolve(value)
        },
        (error) => {
          end(at, one)
          reject(error)
        },
      )
    })
}
