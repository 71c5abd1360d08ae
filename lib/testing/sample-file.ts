import type { CsvColumn } from '@/lib/resources/csv'
import type { Resource } from '@/lib/resources/define'

/** A row of a sample file: what the record is called, whom it is for, and its amount. */
export type SampleRow = { reference: string; customer: string; project: string; amount: string }

/** Returns a cell that a column takes; blank where it need not be filled. */
function cellFor({ cell, names, required }: CsvColumn, { reference, customer, project, amount }: SampleRow): string {
  if (names !== undefined) return names === 'customer' ? customer : project
  if (cell === 'reference') return reference
  if (cell === 'sum' || cell === 'money') return amount
  if (!required) return ''
  if (cell === 'moment' || cell === 'day') return '2026-01-05'
  if (typeof cell === 'string') return ''
  return 'text' in cell ? reference : (Object.keys('oneOf' in cell ? cell.oneOf : cell.oneOfOrNone)[0] ?? '')
}

/** Returns the file of a resource with these rows, made of its definition. */
export function sampleFile({ csv }: Resource, rows: SampleRow[]): string {
  const columns = csv.columns.filter(({ alsoOf }) => alsoOf === undefined)
  const lines = rows.map((row) => columns.map((column) => cellFor(column, row)).join(','))
  return [columns.map(({ headers }) => headers[0]).join(','), ...lines, ''].join('\n')
}
