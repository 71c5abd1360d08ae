import { randomUUID } from 'node:crypto'
import type * as z from 'zod'
import { desk } from '@/app/session/desk'
import { Time } from '@/app/session/time'
import { Badge } from '@/app/ui/badge'
import { Card } from '@/app/ui/card'
import type { PersonActor } from '@/lib/auth/actor'
import { cleanText } from '@/lib/core/clean'
import type { Words } from '@/lib/core/words'
import { mayRun } from '@/lib/operations/access'
import { addProjectNote } from '@/lib/operations/entries/add-project-note'
import { listEntries } from '@/lib/operations/entries/list-entries'
import { undoEntry } from '@/lib/operations/entries/undo-entry'
import { execute } from '@/lib/operations/execute'
import { Undo, WriteForm } from './write.client'

type Entries = z.output<typeof listEntries.output>
type Entry = Entries['notes'][number]
type Project = { id: string; name: string; isLead: boolean }

const WHO: Record<Entry['authorKind'], string> = { key: 'Key: ', person: '', operator: '' }

function Item({
  entry,
  contractorId,
  mayUndo,
  words,
}: {
  entry: Entry
  contractorId: string
  mayUndo: boolean
  words: Words
}) {
  const { id, text, followUpOn, authorKind, authorName, createdAt, undoneAt, undoneBy, inForce } = entry
  const day = followUpOn && words.day(followUpOn)
  const what = day ? `the follow-up on ${day}` : `the note of ${words.moment(createdAt)}`
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 border-t border-line py-3 first:border-t-0">
      <div className="min-w-0 grow basis-52">
        <div className={undoneAt ? 'text-quiet line-through' : undefined}>
          {day && (
            <p className="flex flex-wrap items-center gap-x-3 font-semibold">
              <span>
                Follow up on <time dateTime={followUpOn}>{day}</time>
              </span>
              {!inForce && !undoneAt && <Badge>Replaced</Badge>}
            </p>
          )}
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

/** The form for a note on one of these projects, for people who may write. */
export function WriteNote({ actor, projects }: { actor: PersonActor; projects: Project[] }) {
  if (projects.length === 0 || !mayRun(addProjectNote, actor)) return null
  return (
    <WriteForm
      contractorId={actor.contractorId}
      projects={projects.map(({ id, name }) => ({ id, name: cleanText(name) }))}
      mayFollowUp={projects.some(({ isLead }) => isLead)}
      idempotencyKey={randomUUID()}
    />
  )
}

/** The notes and follow-ups of a project, with the form for another one, and a way back for those who may take it. */
export async function NotesCard({
  entries,
  project,
  actor,
}: {
  entries: Entries
  project: Project
  actor: PersonActor
}) {
  const { words } = await desk()
  const all = [...entries.followUps, ...entries.notes]
  const mayUndo = mayRun(undoEntry, actor)
  if (all.length === 0 && !mayRun(addProjectNote, actor)) return null
  return (
    <Card title="Notes and follow-ups" text={all.length === 0 ? 'None yet. They are no part of the books.' : undefined}>
      {all.length > 0 && (
        <ul className="mb-4">
          {all.map((entry) => (
            <Item key={entry.id} entry={entry} contractorId={actor.contractorId} mayUndo={mayUndo} words={words} />
          ))}
        </ul>
      )}
      <WriteNote actor={actor} projects={[project]} />
    </Card>
  )
}

/** The same for a project that is known by its id alone; nothing without one. */
export async function Entries({ actor, projectId }: { actor: PersonActor; projectId: string | null }) {
  if (projectId === null) return null
  const entries = await execute(listEntries, { actor, now: new Date() }, { projectId })
  return <NotesCard entries={entries} project={{ id: projectId, name: '', isLead: true }} actor={actor} />
}
