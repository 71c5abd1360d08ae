import type * as z from 'zod'
import type { DataColumn } from '@/app/ui/data-column'
import { DataTable } from '@/app/ui/data-table'
import type { Desk } from '@/lib/core/desk'
import { phoneText } from '@/lib/core/phone'
import type { listLeadDeliveries } from '@/lib/operations/deliveries'
import { FIELD_LABELS } from './[id]/fixes'
import { OUTCOME_TEXTS, OUTCOME_TONES } from './outcomes'
import { sourceTitle } from './sources'

type Delivery = z.output<typeof listLeadDeliveries.output>['items'][number]

const projectOf = ({ projectId, replayProjectId }: Delivery) => projectId ?? replayProjectId
const isFixed = (delivery: Delivery) => delivery.projectId === null && projectOf(delivery) !== null

/** Returns why a delivery has no job, as a sentence that begins with the name of its field. */
const sentenceOf = (reason: string) => reason.replace(/^(\w+):/, (all, field) => FIELD_LABELS[field] ?? all)

/** Returns the result of a delivery: its job, why it has none, or what became of it when it was replayed. */
function resultOf(delivery: Delivery): string | null {
  const { jobNumber, replayJobNumber, replayOf, replayOutcome, reason } = delivery
  if (projectOf(delivery) !== null) {
    const number = jobNumber ?? replayJobNumber
    return number === null ? 'Project' : `Job ${number}`
  }
  if (replayOutcome) return `Replayed: ${OUTCOME_TEXTS[replayOutcome].toLowerCase()}`
  return (reason && sentenceOf(reason)) ?? (replayOf ? 'Replay of an earlier one' : null)
}

const columnsOf = ({ country }: Desk): DataColumn<Delivery>[] => [
  {
    name: 'name',
    head: 'Name',
    kind: 'text',
    value: ({ name }) => name ?? 'No name',
    href: ({ id }) => `/leads/${id}`,
  },
  {
    name: 'contact',
    head: 'Phone or email',
    kind: 'text',
    value: (item) => (item.phone ? phoneText(item.phone, country) : item.email),
    rank: 2,
  },
  { name: 'source', head: 'Source', kind: 'text', value: ({ source }) => sourceTitle(source), rank: 3 },
  {
    name: 'outcome',
    head: 'Status',
    kind: 'status',
    value: (item) => (isFixed(item) ? 'Fixed' : OUTCOME_TEXTS[item.outcome]),
    tone: (item) => (isFixed(item) ? 'good' : OUTCOME_TONES[item.outcome]),
  },
  {
    name: 'result',
    head: 'Result',
    kind: 'text',
    value: resultOf,
    href: (item) => {
      const project = projectOf(item)
      return project === null ? undefined : `/projects/${project}`
    },
    rank: 2,
  },
  { name: 'time', head: 'Received', kind: 'moment', value: ({ receivedAt }) => receivedAt },
]

/** What lead sources sent, newest first, each row with a page of its own. */
export const DeliveryTable = ({ items, desk }: { items: Delivery[]; desk: Desk }) => (
  <DataTable caption="Leads, newest first" columns={columnsOf(desk)} rows={items} rowKey={({ id }) => id} desk={desk} />
)
