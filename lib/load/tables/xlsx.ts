import { MEGABYTE } from '@/lib/core/uploads'
import type { CsvRecord } from '../csv'
import { FileProblem } from '../fault'
import { after } from './delimited'
import { readSheet } from './sheet'
import { FIRST_ROWS, headerAmong, type KnowsHeader, type Table } from './table'
import { readWorkbook, type Workbook } from './workbook'
import { Parts } from './zip'

/** Reads a sheet as a stream, from the start. */
async function* rowsOf(path: string, sheet: string, book: Workbook): AsyncGenerator<CsvRecord> {
  const parts = await Parts.open(path)
  try {
    yield* readSheet(parts.read(sheet), book)
  } finally {
    parts.close()
  }
}

/** The most bytes inflated of all sheets together to see which is the one to read: without it, each of 200 may be gigabytes of nothing. */
const MOST_LOOKED = 256 * MEGABYTE

async function firstRows(parts: Parts, sheet: string, book: Workbook, most: number): Promise<CsvRecord[]> {
  const rows: CsvRecord[] = []
  for await (const row of readSheet(parts.read(sheet, most), book)) {
    rows.push(row)
    if (rows.length === FIRST_ROWS) break
  }
  return rows
}

type Chosen = { sheet: Workbook['sheets'][number]; rows: CsvRecord[] }

/** Chooses the sheet to read, and reads its first rows. @throws FileProblem when there is none, or too much to look through */
async function choose(parts: Parts, book: Workbook, knows: KnowsHeader): Promise<Chosen> {
  const before = parts.inflated
  let chosen: Chosen | undefined
  for (const sheet of book.sheets) {
    const rows = await firstRows(parts, sheet.path, book, before + MOST_LOOKED - parts.inflated)
    const isKnown = rows.some(({ cells }) => knows(cells))
    if (rows.length > 0 && (isKnown || !chosen)) chosen = { sheet, rows }
    if (isKnown) break
  }
  if (chosen) return chosen
  throw new FileProblem('The workbook is empty. A sheet must have a row that names the columns.')
}

/** Opens an XLSX workbook: the first sheet with a header that is known, otherwise the first that has rows. */
export async function openXlsx(path: string, name: string, knows: KnowsHeader): Promise<Table> {
  const parts = await Parts.open(path)
  const { book, sheet, rows } = await readWorkbook(parts)
    .then(async (book) => ({ book, ...(await choose(parts, book, knows)) }))
    .finally(() => parts.close())
  const at = headerAmong(
    rows.map(({ cells }) => cells),
    knows,
  )
  const headerRow = rows[at]?.line ?? 1
  const sheets = book.sheets.map(({ name }) => name)
  return {
    name,
    format: { kind: 'workbook', sheet: sheet.name, sheets, headerRow },
    header: (rows[at]?.cells ?? []).map((cell) => (cell ?? '').trim()),
    preamble: rows.slice(0, at).map(({ cells }) => cells),
    rows: { [Symbol.asyncIterator]: () => after(rowsOf(path, sheet.path, book), headerRow) },
    notes: sheets.length > 1 ? [`Of ${sheets.length} sheets, ${JSON.stringify(sheet.name)} is read.`] : [],
  }
}
