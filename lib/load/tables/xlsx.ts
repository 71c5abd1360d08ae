import type { CsvRecord } from '../csv-record'
import { FileProblem } from '../report'
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

async function firstRows(path: string, sheet: string, book: Workbook): Promise<CsvRecord[]> {
  const rows: CsvRecord[] = []
  for await (const row of rowsOf(path, sheet, book)) {
    rows.push(row)
    if (rows.length === FIRST_ROWS) break
  }
  return rows
}

/** Opens an XLSX workbook: the first sheet with a header that is known, otherwise the first that has rows. */
export async function openXlsx(path: string, name: string, knows: KnowsHeader): Promise<Table> {
  const parts = await Parts.open(path)
  const book = await readWorkbook(parts).finally(() => parts.close())
  let chosen: { sheet: Workbook['sheets'][number]; rows: CsvRecord[] } | undefined
  for (const sheet of book.sheets) {
    const rows = await firstRows(path, sheet.path, book)
    const isKnown = rows.some(({ cells }) => knows(cells))
    if (rows.length > 0 && (isKnown || !chosen)) chosen = { sheet, rows }
    if (isKnown) break
  }
  if (!chosen) throw new FileProblem('The workbook is empty. A sheet must have a row that names the columns.')
  const { sheet, rows } = chosen
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
