import { setImmediate } from 'node:timers/promises'

declare global {
  namespace NodeJS {
    interface Process {
      /** Exists since Node 22.19 and 23.9; Node 20 and its types have none. */
      threadCpuUsage?(): CpuUsage
    }
  }
}

/** Milliseconds that a loop may hold the thread before other work gets a turn. */
const SLICE_MS = 10

/** Gives other work its turn where the slice is over; undefined until then. */
export type Breathe = () => Promise<void> | undefined

/**
 * Cuts a long loop into slices of time, whatever one step of it costs: call the returned function once per step and await its result, which
 * lets waiting requests run when the slice is over and is undefined until then.
 */
export function slicer(milliseconds = SLICE_MS): Breathe {
  let began = performance.now()
  return () => {
    if (performance.now() - began < milliseconds) return undefined
    return setImmediate().then(() => {
      began = performance.now()
    })
  }
}

/** Works through items in slices of time. @returns what came of each */
export async function inSlices<T, R>(items: Iterable<T>, work: (item: T) => R, breathe = slicer()): Promise<R[]> {
  const done: R[] = []
  for (const item of items) {
    done.push(work(item))
    const turn = breathe()
    // Awaiting nothing would cost a turn of the promises for each item.
    if (turn) await turn
  }
  return done
}

/** Microseconds of processor. Other threads, the garbage collector's and the compiler's, hold no request: left out where Node can tell. */
function processorTime(): number {
  const { user, system } = process.threadCpuUsage?.() ?? process.cpuUsage()
  return user + system
}

/**
 * Begins to measure what work holds this thread for, in milliseconds: of its processor where that is less than the clock says, because a
 * busy machine lets a statement of few rows wait as long as one of many.
 */
export function stopwatch(): () => number {
  const [began, cpu] = [performance.now(), processorTime()]
  return () => Math.min(performance.now() - began, (processorTime() - cpu) / 1_000)
}

/** The most rows in one statement. An interrupted load leaves complete slices; running it again adds the rest. */
const MOST_ROWS = 500
/** The least while they are quick: a transaction has costs of its own. */
const LEAST_ROWS = 25
const FIRST_ROWS = 8
/** A statement that takes longer than this halves the least that the next one has. */
const LONGEST_MS = 30

/**
 * The time that a statement may take on the embedded database, in milliseconds, while requests come and while none do. The embedded
 * database shares this thread, so nothing else is answered during a statement. A Postgres server answers other connections, so statements
 * there are as long as allowed.
 */
const TARGET = { busy: 12, quiet: LONGEST_MS }

/** A database, which tells whether statements hold this thread, and how many were asked of it. */
type Asked = { asked?: (() => number) | undefined }

/**
 * Decides how many rows one statement has, which nothing can interrupt: as many as fit the target time, judging by the last ones, and down
 * to a single one. Waiting requests run between two statements; after a request, they are short for a while.
 */
export class Pace {
  private target: number = TARGET.busy
  private perRow: number | undefined
  private least = LEAST_ROWS
  private before = { rows: 0, milliseconds: 0 }
  private asked: number

  constructor(private readonly db: Asked) {
    this.asked = db.asked?.() ?? 0
  }

  /** Returns how many rows the next statement should have. */
  get rows(): number {
    if (!this.db.asked) return MOST_ROWS
    if (this.perRow === undefined) return FIRST_ROWS
    return Math.min(MOST_ROWS, Math.max(this.least, Math.floor(this.target / this.perRow)))
  }

  /** Records how long a statement took. A single slow one changes little, because the machine may just have been busy. */
  took(rows: number, milliseconds: number): void {
    if (rows === 0) return
    const now = milliseconds / rows
    this.perRow = this.perRow === undefined ? now : 0.7 * this.perRow + 0.3 * now
    this.least = this.leastAfter(rows, milliseconds)
    this.before = { rows, milliseconds }
  }

  private leastAfter(rows: number, milliseconds: number): number {
    if (milliseconds < LONGEST_MS / 2) return Math.min(LEAST_ROWS, this.least * 2)
    if (milliseconds <= LONGEST_MS) return this.least
    // Fewer rows that take as long: it is the statement that costs, and not its rows.
    const isInVain = rows < this.before.rows * 0.75 && milliseconds > this.before.milliseconds * 0.75
    return isInVain ? LEAST_ROWS : Math.max(1, Math.floor(Math.min(rows, this.least) / 2))
  }

  /** Lets waiting requests run: one turn to read them, one for them to query the database. */
  async between(): Promise<void> {
    await setImmediate()
    await setImmediate()
    const asked = this.db.asked?.() ?? 0
    this.target = asked > this.asked ? TARGET.busy : Math.min(TARGET.quiet, this.target * 1.1)
    this.asked = asked
  }
}
