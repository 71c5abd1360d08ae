import { type Column, type FileKind, plain } from './columns'
import { cut, FileProblem } from './fault'

/** The fields that each column of a file fills (usually one), all fields in the file, and the headers that are ignored. */
export type Layout = { columns: Column[][]; fields: string[]; ignored: string[] }

const headerOf = (kind: FileKind, field: string) =>
  kind.columns.find((column) => column.field === field)?.headers[0] ?? field

function refuseMissing(kind: FileKind, fields: string[]): void {
  const missing = kind.columns
    .filter(({ required, expected, field }) => (required || expected) && !fields.includes(field))
    .map(({ headers }) => headers[0])
  const { oneOf = [] } = kind
  if (oneOf.length > 0 && !oneOf.some((field) => fields.includes(field)))
    missing.push(oneOf.map((field) => headerOf(kind, field)).join(' or '))
  if (missing.length > 0)
    throw new FileProblem(
      `The column ${[...new Set(missing)].join(', ')} is missing. The first line must name the columns.`,
    )
}

/** The names a column is read under: its own, or where none of them is in the file, the first alias that is. */
function namesOf({ headers, aliases = [] }: Column, present: ReadonlySet<string>): string[] {
  const own = headers.map(plain)
  if (own.some((name) => present.has(name))) return own
  const alias = aliases.map(plain).find((name) => present.has(name))
  return alias === undefined ? own : [alias]
}

/**
 * Matches a file's header to the columns of its kind.
 * @throws FileProblem when a required column is missing or two headers mean the same
 */
export function matchHeader(kind: FileKind, header: string[]): Layout {
  const present = new Set(header.map(plain))
  const known = kind.columns.map((column) => ({ column, names: namesOf(column, present) }))
  const columns = header.map((name) => {
    const wanted = plain(name)
    return known.filter(({ names }) => names.includes(wanted)).map(({ column }) => column)
  })
  for (const [i, [column]] of columns.entries()) {
    const first = columns.findIndex(([other]) => other === column)
    if (column && first !== i)
      throw new FileProblem(
        `The columns ${cut(header[first] ?? '')} and ${cut(header[i] ?? '')} mean the same. Remove one.`,
      )
  }
  const fields = columns.flat().map(({ field }) => field)
  refuseMissing(kind, fields)
  const unknown = header.filter((name, i) => columns[i]?.length === 0 && name.trim() !== '')
  return { columns, fields, ignored: [...new Set(unknown.map((name) => cut(name.trim())))] }
}
