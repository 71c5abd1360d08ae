import { Badge, type Tone } from '@/app/ui/badge'
import { type Column, Table } from '@/app/ui/table'
import { Time } from '@/app/ui/time'
import type { PersonActor } from '@/lib/auth/actor'
import { cleanText } from '@/lib/core/clean'
import { execute } from '@/lib/operations/execute'
import { listLoads } from '@/lib/operations/loads/list-loads'

const SHOWN = 10

type Sent = Awaited<ReturnType<typeof sentFiles>>[number]

const sentFiles = async (actor: PersonActor) =>
  (await execute(listLoads, { actor, now: new Date() }, { limit: SHOWN })).items

const TONES: Record<Sent['state'], Tone> = {
  running: 'accent',
  done: 'good',
  partial: 'warn',
  refused: 'bad',
  failed: 'bad',
  interrupted: 'warn',
}

const COLUMNS: Column<Sent>[] = [
  { name: 'file', width: 'sm:w-48', head: 'File', mono: true, cell: ({ file }) => file },
  { name: 'state', width: 'sm:w-32', head: 'State', cell: ({ state }) => <Badge tone={TONES[state]}>{state}</Badge> },
  { name: 'at', width: 'sm:w-50', head: 'Received', cell: ({ createdAt }) => <Time at={new Date(createdAt)} /> },
  { name: 'read', width: 'sm:w-28', head: 'Rows', end: true, cell: ({ read }) => read.toLocaleString('en-US') },
  {
    name: 'refused',
    width: 'sm:w-28',
    head: 'Refused',
    end: true,
    cell: ({ counts }) => counts?.refused.toLocaleString('en-US') ?? '–',
  },
  { name: 'error', width: 'sm:w-72', head: 'Note', cell: ({ error }) => (error ? cleanText(error) : '–') },
]

/** The last files that came over the API, and where it is explained. */
export async function SentFiles({ actor }: { actor: PersonActor }) {
  const rows = await sentFiles(actor)
  return (
    <section aria-labelledby="sent" className="mt-8 grid gap-3">
      <h2 id="sent">Files sent with a key</h2>
      <p className="max-w-prose">
        A machine in the office can send the same files every night with <code>curl</code> and a key that has the scope{' '}
        <code>write:data</code>. <a href="/developers/guides/loading-files">Guide</a>
      </p>
      {rows.length > 0 && (
        <Table caption="Files sent with a key" columns={COLUMNS} rows={rows} rowKey={({ id }) => id} />
      )}
    </section>
  )
}
