import { type Column, Table } from '@/app/ui/table'
import type { LogRow } from '@/lib/portal/log-rows'
import { Status } from './status'

/** `2026-11-21 10:21:03.120`: in a log, milliseconds show what came first. */
const moment = (at: string) => at.slice(0, 23).replace('T', ' ')

/** Returns the MCP method or tool, because over MCP every path is the same. */
const asked = ({ mcpMethod, endpoint }: LogRow) => (mcpMethod === 'tools/call' ? endpoint : mcpMethod)

const COLUMNS: Column<LogRow>[] = [
  {
    name: 'request',
    head: 'Request',
    mono: true,
    cell: (row) => (
      <>
        <a href={`/logs/${row.id}`} className="block max-w-96 min-w-40 wrap-anywhere">
          {row.method} {row.path}
        </a>
        {asked(row) && <span className="text-quiet">{asked(row)}</span>}
      </>
    ),
  },
  {
    name: 'status',
    head: 'Status',
    cell: ({ status, errorCode }) => (
      <span className="flex flex-wrap items-center gap-x-2">
        <Status status={status} errorCode={errorCode} />
        {errorCode && <span className="font-mono text-sm text-quiet">{errorCode}</span>}
      </span>
    ),
  },
  { name: 'key', head: 'Key', cell: ({ keyName }) => <span className="block min-w-24">{keyName}</span> },
  { name: 'address', head: 'Address', mono: true, cell: ({ address }) => address },
  {
    name: 'duration',
    head: 'Duration',
    end: true,
    mono: true,
    cell: ({ durationMs }) => <span className="whitespace-nowrap">{durationMs.toFixed(1)} ms</span>,
  },
  {
    name: 'at',
    head: 'Time (UTC)',
    mono: true,
    cell: ({ at }) => (
      <time dateTime={at} className="whitespace-nowrap">
        {moment(at)}
      </time>
    ),
  },
]

/** Requests, one per row; used on the server and in the live view. */
export function LogTable({ rows }: { rows: LogRow[] }) {
  return <Table caption="Requests, newest first" columns={COLUMNS} rows={rows} rowKey={({ id }) => id} />
}
