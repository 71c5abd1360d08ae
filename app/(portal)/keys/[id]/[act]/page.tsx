import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { requireActor } from '@/app/session/actor'
import { desk } from '@/app/session/desk'
import { PageHead } from '@/app/ui/card'
import { listKeys } from '@/lib/operations/keys/list-keys'
import { type KeyAction, TITLES } from '../../acts'
import { arrange } from '../../arrange'
import { ActHere } from '../../here.client'
import { RecentUse, subjectOf } from '../../key-parts'
import { readerContext } from '../../looking'
import { readKeys } from '../../read'

type Place = { params: Promise<{ id: string; act: string }> }

const isAsked = (act: string): act is KeyAction => Object.hasOwn(TITLES, act)

export async function generateMetadata({ params }: Place): Promise<Metadata> {
  const { act } = await params
  return { title: isAsked(act) ? `${TITLES[act]} key` : 'Key' }
}

/** Rotates, edits or revokes a key on its own page, for browsers without script and for links. */
export default async function KeyActPage({ params }: Place) {
  const { actor } = await requireActor(listKeys)
  const { id, act } = await params
  if (!isAsked(act)) notFound()
  const { keys, usageOf } = await readKeys(actor, (await desk()).now)
  const key = keys.find((each) => each.id === id)
  if (!key) notFound()
  const old = arrange(keys).inUse.find((each) => each.key.id === id)?.old
  return (
    <div className="max-w-lg">
      <PageHead
        title={`${TITLES[act]} ${key.name}`}
        under={[
          { name: 'Keys', href: '/keys' },
          { name: key.name, href: `/keys/${key.id}` },
        ]}
      />
      <ActHere
        act={act}
        subject={subjectOf(key, old)}
        {...readerContext(actor)}
        use={<RecentUse of={key} usage={usageOf(key)} />}
      />
    </div>
  )
}
