import type * as z from 'zod'
import { Badge, type Tone } from '@/app/ui/badge'
import { cleanText } from '@/lib/core/clean'
import type { listSourceRuns, listSources } from '@/lib/operations/sources/list-sources'

export type Source = z.output<typeof listSources.output>['items'][number]
export type SourceRun = z.output<typeof listSourceRuns.output>['items'][number]

const HEALTH: Record<Source['health'], { text: string; tone: Tone }> = {
  new: { text: 'Not run yet', tone: 'neutral' },
  fresh: { text: 'Up to date', tone: 'good' },
  stale: { text: 'Stale', tone: 'warn' },
  failing: { text: 'Failing', tone: 'danger' },
  paused: { text: 'Paused', tone: 'neutral' },
}

export const KINDS: Record<Source['kind'], string> = {
  folder: 'Watched folder',
  sftp: 'SFTP server',
  link: 'Link',
  mail: 'Mails',
}

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** Returns when a source runs, in words. */
export function whenOf({ every, hour, weekday }: Pick<Source, 'every' | 'hour' | 'weekday'>): string {
  if (every === null) return 'When a mail comes'
  if (every === 'hour') return 'Every hour'
  const at = `${String(hour ?? 0).padStart(2, '0')}:00`
  return every === 'day' ? `Nightly at ${at}` : `${DAYS[weekday ?? 0]}s at ${at}`
}

/** Returns where a source looks, without secrets. */
export function whereOf({ kind, settings }: Pick<Source, 'kind' | 'settings'>): string {
  if (kind === 'link') return URL.canParse(settings.url ?? '') ? new URL(settings.url ?? '').hostname : ''
  if (kind === 'sftp') return cleanText(`${settings.host}:${settings.port} ${settings.path}`)
  if (kind === 'mail') return cleanText(settings.senders ?? '')
  return cleanText(settings.path || 'the whole folder')
}

export const HealthBadge = ({ health }: Pick<Source, 'health'>) => (
  <Badge tone={HEALTH[health].tone}>{HEALTH[health].text}</Badge>
)

const OUTCOMES: Record<SourceRun['outcome'], { text: string; tone: Tone }> = {
  running: { text: 'Running', tone: 'active' },
  loaded: { text: 'Loaded', tone: 'good' },
  partial: { text: 'Loaded in part', tone: 'warn' },
  unchanged: { text: 'No change', tone: 'neutral' },
  failed: { text: 'Failed', tone: 'danger' },
}

export const OutcomeBadge = ({ outcome }: Pick<SourceRun, 'outcome'>) => (
  <Badge tone={OUTCOMES[outcome].tone}>{OUTCOMES[outcome].text}</Badge>
)
