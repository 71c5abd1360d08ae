import { Fragment } from 'react'
import { Badge, statusTone } from '@/app/ui/badge'
import type { TableColumn } from '@/app/ui/data-column'
import { DataTable } from '@/app/ui/data-table'
import type { LogRow } from '@/lib/portal/log-rows'

/** The status as the log shows it. An MCP error under a 200 is marked as an error. */
export function Status({ status, errorCode }: { status: number; errorCode: string | null }) {
  return <Badge tone={errorCode && status < 400 ? 'warn' : statusTone(status)}>{status}</Badge>
}

/** Returns a time such as `2026-11-21 10:21:03.120`: in a log, milliseconds show what came first. */
const moment = (at: string) => at.slice(0, 23).replace('T', ' ')

/** A path that breaks behind its slashes rather than within a word. */
const broken = (path: string) =>
  [...path.matchAll(/[^/]*\/|[^/]+$/g)].map(({ 0: part, index }) => (
    <Fragment key={index}>
      {part}
      <wbr />
    </Fragment>
  ))

/** Returns the MCP method or tool, because over MCP every path is the same. */
const asked = ({ mcpMethod, endpoint }: LogRow) => (mcpMethod === 'tools/call' ? endpoint : mcpMethod)

const COLUMNS: (TableColumn<LogRow> & { isExtra?: true })[] = [
  {
    name: 'request',
    head: 'Request',
    kind: 'parts',
    parts: (row) => (
      <span className="font-mono text-sm font-normal">
        <a href={`/logs/${row.id}`} className="block">
          {row.method} {broken(row.path)}
        </a>
        {asked(row) && <span className="text-quiet">{asked(row)}</span>}
      </span>
    ),
  },
  {
    name: 'status',
    head: 'Status',
    kind: 'parts',
    width: '@xl:w-36',
    parts: ({ status, errorCode }) => (
      <span className="flex flex-wrap items-center gap-x-2">
        <Status status={status} errorCode={errorCode} />
        {errorCode && <span className="font-mono text-sm text-quiet">{errorCode}</span>}
      </span>
    ),
  },
  { name: 'endpoint', head: 'Operation', kind: 'text', rank: 2, isExtra: true, value: ({ endpoint }) => endpoint },
  { name: 'key', head: 'Key', kind: 'text', rank: 2, value: ({ keyName }) => keyName },
  { name: 'address', head: 'Address', kind: 'code', rank: 3, value: ({ address }) => address },
  {
    name: 'duration',
    head: 'Duration',
    kind: 'parts',
    isFigure: true,
    width: '@xl:w-26',
    rank: 2,
    parts: ({ durationMs }) => <span className="whitespace-nowrap">{durationMs.toFixed(1)} ms</span>,
  },
  { name: 'id', head: 'ID', kind: 'code', rank: 2, isExtra: true, value: ({ id }) => id },
  {
    name: 'at',
    head: 'Time (UTC)',
    kind: 'parts',
    width: '@xl:w-50',
    parts: ({ at }) => (
      <time dateTime={at} className="font-mono text-sm whitespace-nowrap">
        {moment(at)}
      </time>
    ),
  },
]

/** The log as a list whose columns people choose. */
export const LOG_LIST = { name: 'logs', columns: COLUMNS }

/** Requests, one per row, with the columns that have been chosen; used on the server and in the live view. */
export function LogTable({ rows, shown }: { rows: LogRow[]; shown: readonly string[] }) {
  const columns = COLUMNS.filter(({ name }) => shown.includes(name))
  return <DataTable caption="Requests, newest first" columns={columns} rows={rows} rowKey={({ id }) => id} />
}
