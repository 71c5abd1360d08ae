import { createHash } from 'node:crypto'
import { plain } from '../columns'
import { FileProblem } from '../fault'
import { findTarget, TARGETS } from './fields'
import type { Assigned } from './propose'

/** The column that says why a row was refused. A corrected file with it has the shape of the one it came from. */
export const REASON_COLUMN = 'Refused because'

/** The shape of a file: its columns, in any order, without case, spaces and punctuation. Files of one shape are mapped alike. */
export const shapeOf = (header: string[]): string =>
  createHash('sha256')
    .update(
      JSON.stringify(
        [...new Set(header.map(plain))].filter((name) => name !== '' && name !== plain(REASON_COLUMN)).sort(),
      ),
    )
    .digest('hex')
    .slice(0, 32)

/** The key of the question whether rows of files of a shape are lines of documents. */
export const linesKey = (header: string[]): string => `lines of ${shapeOf(header).slice(0, 8)}`

/** The valid fields, as an error lists them. */
const FIELDS = TARGETS.map(({ field }) => field).join(', ')

/**
 * Reads `Column=field`, where the field may be `none`.
 * @throws FileProblem that lists the fields
 */
export function parseAssigned(text: string): Assigned {
  const at = text.lastIndexOf('=')
  const [column, field] = [text.slice(0, at).trim(), text.slice(at + 1).trim()]
  if (at < 1 || column === '')
    throw new FileProblem(`${JSON.stringify(text)} must be "Column=field", such as "Cust Ph=customers.phone".`)
  if (field === '' || field === 'none') return { column, field: null }
  const found = findTarget(field) ?? TARGETS.find((target) => target.field.toLowerCase() === field.toLowerCase())
  if (found) return { column, field: found.field }
  throw new FileProblem(
    `There is no field ${JSON.stringify(field)}. The fields are ${FIELDS}; none leaves the column out.`,
  )
}

/** The key of the question what the rows of a table are. */
export const kindKey = (header: string[]): string => `kind:${shapeOf(header)}`
