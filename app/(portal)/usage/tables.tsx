import type { ReactNode } from 'react'
import type { PartsColumn } from '@/app/ui/data-column'
import { DataTable } from '@/app/ui/data-table'
import type { Desk } from '@/lib/core/desk'
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
): PartsColumn<Row>[] {
  return [
    {
      name: 'requests',
      head: 'Requests',
      kind: 'parts',
      isFigure: true,
      width: '@xl:w-24',
      parts: (row) => linked(row.requests, filtersOf(row), `requests of ${nameOf(row)}`),
    },
    {
      name: 'errors',
      head: 'Errors',
      kind: 'parts',
      isFigure: true,
      width: '@xl:w-36',
      parts: (row) => <Errors row={row} filters={filtersOf(row)} of={nameOf(row)} />,
    },
    {
      name: 'limited',
      head: 'Limit hits',
      kind: 'parts',
      isFigure: true,
      width: '@xl:w-24',
      parts: (row) => linked(row.limited, { ...filtersOf(row), status: 'limited' }, `limit hits of ${nameOf(row)}`),
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
  return (
    <DataTable
      caption="Usage by operation"
      columns={[
        { name: 'endpoint', head: 'Operation', kind: 'text', value: ({ endpoint }) => endpoint },
        {
          name: 'face',
          head: 'Via',
          kind: 'text',
          isShort: true,
          rank: 2,
          value: ({ face }) => (face === 'mcp' ? 'MCP' : 'API'),
        },
        ...countColumns(filtersOf, ({ endpoint }) => endpoint),
        {
          name: 'mean',
          head: 'Mean time',
          kind: 'parts',
          isFigure: true,
          width: '@xl:w-28',
          rank: 2,
          parts: ({ meanMs }) => `${meanMs.toFixed(1)} ms`,
        },
      ]}
      rows={rows}
      rowKey={(row) => `${row.face} ${row.endpoint}`}
    />
  )
}

/** Usage by key, busiest first. */
export function KeyTable({ rows, common, desk }: { rows: KeyUsage[]; common: FilterValues; desk: Desk }) {
  return (
    <DataTable
      caption="Usage by key"
      desk={desk}
      columns={[
        { name: 'key', head: 'Key', kind: 'text', value: ({ name }) => name },
        ...countColumns<KeyUsage>(
          ({ keyId }) => ({ ...common, key: keyId }),
          ({ name }) => name,
        ),
        { name: 'used', head: 'Last used', kind: 'moment', rank: 2, value: ({ lastUsedAt }) => lastUsedAt },
      ]}
      rows={rows}
      rowKey={({ keyId }) => keyId}
    />
  )
}
