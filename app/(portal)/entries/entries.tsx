import type { z } from 'zod'
import { Badge } from '@/app/ui/badge'
import { Card } from '@/app/ui/card'
import { Time } from '@/app/ui/time'
import type { PersonActor } from '@/lib/auth/actor'
import { cleanText } from '@/lib/core/clean'
import { mayRun } from '@/lib/operations/access'
import { listEntries } from '@/lib/operations/entries/list-entries'
import { undoEntry } from '@/lib/operations/entries/undo-entry'
import { execute } from '@/lib/operations/execute'
import { Undo } from './undo.client'

type Entry = z.output<typeof listEntries.output>['notes'][number]

const WHO: Record<Entry['authorKind'], string> = { key: 'Key: ', person: '', operator: '' }

/** A follow-up's day, and whether it counts. */
function Day({ followUpOn, inForce, undoneAt }: Entry) {
  return (
    <p className="flex flex-wrap items-center gap-x-3">
      <span className="font-semibold">
        Follow up on <time dateTime={followUpOn ?? ''}>{followUpOn}</time>
      </span>
      {!inForce && !undoneAt && <Badge>replaced</Badge>}
    </p>
  )
}

function Item({ entry, contractorId, mayUndo }: { entry: Entry; contractorId: string; mayUndo: boolean }) {
  const { id, text, followUpOn, authorKind, authorName, createdAt, undoneAt, undoneBy } = entry
  const what = followUpOn ? `the follow-up on ${followUpOn}` : `the note of ${createdAt.toISOString().slice(0, 16)}`
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 border-t border-line py-3 first:border-t-0">
      <div className="min-w-0 grow basis-72">
        <div className={undoneAt ? 'text-quiet line-through' : undefined}>
          {followUpOn && <Day {...entry} />}
          {text && <p className="max-w-prose wrap-anywhere whitespace-pre-wrap">{cleanText(text)}</p>}
        </div>
        <p className="text-sm text-quiet">
          {WHO[authorKind]}
          {cleanText(authorName)}, <Time at={createdAt} />
        </p>
        {undoneAt && (
          <p className="text-sm text-quiet">
            Undone by {undoneBy}, <Time at={undoneAt} />
          </p>
        )}
      </div>
      {mayUndo && !undoneAt && <Undo contractorId={contractorId} id={id} what={what} />}
    </li>
  )
}

/** The notes and follow-ups that agents wrote on a project, with a way back for administrators; nothing where there are none. */
export async function Entries({ actor, projectId }: { actor: PersonActor; projectId: string | null }) {
  if (projectId === null) return null
  const { notes, followUps } = await execute(listEntries, { actor, now: new Date() }, { projectId })
  const mayUndo = mayRun(undoEntry, actor)
  const { contractorId } = actor
  const cards = [
    { title: 'Follow-ups', text: 'Days to come back to this lead. The latest one counts.', entries: followUps },
    {
      title: 'Notes',
      text: 'Written through API keys, such as by an assistant. Not part of the books.',
      entries: notes,
    },
  ]
  return cards
    .filter(({ entries }) => entries.length > 0)
    .map(({ title, text, entries }) => (
      <Card key={title} title={title} text={text} className="mb-6">
        <ul>
          {entries.map((entry) => (
            <Item key={entry.id} entry={entry} contractorId={contractorId} mayUndo={mayUndo} />
          ))}
        </ul>
      </Card>
    ))
}
