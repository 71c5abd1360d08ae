import type { Metadata } from 'next'
import { requireActor } from '@/app/session/actor'
import { desk } from '@/app/session/desk'
import { LinkButton } from '@/app/ui/button'
import { PageHead } from '@/app/ui/card'
import { DataTable } from '@/app/ui/data-table'
import { EmptyState } from '@/app/ui/empty-state'
import { execute } from '@/lib/operations/execute'
import { listSources } from '@/lib/operations/sources/list-sources'
import { HealthBadge, KINDS, whenOf, whereOf } from './parts'

export const metadata: Metadata = { title: 'Scheduled loads' }

/** The contractor's scheduled sources, for its administrators. */
export default async function SourcesPage() {
  const { actor, current } = await requireActor(listSources)
  const at = await desk()
  const { items } = await execute(listSources, { actor, now: at.now }, {})
  const create = (
    <LinkButton look="main" href="/data/sources/new">
      Set up a source
    </LinkButton>
  )
  return (
    <>
      <PageHead
        title="Scheduled loads"
        text={`Files that are loaded into ${current.name} by themselves, in the way of files that you drop. A file that leaves a doubt is not loaded, and says why.`}
        under={[{ name: 'Load files', href: '/data/load' }]}
        actions={items.length > 0 && create}
      />
      <DataTable
        desk={at}
        caption="Scheduled loads"
        rows={items}
        rowKey={({ id }) => id}
        empty={
          <EmptyState
            title="No source yet"
            text="Set one up, and a link, an SFTP server or the attachments of mails are loaded every night."
            action={create}
          />
        }
        columns={[
          {
            name: 'name',
            head: 'Source',
            kind: 'text',
            value: ({ name }) => name,
            under: (source) => `${KINDS[source.kind]}: ${whereOf(source)}`,
            href: ({ id }) => `/data/sources/${id}`,
          },
          {
            name: 'state',
            head: 'State',
            kind: 'parts',
            width: '@xl:w-28',
            parts: (source) => <HealthBadge {...source} />,
          },
          { name: 'when', head: 'Runs', kind: 'text', isLong: true, rank: 2, value: whenOf },
          { name: 'last', head: 'Last good run', kind: 'moment', value: ({ lastSuccessAt }) => lastSuccessAt },
          { name: 'why', head: 'Note', kind: 'text', isLong: true, rank: 2, value: ({ lastRun }) => lastRun?.error },
        ]}
      />
    </>
  )
}
