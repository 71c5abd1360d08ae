import type * as z from 'zod'
import { Badge } from '@/app/ui/badge'
import type { TableColumn } from '@/app/ui/data-column'
import { DataTable } from '@/app/ui/data-table'
import type { Desk } from '@/lib/core/desk'
import { type getStatus, MOST_WAITING } from '@/lib/operations/status/get-status'

type Work = z.output<typeof getStatus.output>['work'][number]

const STATES = {
  ok: { tone: 'good', word: 'Succeeded' },
  failed: { tone: 'danger', word: 'Failed' },
  late: { tone: 'danger', word: 'Late' },
  unfinished: { tone: 'warn', word: 'Unfinished' },
  pending: { tone: 'neutral', word: 'Not run yet' },
} as const satisfies Record<Work['state'], { tone: string; word: string }>

const waitingText = (waiting: number | null) =>
  waiting === null ? undefined : `${waiting.toLocaleString('en-US')}${waiting >= MOST_WAITING ? ' or more' : ''}`

const COLUMNS: TableColumn<Work>[] = [
  { name: 'work', head: 'Background work', kind: 'text', isLong: true, value: ({ title }) => title },
  { name: 'ran', head: 'Last run', kind: 'moment', value: ({ ranAt }) => ranAt },
  {
    name: 'state',
    head: 'Result',
    kind: 'parts',
    parts: ({ state, unfinished }) => (
      <>
        <Badge tone={STATES[state].tone}>{STATES[state].word}</Badge>
        {unfinished.length > 0 && <span className="ms-2 text-sm text-quiet">Left: {unfinished.join(', ')}</span>}
      </>
    ),
  },
  { name: 'waiting', head: 'Waiting', kind: 'count', value: ({ waiting }) => waitingText(waiting) },
]

/** Shows when each kind of background work last ran, how that ended, and what waits for it. */
export function BackgroundWork({ work, desk }: { work: Work[]; desk: Desk }) {
  return (
    <DataTable
      desk={desk}
      caption="Background work: the last run of each kind, and what waits for it"
      captionShown
      columns={COLUMNS}
      rows={work}
      rowKey={({ job }) => job}
    />
  )
}
