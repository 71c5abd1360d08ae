import { Card } from '@/app/ui/card'
import { DataTable } from '@/app/ui/data-table'
import type { Desk } from '@/lib/core/desk'
import type { Shown } from './state'

type Run = Shown['runs'][number]

const count = (n: number) => n.toLocaleString('en-US')
const STATES = { running: 'Under way', done: 'Done', failed: 'Failed', ended: 'Ended' }

/** Returns the changes that a run made to each resource: `invoices: 12 added, 1 deleted`. */
function wordsOf({ counts }: Run): string {
  const words = Object.entries(counts).flatMap(([resource, of]) => {
    const done = (['added', 'updated', 'deleted'] as const).filter((what) => of[what] > 0)
    return done.length > 0 ? [`${resource}: ${done.map((what) => `${count(of[what])} ${what}`).join(', ')}`] : []
  })
  return words.join('; ') || 'Nothing changed'
}

/** The number of invoices and estimates without a number in QuickBooks, and what is used instead. */
function Unnumbered({ counts }: Run) {
  const found = Object.entries(counts).flatMap(([resource, { unnumbered = 0 }]) =>
    unnumbered > 0 ? [`${count(unnumbered)} ${resource}`] : [],
  )
  if (found.length === 0) return null
  return (
    <span className="text-sm text-quiet">
      Without a number in QuickBooks, so they are called QBO- and their ID: {found.join(', ')}.
    </span>
  )
}

function Refused({ faults, faultCount }: Run) {
  if (faultCount === 0) return null
  return (
    <details>
      <summary className="text-warn">{count(faultCount)} not written</summary>
      <ul className="mt-1 grid gap-1 text-sm">
        {faults.map(({ object, reason }) => (
          <li key={`${object} ${reason}`} className="wrap-anywhere">
            {object}: {reason}
          </li>
        ))}
      </ul>
    </details>
  )
}

/** The last runs that did something. */
export function Runs({ runs, desk }: { runs: Run[]; desk: Desk }) {
  return (
    <Card title="Runs" text="Those that changed something, and those that read everything.">
      <DataTable
        desk={desk}
        caption="Latest runs"
        rows={runs}
        rowKey={({ id }) => id}
        columns={[
          { name: 'begun', head: 'Began', kind: 'moment', value: ({ createdAt }) => createdAt },
          {
            name: 'kind',
            head: 'Read',
            kind: 'text',
            isShort: true,
            rank: 2,
            value: ({ kind }) => (kind === 'full' ? 'Everything' : 'Changes'),
          },
          {
            name: 'done',
            head: 'Result',
            kind: 'parts',
            parts: (run) => (
              <div className="grid gap-1">
                <span>{wordsOf(run)}</span>
                {run.error && <span className="text-sm text-quiet wrap-anywhere">{run.error}</span>}
                <Unnumbered {...run} />
                <Refused {...run} />
              </div>
            ),
          },
          { name: 'state', head: 'State', kind: 'text', isShort: true, value: ({ state }) => STATES[state] },
        ]}
      />
    </Card>
  )
}
