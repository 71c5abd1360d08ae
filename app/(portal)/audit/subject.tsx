import { Id } from '@/app/ui/id.client'
import type { PersonActor } from '@/lib/auth/actor'
import { cleanText } from '@/lib/core/clean'
import { execute } from '@/lib/operations/execute'
import { listTeam } from '@/lib/operations/team/list-team'
import { readKeyNames } from '../logs/rows'

/** Names of the subjects of an audit log, by id. */
export type Names = Map<string, { name: string; href?: string }>

/** Returns the names of the contractor's keys, including ended ones, and of its team. */
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

const pageOfRecord = (id: string) => (id.startsWith('dlv_') ? `/leads/${id}` : `/projects/${id}`)

/** Returns the names of projects and lead deliveries, each with its page. The texts come from strangers. */
export const namesOfRecords = (names: Record<string, string>): Names =>
  new Map(Object.entries(names).map(([id, name]) => [id, { name: cleanText(name), href: pageOfRecord(id) }]))

const ID = /^(key|per|usr|dlv|prj|ses)_\w{10,}$|^[A-Za-z0-9]{28,}$/

/** Shows the subject of an entry: its name, linked if it has a page; or its id when it has no name anymore. */
export function Subject({ subject, names }: { subject: string; names: Names }) {
  const known = names.get(subject)
  if (known?.href) return <a href={known.href}>{known.name}</a>
  if (known) return known.name
  if (/^(dlv|prj)_/.test(subject)) return <Id id={subject} href={pageOfRecord(subject)} />
  return ID.test(subject) ? <Id id={subject} /> : <span className="wrap-anywhere">{subject}</span>
}
