import type { z } from 'zod'
import { Badge, statusTone } from '@/app/ui/badge'
import { type Column, Table } from '@/app/ui/table'
import { Time } from '@/app/ui/time'
import { cleanText } from '@/lib/core/clean'
import type { listLeadDeliveries } from '@/lib/operations/deliveries'
import { OUTCOME_TONES } from './outcomes'

type Delivery = z.output<typeof listLeadDeliveries.output>['items'][number]

function Result({ item }: { item: Delivery }) {
  const project = item.projectId ?? item.replayProjectId
  return (
    <>
      {project && (
        <a href={`/data/projects/${project}`} className="whitespace-nowrap">
          {item.jobNumber === null ? 'Project' : `Job ${item.jobNumber}`}
        </a>
      )}
      {item.reason && <span className="line-clamp-2 max-w-md min-w-56">{cleanText(item.reason)}</span>}
      {item.replayOf && <span className="block text-sm text-quiet">replay of an earlier one</span>}
      {item.replayOutcome && <span className="block text-sm text-quiet">replayed: {item.replayOutcome}</span>}
    </>
  )
}

const COLUMNS: Column<Delivery>[] = [
  {
    name: 'time',
    head: 'Received',
    cell: (item) => (
      <a href={`/leads/${item.id}`}>
        <Time at={item.receivedAt} seconds />
      </a>
    ),
  },
  {
    name: 'outcome',
    head: 'Outcome',
    cell: ({ outcome }) => <Badge tone={OUTCOME_TONES[outcome]}>{outcome}</Badge>,
  },
  { name: 'status', head: 'Status', cell: ({ status }) => <Badge tone={statusTone(status)}>{status}</Badge> },
  { name: 'source', head: 'Source', cell: ({ source }) => cleanText(source) },
  { name: 'result', head: 'Project or reason', cell: (item) => <Result item={item} /> },
  { name: 'key', head: 'Key', mono: true, cell: ({ keyId }) => keyId ?? 'none' },
]

/** Deliveries, each with a link to its own page. */
export const DeliveryTable = ({ items }: { items: Delivery[] }) => (
  <Table caption="Deliveries, newest first" columns={COLUMNS} rows={items} rowKey={({ id }) => id} />
)
