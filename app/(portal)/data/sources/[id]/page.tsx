import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { requireActor } from '@/app/session/actor'
import { desk } from '@/app/session/desk'
import { Time } from '@/app/session/time'
import { ActionForm } from '@/app/ui/action-form.client'
import { Card, PageHead } from '@/app/ui/card'
import { ConfirmAction } from '@/app/ui/confirm-action.client'
import type { TableColumn } from '@/app/ui/data-column'
import { DataTable } from '@/app/ui/data-table'
import { EmptyState } from '@/app/ui/empty-state'
import { Notice } from '@/app/ui/notice'
import { cleanText } from '@/lib/core/clean'
import { ServiceError } from '@/lib/core/errors'
import { execute } from '@/lib/operations/execute'
import { listSourceRuns } from '@/lib/operations/sources/list-sources'
import { newHostKeyAction, pauseSourceAction, removeSourceAction, runSourceAction } from '../actions'
import { ChangeSource } from '../form.client'
import { HealthBadge, KINDS, OutcomeBadge, type Source, type SourceRun, whenOf, whereOf } from '../parts'
import { RenewUrl } from './renew.client'

export const metadata: Metadata = { title: 'Scheduled load' }

/** Returns the counts of a run in words: `1,204 added, 3 refused`. */
const countsOf = (run: SourceRun): string =>
  (['added', 'updated', 'deleted', 'refused'] as const)
    .flatMap((name) => (run[name] > 0 ? [`${run[name].toLocaleString('en-US')} ${name}`] : []))
    .join(', ')

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

/** The way to the files of a run that have questions. */
const Asking = ({ run: { draft, outcome } }: { run: SourceRun }) =>
  draft !== null &&
  outcome === 'failed' && (
    <a className="block" href={`/data/load?${new URLSearchParams({ draft })}`}>
      Answer and load
    </a>
  )

const columnsFor = (contractorId: string): TableColumn<SourceRun>[] => [
  { name: 'at', head: 'Began', kind: 'moment', value: ({ startedAt }) => startedAt },
  { name: 'outcome', head: 'Outcome', kind: 'parts', width: '@xl:w-32', parts: (run) => <OutcomeBadge {...run} /> },
  { name: 'files', head: 'Files', kind: 'text', isLong: true, rank: 2, value: ({ files }) => files.join(', ') },
  { name: 'rows', head: 'Records', kind: 'text', isLong: true, value: countsOf },
  {
    name: 'note',
    head: 'Note',
    kind: 'parts',
    parts: (run) => (
      <>
        {run.error ? cleanText(run.error) : run.draft === null && '–'}
        <Refused run={run} contractorId={contractorId} />
        <Asking run={run} />
      </>
    ),
  },
]

/** The reason why a source does not deliver what it should, and what to do. */
function Trouble({ source: { health, pausedReason, lastRun } }: { source: Source }) {
  if (health === 'fresh' || health === 'new') return null
  if (health === 'stale')
    return (
      <Notice tone="warn" title="The data of this source is old.">
        <p>Its last good run is older than twice its interval.</p>
      </Notice>
    )
  if (health === 'paused' && pausedReason === 'person') return null
  const why = pausedReason === 'stopped' ? 'its runs stopped the service' : 'every run failed'
  return (
    <Notice tone="danger" title={health === 'paused' ? `Paused, because ${why}.` : 'The last run failed.'}>
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
  const at = await desk()
  const { source, items } = await found(execute(listSourceRuns, { actor, now: at.now }, { id }))
  const { contractorId } = current
  const values = { contractorId, id }
  const isPaused = source.state === 'paused'
  return (
    <>
      <PageHead
        title={cleanText(source.name)}
        text={`${KINDS[source.kind]}: ${whereOf(source)}. ${whenOf(source)}.`}
        under={[
          { name: 'Load files', href: '/data/load' },
          { name: 'Scheduled loads', href: '/data/sources' },
        ]}
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
        <DataTable
          desk={at}
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
          <div>
            <ConfirmAction
              action={removeSourceAction}
              label="Remove this source"
              values={values}
              title={`Remove ${cleanText(source.name)}?`}
              text="It is not read any more, and its settings are deleted. The records that it brought stay."
            />
          </div>
        </div>
      </div>
    </>
  )
}
