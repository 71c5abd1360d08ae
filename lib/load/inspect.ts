import { plain } from './columns'
import { FileProblem } from './fault'
import { formOf } from './join/load'
import { type Finding, firstRows, fits, type Recognized, recognizeTable } from './join/recognize'
import { KINDS } from './kinds'
import { mappingFrom } from './mapping/build'
import { profileOf } from './mapping/content'
import { correct, type Proposed, propose } from './mapping/propose'
import { headersOf } from './sources/headers'
import type { Mapping } from './sources/mapping'
import { recognize } from './sources/recognize'
import { openTable } from './tables/open'
import type { Table } from './tables/table'

/** The kinds a file is taken for: one of ours, other software's, of a kept mapping, guessed by its columns, or nothing that can be loaded. */
export const TAKEN = ['ours', 'software', 'kept', 'guessed', 'unusable'] as const

/** A file, what it is taken for and how it is built, and what each of its columns fills. */
export type Inspected = {
  file: string
  taken: (typeof TAKEN)[number]
  /** A name like `Jobber Invoices`. */
  source: string | null
  form: string | null
  columns: { column: string; samples: string[]; fields: string[]; confidence: number; reason: string }[]
  /** The reason why it cannot be loaded as it is. */
  problem: string | null
}

type Column = Inspected['columns'][number]

/** The fields that a mapping fills from a column. */
const filledBy = ({ fills }: Mapping, column: string): string[] =>
  Object.entries(fills).flatMap(([resource, fields]) =>
    Object.entries(fields).flatMap(([field, fill]) =>
      headersOf(fill).some((header) => plain(header) === plain(column)) ? [`${resource}.${field}`] : [],
    ),
  )

/** The columns of a table with what each fills, by a function. */
async function columnsBy(table: Table, fieldsOf: (column: string) => string[], reason: string): Promise<Column[]> {
  const rows = await firstRows(table)
  return table.header.map((column, at) => {
    const fields = fieldsOf(column)
    const { samples } = profileOf(rows.map((cells) => cells[at] ?? ''))
    return {
      column,
      samples,
      fields,
      confidence: fields.length > 0 ? 1 : 0,
      reason: fields.length > 0 ? reason : 'unused',
    }
  })
}

const shown = ({ column, samples, field, confidence, reason }: Proposed): Column => ({
  column,
  samples,
  fields: field === null ? [] : [field],
  confidence,
  reason,
})

/** Returns why a mapping does not make records; null when it does. */
function problemOf(columns: Proposed[]): string | null {
  try {
    mappingFrom({ columns })
    return null
  } catch (error) {
    if (error instanceof FileProblem) return error.message
    throw error
  }
}

async function taken(
  table: Table,
  found: Recognized,
  finding: Omit<Finding, 'office'>,
): Promise<Omit<Inspected, 'file' | 'form'>> {
  if (found.as === 'software') {
    const { mapping, others } = found
    const problem =
      others.length > 0 ? `It has the columns of ${others.join(' and of ')} as well. Remove those of one.` : null
    const source = `${mapping.source} ${mapping.file}`
    const columns = await columnsBy(table, (column) => filledBy(mapping, column), 'known of this export')
    return { taken: 'software', source, columns, problem }
  }
  if (found.as === 'ours') {
    const { kind } = found
    const columns = await columnsBy(
      table,
      (column) =>
        kind.columns
          .filter(({ headers, aliases = [] }) => [...headers, ...aliases].some((name) => plain(name) === plain(column)))
          .map(({ field }) => field),
      'one of our own columns',
    )
    return { taken: 'ours', source: `Plumbline ${kind.file}`, columns, problem: null }
  }
  const rows = await firstRows(table)
  const kept = found.as === 'kept' ? found.kept.columns : []
  const proposed = correct(propose(table.header, rows), [
    ...(finding.map ?? []).filter(({ file = table.name }) => file === table.name),
    ...kept,
  ])
  const source = found.as === 'kept' ? 'Mapped before' : null
  return {
    taken: found.as === 'kept' ? 'kept' : 'guessed',
    source,
    columns: proposed.map(shown),
    problem: problemOf(proposed),
  }
}

/** Inspects a file: what it is taken for, and what each of its columns fills. Nothing is stored. */
export async function inspectFile(
  path: string,
  name: string,
  finding: Omit<Finding, 'office'> = {},
): Promise<Inspected> {
  const own = KINDS.find(({ file }) => file === name.toLowerCase())
  try {
    const knows = (cells: string[]) => (own !== undefined && fits(own, cells)) || recognize(cells) !== undefined
    const table = await openTable({ path, name }, knows)
    const found =
      own && fits(own, table.header) ? { as: 'ours' as const, kind: own } : await recognizeTable(table, KINDS, finding)
    return { file: name, form: formOf(table), ...(await taken(table, found, finding)) }
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error
    return { file: name, taken: 'unusable', source: null, form: null, columns: [], problem: error.message }
  }
}
