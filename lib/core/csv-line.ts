/** The characters that a spreadsheet takes for the beginning of a formula (OWASP, CSV injection), full-width forms included. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/
/** A number alone, such as a negative amount or a phone number, is harmless and must stay what it is. */
const NUMBER = /^[+-]?\d+(\.\d+)?$/
const QUOTED = /[",\r\n]/

/** A cell's text: quoted where it must be (RFC 4180), and behind an apostrophe where a spreadsheet would run it. */
function cellText(cell: string | number | null): string {
  if (cell === null || cell === '') return ''
  if (typeof cell === 'number') return String(cell)
  const text = FORMULA.test(cell) && !NUMBER.test(cell) ? `'${cell}` : cell
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A row as a line of CSV with its line end. */
export const csvLine = (cells: readonly (string | number | null)[]): string => `${cells.map(cellText).join(',')}\n`

/** What a file for people begins with: spreadsheets read it as UTF-8 only behind this mark. Programs' exports have none. */
export const CSV_MARK = '\uFEFF'
