import type { Metadata } from 'next'
import { requireActor } from '@/app/session/actor'
import { Card, PageHead } from '@/app/ui/card'
import { createKey } from '@/lib/operations/keys/create-key'
import { CreateKeyHere } from '../create.client'
import { RIGHTS, readerContext } from '../looking'

export const metadata: Metadata = { title: 'Create key' }

/** Creates a key on its own page, for browsers without script and for links. */
export default async function NewKeyPage() {
  const { actor, current } = await requireActor(createKey)
  return (
    <div className="max-w-lg">
      <PageHead title="Create key" text={`For ${current.name}.`} under={[{ name: 'Keys', href: '/keys' }]} />
      <Card>
        <CreateKeyHere {...readerContext(actor)} rights={RIGHTS} />
      </Card>
    </div>
  )
}
