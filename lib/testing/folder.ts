import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

/** Runs work on a folder with these files, and deletes it. */
export async function inFolder<T>(
  files: Record<string, string | Uint8Array>,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-load-'))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
