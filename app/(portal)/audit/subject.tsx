import { Id } from '@/app/ui/id.client'
import type { PersonActor } from '@/lib/auth/actor'
import { execute } from '@/lib/operations/execute'
import { listTeam } from '@/lib/operations/team/list-team'
import { readKeyNames } from '../logs/rows'

/** What the things of an audit log are called, by their ids. */
export type Names = Map<string, { name: string; href?: string }>

/** The names of the contractor's keys, ended ones too, and of the people on its team. */
export async function readNames(actor: PersonActor): Promise<Names> {
  const [keys, { members }] = await Promise.all([
    readKeyNames(actor),
    execute(listTeam, { actor, now: new Date() }, {}),
  ])
  return new Map([
    ...keys.map(({ keyId, name }) => [keyId, { name, href: `/logs?key=${encodeURIComponent(keyId)}` }] as const),
    ...members.map(({ personId, name }) => [personId, { name }] as const),
  ])
}

const ID = /^(key|per|usr|dlv|prj|ses)_\w{10,}$|^[A-Za-z0-9]{28,}$/

/** What an entry is about: by name and with the way to it where there is one, by its id where it has no name any more. */
export function Subject({ subject, names }: { subject: string; names: Names }) {
  const known = names.get(subject)
  if (known?.href) return <a href={known.href}>{known.name}</a>
  if (known) return known.name
  if (subject.startsWith('dlv_')) return <Id id={subject} href={`/leads/${subject}`} />
  return ID.test(subject) ? <Id id={subject} /> : <span className="wrap-anywhere">{subject}</span>
}
