import type { ResourceName } from '@/lib/core/resource-names'
import type { Column, FileKind } from '@/lib/load/columns'
import { CUSTOMER, lenient } from '@/lib/load/join/build'
import { fileKind } from '@/lib/load/kinds'
import { type Row, readRow } from '@/lib/load/rows'
import { resources } from '@/lib/resources/registry'
import type { Source } from '../connector'

/** The values that an object gives a record, by the fields of `lib/resources`. */
type Values = Record<string, string | undefined>

/** A kind of object: what the loader needs to know of it, and how its values become a row that the loader checks and writes. */
export type Reader = { kind: FileKind; fields: string[]; row(object: Source, values: Values): Row }

const LONGEST: Record<string, number> = {
  name: 300,
  address: 300,
  city: 100,
  state: 50,
  zip: 20,
  externalReference: 200,
}

/** A value on one line and no longer than its column takes, because nobody can correct it in a file. */
function fitting(field: string, text = ''): string {
  const plain = text
    .replace(/\p{Cc}+/gu, ' ')
    .replace(/[\ufffd\p{Surrogate}]/gu, '')
    .trim()
  return plain.slice(0, LONGEST[field] ?? 1_000)
}

const isoOf = (text: string | undefined): string => {
  const at = new Date(text ?? '')
  return Number.isNaN(at.getTime()) ? '' : at.toISOString()
}

/** Returns the reader of a resource's rows from an entity: they pass the same checks as a file's. */
export function readerOf(resource: ResourceName, entity: string, fields: string[]): Reader {
  const kind = { ...fileKind(resources[resource]), file: entity }
  const columns: Column[] = kind.columns
    .filter(({ field }) => fields.includes(field))
    .map((column) => lenient(resource, column))
  if (resource === 'payments') columns.push(CUSTOMER)
  const layout = { columns: columns.map((column) => [column]), fields: columns.map(({ field }) => field), ignored: [] }
  return {
    kind,
    fields: kind.columns.map(({ field }) => field).filter((field) => fields.includes(field)),
    row: ({ id }, values) => {
      const cells = columns.map(({ field }) =>
        field === 'createdAt' ? isoOf(values[field]) : fitting(field, values[field]),
      )
      // What stands for the line of a file is the object's id, which messages name.
      const line = /^\d{1,15}$/.test(id) ? Number(id) : 0
      return readRow(kind, layout, { line, lastLine: line, cells, stray: false })
    },
  }
}
