import { desk } from '@/app/session/desk'
import type { Tone } from '@/app/ui/badge'
import type { DataColumn } from '@/app/ui/data-column'
import { DataTable } from '@/app/ui/data-table'
import type { PersonActor } from '@/lib/auth/actor'
import { execute } from '@/lib/operations/execute'
import { listLoads } from '@/lib/operations/loads/list-loads'

const SHOWN = 10

type Sent = Awaited<ReturnType<typeof sentFiles>>[number]

const sentFiles = async (actor: PersonActor) =>
  (await execute(listLoads, { actor, now: new Date() }, { limit: SHOWN })).items

const TONES: Record<Sent['state'], Tone> = {
  running: 'active',
  done: 'good',
  partial: 'warn',
  refused: 'danger',
  failed: 'danger',
  interrupted: 'warn',
}

const COLUMNS: DataColumn<Sent>[] = [
  { name: 'file', head: 'File', kind: 'text', value: ({ file }) => file },
  { name: 'state', head: 'State', kind: 'status', value: ({ state }) => state, tone: ({ state }) => TONES[state] },
  { name: 'at', head: 'Received', kind: 'moment', value: ({ createdAt }) => createdAt },
  { name: 'read', head: 'Rows', kind: 'count', rank: 2, value: ({ read }) => read },
  { name: 'refused', head: 'Refused', kind: 'count', rank: 2, value: ({ counts }) => counts?.refused },
  { name: 'error', head: 'Note', kind: 'text', isLong: true, rank: 2, value: ({ error }) => error },
]

/** The last files that came over the API, and where it is explained. */
export async function SentFiles({ actor }: { actor: PersonActor }) {
  const [rows, at] = await Promise.all([sentFiles(actor), desk()])
  return (
    <section aria-labelledby="sent" className="mt-8 grid gap-3">
      <h2 id="sent">Files sent with a key</h2>
      <p className="max-w-prose">
        A machine in the office can send the same files every night with <code>curl</code> and a key that has the scope{' '}
        <code>write:data</code>. <a href="/developers/guides/loading-files">Guide</a>
      </p>
      {rows.length > 0 && (
        <DataTable caption="Files sent with a key" desk={at} columns={COLUMNS} rows={rows} rowKey={({ id }) => id} />
      )}
    </section>
  )
}
