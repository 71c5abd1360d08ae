import { setImmediate } from 'node:timers/promises'
import type { Database } from '@/db/client'

/** The most rows in one transaction. An interrupted load leaves complete slices; running it again adds the rest. */
const MOST_ROWS = 500
const LEAST_ROWS = 25
const FIRST_ROWS = 32

/**
 * How long a slice may take on the embedded database, in milliseconds, while requests come and while none do. The embedded database
 * shares this thread, so nothing else is answered during a slice. A Postgres server answers other connections, so slices there are as
 * long as allowed.
 */
const TARGET = { busy: 12, quiet: 200 }

/**
 * Decides how much of a load is done at once: as many rows as fit the target time, judging by the last slices. Waiting requests run
 * between two slices; after a request, slices are short for a while.
 */
export class Slices {
  private target = TARGET.busy
  private perRow: number | undefined
  private asked: number

  constructor(private readonly db: Pick<Database, 'asked'>) {
    this.asked = db.asked?.() ?? 0
  }

  /** Returns how many rows the next slice should have. */
  get rows(): number {
    if (!this.db.asked) return MOST_ROWS
    if (this.perRow === undefined) return FIRST_ROWS
    return Math.min(MOST_ROWS, Math.max(LEAST_ROWS, Math.floor(this.target / this.perRow)))
  }

  /** Records how long a slice took. A single slow one changes little, because the machine may just have been busy. */
  took(rows: number, milliseconds: number): void {
    if (rows === 0) return
    const now = milliseconds / rows
    this.perRow = this.perRow === undefined ? now : 0.7 * this.perRow + 0.3 * now
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
