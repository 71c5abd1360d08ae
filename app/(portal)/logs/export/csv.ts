import { stringify } from 'csv-stringify/sync'
import type { z } from 'zod'
import type { Logged } from '@/lib/operations/requests/fields'

type Row = z.output<typeof Logged> & { keyName: string }

const COLUMNS: [header: string, cell: (row: Row) => string | number | null][] = [
  ['id', ({ id }) => id],
  ['time', ({ at }) => at],
  ['method', ({ method }) => method],
  ['path', ({ path }) => path],
  ['query', ({ query }) => query],
  ['operation', ({ endpoint }) => endpoint],
  ['mcp_method', ({ mcpMethod }) => mcpMethod],
  ['status', ({ status }) => status],
  ['error_code', ({ errorCode }) => errorCode],
  ['error_message', ({ errorMessage }) => errorMessage],
  ['error_fields', ({ errorFields }) => errorFields?.join(' ') ?? null],
  ['key', ({ keyName }) => keyName],
  ['key_id', ({ keyId }) => keyId],
  ['address', ({ address }) => address],
  ['duration_ms', ({ durationMs }) => durationMs],
  ['client', ({ userAgent }) => userAgent],
]

/** The header line of the file. */
export const CSV_HEAD = `${COLUMNS.map(([header]) => header).join(',')}\n`

/** Formats requests as CSV lines. A cell that a spreadsheet would run as a formula gets a leading apostrophe, because callers choose paths and clients. */
export const csvOf = (rows: Row[]): string =>
  stringify(
    rows.map((row) => COLUMNS.map(([, cell]) => cell(row))),
    { escape_formulas: true },
  )
