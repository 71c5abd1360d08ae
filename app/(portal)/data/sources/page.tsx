import type { Metadata } from 'next'
import { requireActor } from '@/app/session/actor'
import { LinkButton } from '@/app/ui/button'
import { PageHead } from '@/app/ui/card'
import { EmptyState } from '@/app/ui/empty-state'
import { Table } from '@/app/ui/table'
import { Time } from '@/app/ui/time'
import { cleanText } from '@/lib/core/clean'
import { execute } from '@/lib/operations/execute'
import { listSources } from '@/lib/operations/sources/list-sources'
import { HealthBadge, KINDS, whenOf, whereOf } from './parts'

export const metadata: Metadata = { title: 'Scheduled loads' }

/** The contractor's scheduled sources, for its administrators. */
export default async function SourcesPage() {
  const { actor, current } = await requireActor(listSources)
  const { items } = await execute(listSources, { actor, now: new Date() }, {})
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
        actions={
          <>
            {items.length > 0 && create}
            <LinkButton href="/data/load">Load files</LinkButton>
          </>
        }
      />
      <Table
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
            width: 'sm:w-56',
            head: 'Source',
            cell: ({ id, name, ...source }) => (
              <>
                <a href={`/data/sources/${id}`} className="wrap-anywhere">
                  {cleanText(name)}
                </a>
                <span className="block text-sm text-quiet wrap-anywhere">
                  {KINDS[source.kind]}: {whereOf(source)}
                </span>
              </>
            ),
          },
          { name: 'state', width: 'sm:w-32', head: 'State', cell: (source) => <HealthBadge {...source} /> },
          { name: 'when', width: 'sm:w-40', head: 'Runs', cell: whenOf },
          {
            name: 'last',
            width: 'sm:w-50',
            head: 'Last good run',
            cell: ({ lastSuccessAt }) => (lastSuccessAt ? <Time at={new Date(lastSuccessAt)} /> : 'Not yet'),
          },
          {
            name: 'why',
            width: 'sm:w-72',
            head: 'Note',
            cell: ({ lastRun }) => (lastRun?.error ? cleanText(lastRun.error) : '–'),
          },
        ]}
      />
    </>
  )
}
