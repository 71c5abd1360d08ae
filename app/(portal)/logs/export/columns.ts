import type * as z from 'zod'
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

/** The header of the file. */
export const HEAD = COLUMNS.map(([header]) => header)

/** Returns a request's cells in the order of the header. */
export const cellsOf = (row: Row) => COLUMNS.map(([, cell]) => cell(row))
