import * as z from 'zod'
import type { Source, SourceRun } from '@/db/queries/sources'
import { SOURCE_KINDS } from '@/db/schema'
import { ServiceError } from '@/lib/core/errors'
import { FilterId, Instant } from '@/lib/resources/fields'
import { INTERVAL_MS } from '@/lib/sync/schedule/next-run'

export const SourceId = FilterId.max(40).describe('As list_sources gives it')

const Every = z.enum(['hour', 'day', 'week'])

/** A run of a source, and what came of it. */
export const Run = z.object({
  id: z.string(),
  startedAt: Instant,
  endedAt: Instant.nullable(),
  outcome: z
    .enum(['running', 'loaded', 'partial', 'unchanged', 'failed'])
    .describe('`partial`: rows were refused; `unchanged`: there was nothing new; `failed`: nothing was written'),
  files: z.array(z.string()),
  added: z.int(),
  updated: z.int(),
  deleted: z.int(),
  refused: z.int(),
  error: z.string().nullable().describe('Why it failed, and what to do'),
  load: z.string().nullable().describe('The load, which `undo_load` takes back while it is the last one'),
  draft: z
    .string()
    .nullable()
    .describe(
      'Where get_refused_rows finds the refused rows for a week; of a failed run, the files whose questions load_draft takes answers for',
    ),
})

/** A source as it is shown: its secrets never are. */
export const ShownSource = z.object({
  id: z.string(),
  kind: z.enum(SOURCE_KINDS),
  name: z.string(),
  settings: z.record(z.string(), z.string()),
  hasSecret: z.boolean(),
  every: Every.nullable().describe('How often it runs; null for mails, which are loaded when they come'),
  hour: z.int().nullable().describe('Of the contractor’s time zone'),
  weekday: z.int().nullable().describe('0 is Sunday'),
  dates: z.enum(['mdy', 'dmy']).nullable().describe('The order of dates in files that do not show it'),
  complete: z.boolean().describe('Records that its files no longer have are deleted'),
  state: z.enum(['active', 'paused']),
  pausedReason: z
    .enum(['person', 'failing', 'secret', 'stopped'])
    .nullable()
    .describe(
      '`failing`: every run failed for a week; `secret`: its secret cannot be read; `stopped`: the service stopped in the middle of three runs in a row',
    ),
  health: z
    .enum(['new', 'fresh', 'stale', 'failing', 'paused'])
    .describe('`stale`: the last good run is older than twice its interval; `failing`: the last run failed'),
  failures: z.int().describe('Failed runs in a row'),
  lastRunAt: Instant.nullable(),
  lastSuccessAt: Instant.nullable(),
  nextAt: Instant.nullable(),
  lastRun: Run.nullable(),
  createdAt: Instant,
})

export const A_RUN: z.output<typeof Run> = {
  id: 'run_01k9zq2v6n8m4t5c3b7x1w0jd2',
  startedAt: '2026-11-20T07:12:00.000Z',
  endedAt: '2026-11-20T07:12:04.000Z',
  outcome: 'loaded',
  files: ['invoices.csv'],
  added: 4,
  updated: 12,
  deleted: 0,
  refused: 0,
  error: null,
  load: 'lod_01k9zq2v6n8m4t5c3b7x1w0jd2',
  draft: null,
}

export const A_SOURCE: z.output<typeof ShownSource> = {
  id: 'src_01k9zq2v6n8m4t5c3b7x1w0jd2',
  kind: 'link',
  name: 'Invoices of the office',
  settings: { url: 'https://docs.google.com/spreadsheets/d/e/2PACX-1vQ/pub?output=csv' },
  hasSecret: false,
  every: 'day',
  hour: 2,
  weekday: null,
  dates: null,
  complete: false,
  state: 'active',
  pausedReason: null,
  health: 'fresh',
  failures: 0,
  lastRunAt: A_RUN.startedAt,
  lastSuccessAt: A_RUN.endedAt,
  nextAt: '2026-11-21T07:12:00.000Z',
  lastRun: A_RUN,
  createdAt: '2026-11-02T09:30:00.000Z',
}

const iso = (at: Date | null): string | null => at?.toISOString() ?? null

export const shownRun = (run: SourceRun): z.output<typeof Run> => ({
  id: run.id,
  startedAt: run.startedAt.toISOString(),
  endedAt: iso(run.endedAt),
  outcome: run.outcome,
  files: run.files,
  added: run.added,
  updated: run.updated,
  deleted: run.deleted,
  refused: run.refused,
  error: run.error,
  load: run.loadId,
  draft: run.draftId,
})

/** Returns how a source is doing. It is stale when its last good run, or its beginning, is older than twice its interval. */
export function healthOf(
  source: Pick<Source, 'state' | 'failures' | 'every' | 'lastSuccessAt' | 'createdAt'>,
  now: Date,
): z.output<typeof ShownSource>['health'] {
  const { state, failures, every, lastSuccessAt, createdAt } = source
  if (state === 'paused') return 'paused'
  if (failures > 0) return 'failing'
  const since = now.getTime() - (lastSuccessAt ?? createdAt).getTime()
  if (every !== null && since > 2 * INTERVAL_MS[every]) return 'stale'
  return lastSuccessAt === null ? 'new' : 'fresh'
}

export const shownSource = (
  source: Source,
  lastRun: SourceRun | undefined,
  now: Date,
): z.output<typeof ShownSource> => ({
  id: source.id,
  kind: source.kind,
  name: source.name,
  settings: source.settings,
  hasSecret: source.secret !== null,
  every: source.every,
  hour: source.hour,
  weekday: source.weekday,
  dates: source.dates,
  complete: source.complete,
  state: source.state,
  pausedReason: source.pausedReason,
  health: healthOf(source, now),
  failures: source.failures,
  lastRunAt: iso(source.lastRunAt),
  lastSuccessAt: iso(source.lastSuccessAt),
  nextAt: iso(source.nextAt),
  lastRun: lastRun ? shownRun(lastRun) : null,
  createdAt: source.createdAt.toISOString(),
})

export const noSource = (): ServiceError =>
  new ServiceError('not_found', 'There is no source with this id. list_sources shows those there are.')
