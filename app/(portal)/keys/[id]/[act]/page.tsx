import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { requireActor } from '@/app/session/actor'
import { LinkButton } from '@/app/ui/button'
import { PageHead } from '@/app/ui/card'
import { execute } from '@/lib/operations/execute'
import { listKeys } from '@/lib/operations/keys/list-keys'
import { listKeyUsage } from '@/lib/operations/requests/usage'
import { type Asked, TITLES } from '../../acts'
import { arrange } from '../../arrange'
import { ActHere } from '../../here.client'
import { RecentUse, subjectOf } from '../../key-parts'
import { lookingOf } from '../../looking'

type Place = { params: Promise<{ id: string; act: string }> }

const isAsked = (act: string): act is Asked => Object.hasOwn(TITLES, act)

export async function generateMetadata({ params }: Place): Promise<Metadata> {
  const { act } = await params
  return { title: isAsked(act) ? `${TITLES[act]} key` : 'Key' }
}

/** Rotates, edits or revokes a key on its own page, for browsers without script and for links. */
export default async function KeyActPage({ params }: Place) {
  const { actor } = await requireActor(listKeys)
  const { id, act } = await params
  if (!isAsked(act)) notFound()
  const now = new Date()
  const [{ items: keys }, { items: usages }] = await Promise.all([
    execute(listKeys, { actor, now }, {}),
    execute(listKeyUsage, { actor, now }, {}),
  ])
  const key = keys.find((each) => each.id === id)
  if (!key) notFound()
  const old = arrange(keys).inUse.find((each) => each.key.id === id)?.old
  return (
    <div className="max-w-lg">
      <PageHead title={`${TITLES[act]} ${key.name}`} actions={<LinkButton href="/keys">All keys</LinkButton>} />
      <ActHere
        act={act}
        subject={subjectOf(key, old)}
        {...lookingOf(actor)}
        use={<RecentUse of={key} usage={usages.find(({ keyId }) => keyId === id)} />}
      />
    </div>
  )
}
