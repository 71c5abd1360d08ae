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
      {item.reason && !isRecovered && <span className="line-clamp-2 wrap-anywhere">{cleanText(item.reason)}</span>}
      {item.replayOf && <span className="block text-sm text-quiet">replay of an earlier delivery</span>}
      {item.replayOutcome && !isRecovered && (
        <span className="block text-sm text-quiet">replayed: {item.replayOutcome}</span>
      )}
    </>
  )
}

const COLUMNS: Column<Row>[] = [
  {
    name: 'name',
    width: 'sm:w-32',
    head: 'Name',
    cell: ({ id, name }) => (
      <a href={`/leads/${id}`} className="block wrap-anywhere">
        {name ? cleanText(name) : 'No name'}
      </a>
    ),
  },
  {
    name: 'contact',
    width: 'sm:w-38',
    head: 'Phone or email',
    cell: ({ phone, email }) => <span className="wrap-anywhere">{cleanText(phone ?? email ?? 'none')}</span>,
  },
  {
    name: 'outcome',
    width: 'sm:w-36',
    head: 'Outcome',
    cell: ({ outcome, status }) => (
      <span className="flex items-center gap-1.5">
        <Badge tone={OUTCOME_TONES[outcome]}>{outcome}</Badge>
        <span className="font-mono text-sm text-quiet">{status}</span>
      </span>
    ),
  },
  {
    name: 'source',
    width: 'sm:w-36',
    head: 'Source and key',
    cell: ({ source, keyName }) => (
      <>
        {cleanText(source)}
        <span className="block text-sm text-quiet">{keyName}</span>
      </>
    ),
  },
  { name: 'result', width: 'sm:w-52', head: 'Project or reason', cell: (item) => <Result item={item} /> },
  { name: 'time', width: 'sm:w-50', head: 'Received', cell: ({ receivedAt }) => <Time at={receivedAt} /> },
]

type Props = {
  items: Delivery[]
  /** Returns the name of a key. */
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
