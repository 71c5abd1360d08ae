import { basename } from 'node:path'
import { FileProblem } from '../fault'
import { recognize } from '../sources/recognize'
import { headOf, openDelimited } from './delimited'
import { isIif, openIif } from './iif'
import type { KnowsHeader, Table, TableSource } from './table'
import { Decoder } from './text'

/** The first bytes of files that are no tables, and what to do with them. */
const NO_TABLE: [bytes: string, what: string][] = [
  ['d0cf11e0', 'an old Excel workbook (.xls). Save it as .xlsx or CSV'],
  ['25504446', 'a PDF. Export the report as CSV or Excel'],
  ['1f8b', 'compressed with gzip. Unpack it'],
  ['377abcaf', 'a 7z archive. Unpack it'],
  ['52617221', 'a RAR archive. Unpack it'],
]

const isOfVendor: KnowsHeader = (cells) => recognize(cells) !== undefined

/**
 * Opens a CSV, TSV, semicolon-separated, IIF or XLSX file in UTF-8, UTF-16 or Windows-1252 as a table, whatever stands above its header.
 * It reads the beginning of the file; rows are read as a stream when they are asked for.
 * @param knows whether somebody knows a row as a header; without it, whether a vendor's export has it
 * @throws FileProblem when it is no table or cannot be read
 */
export async function openTable({ path, name = basename(path) }: TableSource, knows = isOfVendor): Promise<Table> {
  const { bytes } = await headOf(path, 512)
  const first = bytes.toString('hex', 0, 8)
  const not = NO_TABLE.find(([start]) => first.startsWith(start))
  if (not) throw new FileProblem(`The file is ${not[1]}, and load that.`)
  if (first.startsWith('504b0304')) return await (await import('./xlsx')).openXlsx(path, name, knows)
  return isIif(new Decoder().write(bytes)) ? await openIif(path, name) : await openDelimited(path, name, knows)
}
