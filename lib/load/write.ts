import { setTimeout } from 'node:timers/promises'
import { type Database, type Orm, withinContractor } from '@/db/client'
import type { UpsertCounts } from '@/db/queries/upsert'
import { faultCode } from '@/lib/core/fault-code'
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
  /** What the writing is noted as, so that it can be taken back. */
  step?: string | undefined
  /** Nothing is written: the database itself refuses it. */
  readOnly?: boolean | undefined
  write(context: WriteContext, batch: Row[]): Promise<UpsertCounts>
}

const ATTEMPTS = 6

/** Postgres' codes for a conflict between two writers: unique violation, deadlock, serialization failure. */
const CONFLICT = /^(23505|40P01|40001)$/
/** Postgres' classes for a value it refuses: data exception, integrity constraint, limit exceeded. */
const REFUSED_VALUE = /^(22|23|54)...$/

/** What was written, and how long the transaction ran, not counting the wait for its start. */
export type Written = UpsertCounts & { milliseconds: number }

/** Writes rows in one transaction, and retries it after a conflict with another load. */
async function inOneTransaction(target: Target, rows: Row[]): Promise<Written> {
  const { db, contractorId, kind, fields, write } = target
  for (let attempt = 1; ; attempt++) {
    const verdicts = new Verdicts(kind)
    let began = performance.now()
    try {
      const work = (orm: Orm) => {
        began = performance.now()
        return write({ orm, fields, verdicts }, rows)
      }
      const counts = await (contractorId
        ? withinContractor(db.orm, contractorId, work, target)
        : db.orm.transaction(work))
      verdicts.settle()
      return { ...counts, milliseconds: performance.now() - began }
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
      return { added: 0, updated: 0, milliseconds: 0 }
    }
    const half = Math.ceil(rows.length / 2)
    const before = await writeRows(target, rows.slice(0, half))
    const after = await writeRows(target, rows.slice(half))
    return {
      added: before.added + after.added,
      updated: before.updated + after.updated,
      milliseconds: before.milliseconds + after.milliseconds,
    }
  }
}
