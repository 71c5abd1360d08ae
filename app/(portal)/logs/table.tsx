import { Fragment } from 'react'
import { type Column, Table } from '@/app/ui/table'
import type { LogRow } from '@/lib/portal/log-rows'
import { Status } from './status'

/** `2026-11-21 10:21:03.120`: in a log, milliseconds show what came first. */
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

const COLUMNS: Column<LogRow>[] = [
  {
    name: 'request',
    width: 'sm:w-56',
    head: 'Request',
    mono: true,
    cell: (row) => (
      <>
        <a href={`/logs/${row.id}`} className="block wrap-anywhere">
          {row.method} {broken(row.path)}
        </a>
        {asked(row) && <span className="text-quiet">{asked(row)}</span>}
      </>
    ),
  },
  {
    name: 'status',
    width: 'sm:w-32',
    head: 'Status',
    cell: ({ status, errorCode }) => (
      <span className="flex flex-wrap items-center gap-x-2">
        <Status status={status} errorCode={errorCode} />
        {errorCode && <span className="font-mono text-sm text-quiet">{errorCode}</span>}
      </span>
    ),
  },
  {
    name: 'key',
    width: 'sm:w-40',
    head: 'Key',
    cell: ({ keyName }) => keyName,
  },
  { name: 'address', width: 'sm:w-38', head: 'Address', mono: true, cell: ({ address }) => address },
  {
    name: 'duration',
    width: 'sm:w-26',
    head: 'Duration',
    end: true,
    mono: true,
    cell: ({ durationMs }) => <span className="whitespace-nowrap">{durationMs.toFixed(1)} ms</span>,
  },
  {
    name: 'at',
    width: 'sm:w-56',
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
