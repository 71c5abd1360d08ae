import type { z } from 'zod'
import { Badge } from '@/app/ui/badge'
import { type Column, Table } from '@/app/ui/table'
import { Time } from '@/app/ui/time'
import { cleanText } from '@/lib/core/clean'
import type { listLeadDeliveries } from '@/lib/operations/deliveries'
import { OUTCOME_TONES } from './outcomes'

type Delivery = z.output<typeof listLeadDeliveries.output>['items'][number]
type Row = Delivery & { keyName: string }

function Result({ item }: { item: Row }) {
  const project = item.projectId ?? item.replayProjectId
  const jobNumber = item.jobNumber ?? item.replayJobNumber
  const isRecovered = item.projectId === null && project !== null
  const name = jobNumber === null ? 'project' : `job ${jobNumber}`
  return (
    <>
      {project && (
        <a href={`/data/projects/${project}`} className="whitespace-nowrap">
          {isRecovered ? `Recovered as ${name}` : name.replace(/^./, (first) => first.toUpperCase())}
        </a>
      )}
      {item.reason && !isRecovered && (
        <span className="line-clamp-2 wrap-anywhere sm:max-w-md sm:min-w-56">{cleanText(item.reason)}</span>
      )}
      {item.replayOf && <span className="block text-sm text-quiet">replay of an earlier one</span>}
      {item.replayOutcome && !isRecovered && (
        <span className="block text-sm text-quiet">replayed: {item.replayOutcome}</span>
      )}
    </>
  )
}

const COLUMNS: Column<Row>[] = [
  {
    name: 'name',
    head: 'Name',
    cell: ({ id, name }) => (
      <a href={`/leads/${id}`} className="block wrap-anywhere sm:min-w-28">
        {name ? cleanText(name) : 'No name'}
      </a>
    ),
  },
  {
    name: 'contact',
    head: 'Phone or email',
    cell: ({ phone, email }) => <span className="wrap-anywhere">{cleanText(phone ?? email ?? 'none')}</span>,
  },
  {
    name: 'outcome',
    head: 'Outcome',
    cell: ({ outcome, status }) => (
      <span className="flex items-center gap-1.5">
        <Badge tone={OUTCOME_TONES[outcome]}>{outcome}</Badge>
        <span className="font-mono text-sm text-quiet">{status}</span>
      </span>
    ),
  },
  { name: 'source', head: 'Source', cell: ({ source }) => cleanText(source) },
  { name: 'result', head: 'Project or reason', cell: (item) => <Result item={item} /> },
  { name: 'time', head: 'Received', cell: ({ receivedAt }) => <Time at={receivedAt} seconds /> },
  { name: 'key', head: 'Key', cell: ({ keyName }) => <span className="block sm:min-w-24">{keyName}</span> },
]

type Props = {
  items: Delivery[]
  /** The name of a key by its id. */
  nameOfKey: (keyId: string | null) => string
}

/** Deliveries, each with a link to its own page. */
export const DeliveryTable = ({ items, nameOfKey }: Props) => (
  <Table
    caption="Deliveries, newest first"
    columns={COLUMNS}
    rows={items.map((item) => ({ ...item, keyName: nameOfKey(item.keyId) }))}
    rowKey={({ id }) => id}
  />
)
