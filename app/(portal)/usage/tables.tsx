import type { ReactNode } from 'react'
import { type Column, Table } from '@/app/ui/table'
import { Time } from '@/app/ui/time'
import { type FilterValues, logHref } from '../logs/filters'

type Counts = { requests: number; errors: number; limited: number }
export type EndpointUsage = Counts & { endpoint: string; face: 'api' | 'mcp'; meanMs: number }
export type KeyUsage = Counts & { keyId: string; name: string; lastUsedAt: string | null }

const figure = (value: number) => value.toLocaleString('en-US')
const percent = (part: number, whole: number) => (whole === 0 ? '0' : ((part / whole) * 100).toFixed(1))

/** A figure that links to the requests it counts; plain text when it is zero. */
const linked = (count: number, filters: FilterValues, of: string) =>
  count === 0 ? (
    '0'
  ) : (
    <a href={logHref(filters)}>
      {figure(count)}
      <span className="sr-only"> {of}: show them</span>
    </a>
  )

/** Columns of counts, each with links to the matching requests. Errors are split into 4xx and 5xx, as in the log. */
function countColumns<Row extends Counts>(
  filtersOf: (row: Row) => FilterValues,
  nameOf: (row: Row) => string,
): Column<Row>[] {
  return [
    {
      name: 'requests',
      width: 'sm:w-28',
      head: 'Requests',
      end: true,
      cell: (row) => linked(row.requests, filtersOf(row), `requests of ${nameOf(row)}`),
    },
    {
      name: 'errors',
      width: 'sm:w-40',
      head: 'Errors',
      end: true,
      cell: (row) => <Errors row={row} filters={filtersOf(row)} of={nameOf(row)} />,
    },
    {
      name: 'limited',
      width: 'sm:w-28',
      head: 'Limit hits',
      end: true,
      cell: (row) => linked(row.limited, { ...filtersOf(row), status: 'limited' }, `limit hits of ${nameOf(row)}`),
    },
  ]
}

function Errors({ row, filters, of }: { row: Counts; filters: FilterValues; of: string }): ReactNode {
  if (row.errors === 0) return '0'
  return (
    <span className="inline-flex flex-wrap justify-end gap-x-2">
      <span className="whitespace-nowrap">
        <a href={logHref({ ...filters, status: 'failed' })}>
          {figure(row.errors)}
          <span className="sr-only"> errors of {of}: show them</span>
        </a>{' '}
        <span className="text-quiet">({percent(row.errors, row.requests)} %)</span>
      </span>
    </span>
  )
}

type EndpointProps = { rows: EndpointUsage[]; common: FilterValues }

/** Usage by endpoint, busiest first. `common` holds the page's filters. */
export function EndpointTable({ rows, common }: EndpointProps) {
  const filtersOf = ({ endpoint, face }: EndpointUsage): FilterValues => ({
    ...common,
    endpoint,
    path: face === 'mcp' ? '/mcp' : '/api',
  })
  const columns: Column<EndpointUsage>[] = [
    { name: 'endpoint', width: 'sm:w-56', head: 'Operation', mono: true, cell: ({ endpoint }) => endpoint },
    { name: 'face', width: 'sm:w-20', head: 'Via', cell: ({ face }) => (face === 'mcp' ? 'MCP' : 'API') },
    ...countColumns(filtersOf, ({ endpoint }) => endpoint),
    {
      name: 'mean',
      width: 'sm:w-32',
      head: 'Mean time',
      end: true,
      cell: ({ meanMs }) => <span className="whitespace-nowrap">{meanMs.toFixed(1)} ms</span>,
    },
  ]
  return (
    <Table caption="Usage by operation" columns={columns} rows={rows} rowKey={(row) => `${row.face} ${row.endpoint}`} />
  )
}

/** Usage by key, busiest first. */
export function KeyTable({ rows, common }: { rows: KeyUsage[]; common: FilterValues }) {
  const columns: Column<KeyUsage>[] = [
    { name: 'key', width: 'sm:w-52', head: 'Key', cell: ({ name }) => name },
    ...countColumns<KeyUsage>(
      ({ keyId }) => ({ ...common, key: keyId }),
      ({ name }) => name,
    ),
    {
      name: 'used',
      width: 'sm:w-50',
      head: 'Last used',
      cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={new Date(lastUsedAt)} /> : 'Never'),
    },
  ]
  return <Table caption="Usage by key" columns={columns} rows={rows} rowKey={({ keyId }) => keyId} />
}
