import type { Orm } from '@/db/client'
import { type ProjectRef, type RecordKind, type StoredRecord, takenIds } from '@/db/queries/load'
import type { TransactionType } from '@/db/schema'
import { recordIdPrefix } from '@/lib/core/ids'
import type { Row } from '../rows'

/** What a payment's row is; a payment when it does not say. */
export const typeOf = (row: Row): TransactionType => {
  const { type } = row.values
  return type === 'refund' || type === 'adjustment' ? type : 'payment_received'
}

/** A row and the project it belongs to. */
export type Placed = { row: Row; project: ProjectRef; createdAt: string }

/**
 * Gives every record its id: the stored one, or for a new record its project and the millisecond of its creation, or the next
 * that no other record of the project has. The projects are locked, so what is free here stays free.
 */
export async function chooseIds(
  orm: Orm,
  kind: RecordKind,
  placed: Placed[],
  stored: Map<string, StoredRecord>,
): Promise<string[]> {
  const wanted = placed.map(({ row, project, createdAt }) => {
    const type = kind === 'invoice' ? 'invoice' : typeOf(row)
    return { prefix: recordIdPrefix(type, project.id), ms: Date.parse(createdAt) }
  })
  const known = placed.map(({ row }) => stored.get(row.values.reference ?? '')?.id)
  const taken = await takenIds(
    orm,
    kind,
    wanted.filter((_, i) => known[i] === undefined),
  )
  const given = new Set<string>()
  return wanted.map(({ prefix, ms: wish }, i) => {
    const id = known[i]
    if (id !== undefined) return id
    const last = taken.get(`${prefix}${wish}`)
    let ms = last === undefined ? wish : Number(last.slice(prefix.length)) + 1
    while (given.has(`${prefix}${ms}`)) ms++
    given.add(`${prefix}${ms}`)
    return `${prefix}${ms}`
  })
}
