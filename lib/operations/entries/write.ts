import { database, type Orm, withinContractor } from '@/db/client'
import { type EntryRecord, entriesOf, findEntryByKey, insertEntry, lockProject } from '@/db/queries/entries'
import { findKey } from '@/db/queries/keys'
import { type Actor, personOfGrant } from '@/lib/auth/actor'
import { type Author, audit } from '@/lib/auth/audit'
import { ServiceError } from '@/lib/core/errors'
import { newId } from '@/lib/core/ids'
import { resources } from '@/lib/resources/registry'
import { notThere } from '../absent'

/** The checked values to write. */
export type Wanted = Pick<EntryRecord, 'kind' | 'projectId' | 'text' | 'followUpOn' | 'idempotencyKey'>

/** A stored write, and whether an earlier call had stored it. */
type Stored = { entry: EntryRecord; repeated: boolean }

/** Returns who writes, as the entry and the audit log keep it. `author` owns the idempotency keys: a rotated key keeps its own. */
async function authorOf(orm: Orm, actor: Actor) {
  if (actor.kind === 'person')
    return { by: actor, authorKind: 'person', author: actor.personId, authorName: actor.name } as const
  if (actor.kind === 'operator')
    return { by: actor, authorKind: 'operator', author: 'operator', authorName: 'Command line' } as const
  if (actor.kind === 'invited') throw new Error('who was invited writes nothing')
  const person = personOfGrant(actor)
  if (person) return { by: person, authorKind: 'person', author: person.personId, authorName: person.name } as const
  const { keyId, contractorId } = actor
  const key = await findKey(orm, keyId)
  const keyName = key?.name ?? keyId
  const by: Author = { kind: 'key', keyId, keyName, last4: key?.last4 ?? '', contractorId }
  return { by, authorKind: 'key', author: actor.lineage, authorName: keyName } as const
}

/** The first result of a repeated call. @throws ServiceError `bad_request` when this one has other content */
function repeatedOf(entry: EntryRecord, { kind, projectId, text, followUpOn }: Wanted): Stored {
  const isSame =
    entry.kind === kind && entry.projectId === projectId && entry.text === text && entry.followUpOn === followUpOn
  if (isSame) return { entry, repeated: true }
  const message = 'was used before, with other content. Give a new one for a new write'
  throw new ServiceError('bad_request', `idempotencyKey: ${message}; the first write stands as it was.`, {
    fields: [{ field: 'idempotencyKey', message }],
  })
}

type Draft = Wanted & Pick<EntryRecord, 'contractorId' | 'author' | 'authorKind' | 'authorName'>

/** The row of an entry, after the one of its kind that is in force. Of two in one millisecond the later one must count. */
async function draftOf(orm: Orm, draft: Draft, now: Date): Promise<EntryRecord> {
  const [last] = await entriesOf(orm, { ...draft, limit: 1 })
  return {
    ...draft,
    id: newId(draft.kind === 'note' ? 'note' : 'followUp'),
    replaces: draft.kind === 'follow_up' ? (last?.id ?? null) : null,
    createdAt: new Date(Math.max(now.getTime(), (last?.createdAt.getTime() ?? 0) + 1)),
    undoneAt: null,
    undoneBy: null,
  }
}

const EVENTS = { note: 'note_added', follow_up: 'follow_up_set' } as const

/**
 * Stores a note or a follow-up with its audit entry, once for each idempotency key of an author, also when two calls come at once.
 * `mayStand` refuses a project it is not for; a repeated call is answered before, because what was right may have passed since.
 * @throws ServiceError `not_found` for a project that is not this contractor's, `bad_request` for a key used with other content
 */
export async function writeEntry(
  { actor, now }: { actor: Actor; now: Date },
  wanted: Wanted,
  mayStand: (project: { status: string }) => void,
): Promise<Stored> {
  const { contractorId } = actor
  return await withinContractor((await database()).orm, contractorId, async (orm) => {
    const { by, ...author } = await authorOf(orm, actor)
    const given = { contractorId, author: author.author, idempotencyKey: wanted.idempotencyKey }
    const known = await findEntryByKey(orm, given)
    if (known) return repeatedOf(known, wanted)
    const project = await lockProject(orm, contractorId, wanted.projectId)
    if (!project) throw notThere(resources.projects, wanted.projectId, 'find_records or list_projects')
    mayStand(project)
    const entry = await draftOf(orm, { ...wanted, ...author, contractorId }, now)
    if (!(await insertEntry(orm, entry))) {
      const first = await findEntryByKey(orm, given)
      if (!first) throw new Error('an idempotency key was taken and its entry is gone')
      return repeatedOf(first, wanted)
    }
    const detail = { entry: entry.id, ...(entry.followUpOn && { on: entry.followUpOn }) }
    await audit(orm, by, { event: EVENTS[entry.kind], subject: entry.projectId, detail })
    return { entry, repeated: false }
  })
}
