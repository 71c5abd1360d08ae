import { setTimeout } from 'node:timers/promises'
import { type Database, type Orm, withinContractor } from '@/db/client'
import type { MonthAmount } from '@/db/queries/month-amounts'
import type { UpsertCounts } from '@/db/queries/upsert'
import { faultCode } from '@/lib/core/fault-code'
import { stopwatch } from '@/lib/core/slices'
import type { WriteContext } from './batches/batch'
import { Verdicts } from './batches/verdicts'
import type { FileKind } from './columns'
import type { Row } from './rows'

/** The destination of a file's rows. */
export type Target = {
  db: Database
  /** The contractor the rows belong to; undefined for public data. */
  contractorId?: string
  kind: FileKind
  /** The fields the file has. */
  fields: string[]
  /** The step that the writing is noted as, so that it can be taken back. */
  step?: string | undefined
  /** True when nothing is written: the database itself refuses it. */
  readOnly?: boolean | undefined
  write(context: WriteContext, batch: Row[]): Promise<UpsertCounts & { moved?: MonthAmount[] }>
}

const ATTEMPTS = 6

/** The codes of Postgres for a conflict between two writers: unique violation, deadlock, serialization failure. */
const CONFLICT = /^(23505|40P01|40001)$/
/** The classes of Postgres for a value it refuses: data exception, integrity constraint, limit exceeded. */
const REFUSED_VALUE = /^(22|23|54)...$/

/** The counts of what was written, what it changed of the sums of months, and how long the transaction held this thread, not counting the wait for its start. */
export type Written = UpsertCounts & { moved: MonthAmount[]; milliseconds: number }

/** Writes rows in one transaction, and retries it after a conflict with another load. */
async function inOneTransaction(target: Target, rows: Row[]): Promise<Written> {
  const { db, contractorId, kind, fields, write } = target
  for (let attempt = 1; ; attempt++) {
    const verdicts = new Verdicts(kind)
    let held = stopwatch()
    try {
      const work = (orm: Orm) => {
        held = stopwatch()
        return write({ orm, fields, verdicts }, rows)
      }
      const counts = await (contractorId
        ? withinContractor(db.orm, contractorId, work, target)
        : db.orm.transaction(work))
      verdicts.settle()
      return { moved: [], ...counts, milliseconds: held() }
    } catch (error) {
      if (attempt >= ATTEMPTS || !CONFLICT.test(faultCode(error) ?? '')) throw error
      await setTimeout(Math.random() * 20 * 2 ** attempt)
    }
  }
}

/**
 * Writes the rows without errors, and adds the errors that the lookups find to the others. If the database refuses a value that passed
 * every check, the rows are split in halves until only its row is refused.
 * @throws the driver's error when the rows are not the cause
 */
export async function writeRows(target: Target, rows: Row[]): Promise<Written> {
  try {
    return await inOneTransaction(target, rows)
  } catch (error) {
    const code = faultCode(error) ?? ''
    if (CONFLICT.test(code) || !REFUSED_VALUE.test(code)) throw error
    const [first] = rows
    if (first && rows.length === 1) {
      const { file } = target.kind
      const reason = `the database refuses this row (SQLSTATE ${code})`
      first.faults.push({ file, line: first.line, field: null, value: null, reason })
      return { added: 0, updated: 0, moved: [], milliseconds: 0 }
    }
    const half = Math.ceil(rows.length / 2)
    const before = await writeRows(target, rows.slice(0, half))
    const after = await writeRows(target, rows.slice(half))
    return {
      added: before.added + after.added,
      updated: before.updated + after.updated,
      moved: [...before.moved, ...after.moved],
      milliseconds: before.milliseconds + after.milliseconds,
    }
  }
}
