import { setImmediate } from 'node:timers/promises'
import type { Database } from '@/db/client'

/** Rows written in one transaction at most: a load that is broken off leaves whole slices, and is simply run again. */
const MOST_ROWS = 500
const LEAST_ROWS = 25
const FIRST_ROWS = 32

/**
 * How long a slice may take on the embedded database, in milliseconds: while requests come, and while none do. It answers nobody during a
 * slice, in this very thread; a Postgres has a connection for each, so there slices are as long as they may be.
 */
const TARGET = { busy: 12, quiet: 200 }

/**
 * How much of a load is done at once: as many rows as fit into the target time, judging by the last batches. Between two batches,
 * waiting requests run; after a request, batches are short again for a while.
 */
export class Slices {
  private target = TARGET.busy
  private perRow: number | undefined
  private asked: number

  constructor(private readonly db: Pick<Database, 'asked'>) {
    this.asked = db.asked?.() ?? 0
  }

  /** How many rows the next slice is to have. */
  get rows(): number {
    if (!this.db.asked) return MOST_ROWS
    if (this.perRow === undefined) return FIRST_ROWS
    return Math.min(MOST_ROWS, Math.max(LEAST_ROWS, Math.floor(this.target / this.perRow)))
  }

  /** Takes note of what a slice took. A single slow one counts for little, since it may have been the machine that was busy. */
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
