import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { requireActor } from '@/app/session/actor'
import { ActionForm } from '@/app/ui/action-form.client'
import { LinkButton } from '@/app/ui/button'
import { Card, PageHead } from '@/app/ui/card'
import { EmptyState } from '@/app/ui/empty-state'
import { Notice } from '@/app/ui/notice'
import { type Column, Table } from '@/app/ui/table'
import { Time } from '@/app/ui/time'
import { cleanText } from '@/lib/core/clean'
import { ServiceError } from '@/lib/core/errors'
import { execute } from '@/lib/operations/execute'
import { listSourceRuns } from '@/lib/operations/sources/list-sources'
import { newHostKeyAction, pauseSourceAction, removeSourceAction, runSourceAction } from '../actions'
import { ChangeSource } from '../form.client'
import { HealthBadge, KINDS, OutcomeBadge, type Source, type SourceRun, whenOf, whereOf } from '../parts'
import { RenewUrl } from './renew.client'

export const metadata: Metadata = { title: 'Scheduled load' }

/** What a run did, in words: `1,204 added, 3 refused`. */
const countsOf = (run: SourceRun): string =>
  (['added', 'updated', 'deleted', 'refused'] as const)
    .flatMap((name) => (run[name] > 0 ? [`${run[name].toLocaleString('en-US')} ${name}`] : []))
    .join(', ') || '–'

/** The rows that a run refused, for each of its files while they are held. */
const Refused = ({ run, contractorId }: { run: SourceRun; contractorId: string }) =>
  run.draft !== null &&
  run.refused > 0 &&
  run.files.map((file) => (
    <a
      key={file}
      className="block"
      download
      href={`/data/load/refused?${new URLSearchParams({ contractorId, draft: run.draft ?? '', file })}`}
    >
      Refused rows
    </a>
  ))

const columnsFor = (contractorId: string): Column<SourceRun>[] => [
  { name: 'at', width: 'sm:w-50', head: 'Began', cell: ({ startedAt }) => <Time at={new Date(startedAt)} /> },
  { name: 'outcome', width: 'sm:w-36', head: 'Outcome', cell: (run) => <OutcomeBadge {...run} /> },
  {
    name: 'files',
    width: 'sm:w-44',
    head: 'Files',
    mono: true,
    cell: ({ files }) => files.map(cleanText).join(', ') || '–',
  },
  { name: 'rows', width: 'sm:w-48', head: 'Records', cell: countsOf },
  {
    name: 'note',
    width: 'sm:w-60',
    head: 'Note',
    cell: (run) => (
      <>
        {run.error ? cleanText(run.error) : run.draft === null && '–'}
        <Refused run={run} contractorId={contractorId} />
      </>
    ),
  },
]

/** Why a source does not bring what it should, and what to do. */
function Trouble({ source: { health, pausedReason, lastRun } }: { source: Source }) {
  if (health === 'fresh' || health === 'new') return null
  if (health === 'stale')
    return (
      <Notice tone="warn" title="The data of this source is old.">
        <p>Its last good run is older than twice its interval.</p>
      </Notice>
    )
  if (health === 'paused' && pausedReason === 'person') return null
  return (
    <Notice tone="bad" title={health === 'paused' ? 'Paused, because every run failed.' : 'The last run failed.'}>
      <p>{lastRun?.error ? cleanText(lastRun.error) : 'Correct its settings, and run it.'}</p>
    </Notice>
  )
}

async function found(work: Promise<{ source: Source; items: SourceRun[] }>) {
  try {
    return await work
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') notFound()
    throw error
  }
}

export default async function SourcePage({ params }: { params: Promise<{ id: string }> }) {
  const { actor, current } = await requireActor(listSourceRuns)
  const { id } = await params
  const { source, items } = await found(execute(listSourceRuns, { actor, now: new Date() }, { id }))
  const { contractorId } = current
  const values = { contractorId, id }
  const isPaused = source.state === 'paused'
  return (
    <>
      <PageHead
        title={cleanText(source.name)}
        text={`${KINDS[source.kind]}: ${whereOf(source)}. ${whenOf(source)}.`}
        actions={<LinkButton href="/data/sources">Scheduled loads</LinkButton>}
      />
      <div className="grid gap-4">
        <div className="flex flex-wrap items-center gap-3">
          <HealthBadge {...source} />
          {source.nextAt !== null && !isPaused && (
            <span className="text-quiet">
              Next run <Time at={new Date(source.nextAt)} />
            </span>
          )}
          <ActionForm action={runSourceAction} submit="Run now" size="small" values={values} />
          <ActionForm
            action={pauseSourceAction}
            submit={isPaused ? 'Resume' : 'Pause'}
            look="plain"
            size="small"
            values={{ ...values, paused: String(!isPaused) }}
          />
        </div>
        <Trouble source={source} />
        <Table
          caption="Runs"
          captionShown
          columns={columnsFor(contractorId)}
          rows={items}
          rowKey={(run) => run.id}
          empty={
            <EmptyState
              title="No run yet"
              text={source.kind === 'mail' ? 'It runs when a mail comes.' : 'It runs by its schedule, or with Run now.'}
            />
          }
        />
        <div className="grid max-w-prose gap-4">
          <Card title="Settings">
            <ChangeSource contractorId={contractorId} kind={source.kind} before={source} />
          </Card>
          {source.settings.hostKey && (
            <Card
              title="Key of the server"
              text="It was shown at the first run. Another one is refused until you accept it."
            >
              <p className="font-mono text-sm wrap-anywhere">{source.settings.hostKey}</p>
              <ActionForm action={newHostKeyAction} submit="Accept another key" look="plain" values={values} />
            </Card>
          )}
          {source.kind === 'mail' && (
            <Card title="URL for mails" text="A new one is shown once. The one before stops at once.">
              <RenewUrl values={values} />
            </Card>
          )}
          <ActionForm action={removeSourceAction} submit="Remove this source" look="danger" values={values} />
        </div>
      </div>
    </>
  )
}
