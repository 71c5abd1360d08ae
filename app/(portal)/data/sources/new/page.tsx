import type { Metadata } from 'next'
import { requireActor } from '@/app/session/actor'
import { PageHead } from '@/app/ui/card'
import { execute } from '@/lib/operations/execute'
import { createSource } from '@/lib/operations/sources/create-source'
import { listSources } from '@/lib/operations/sources/list-sources'
import { NewSource } from '../form.client'

export const metadata: Metadata = { title: 'Set up a source' }

export default async function NewSourcePage() {
  const { actor, current } = await requireActor(createSource)
  const { folders } = await execute(listSources, { actor, now: new Date() }, {})
  return (
    <>
      <PageHead
        title="Set up a source"
        text="It runs once at once. A file with columns of its own is dropped on the load page first, so that you can say what they are."
        under={[
          { name: 'Load files', href: '/data/load' },
          { name: 'Scheduled loads', href: '/data/sources' },
        ]}
      />
      <div className="max-w-prose">
        <NewSource
          contractorId={current.contractorId}
          kinds={['link', 'sftp', 'mail', ...(folders ? (['folder'] as const) : [])]}
        />
      </div>
    </>
  )
}
