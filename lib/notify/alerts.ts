import type { Orm } from '@/db/client'
import {
  errorSpikes,
  expiringKeys,
  failedLoads,
  failedSources,
  pausedWebhooks,
  refusedLeads,
  stoppedConnectors,
  type Window,
} from '@/db/queries/alerts'
import { followUpsFallingDue } from '@/db/queries/entries'
import { cleanText } from '@/lib/core/clean'
import { oneLine } from '@/lib/core/text'

/** The kinds of alerts that a person can choose. */
export const ALERT_KINDS = [
  'refused_leads',
  'due_follow_ups',
  'expiring_keys',
  'error_spikes',
  'failed_loads',
  'paused_webhooks',
  'stopped_connectors',
] as const
export type AlertKind = (typeof ALERT_KINDS)[number]

/** An alert: a title, details, and the page that shows it. Untrusted text is cleaned and put on one line. */
export type Alert = { kind: AlertKind; title: string; lines: string[]; path: string }

const MOST_LINES = 10
/** The maximum number of due follow-ups counted. */
const MOST_COUNTED = 1_000
const EXPIRY_DAYS = [7, 1]
const LEAST_ERRORS = 20

const line = (text: string) => oneLine(cleanText(text)).slice(0, 200)
const many = (count: number, one: string) => `${count} ${count === 1 ? one : `${one}s`}`
const further = (total: number) => (total > MOST_LINES ? [`and ${total - MOST_LINES} more`] : [])

/** The reasons for pausing a webhook, for people. */
const PAUSED_BECAUSE: Record<string, string> = {
  failing: 'It took no event for 72 hours.',
  refused: 'It answered 410 Gone.',
  too_old: 'What follows its last event is older than 90 days, or from before a restore.',
  secret: 'Its signing secret cannot be read any more; rotate it.',
  key: 'The key that last set its address was revoked or has expired. Check the address before it goes on.',
  connection: 'The connected program that last set its address was disconnected. Check the address before it goes on.',
  member: 'The person who last set its address is no longer an administrator. Check the address before it goes on.',
  stopped: 'The service stopped three times in a row while it sent an event there.',
}

/** The names of software that is read by itself. */
const TITLES: Record<string, string> = { quickbooks: 'QuickBooks Online' }

async function loadsWithErrors(orm: Orm, window: Window): Promise<Omit<Alert, 'kind'>[]> {
  const found = await failedLoads(orm, window, MOST_LINES)
  if (found.length === 0) return []
  const lines = found.map(({ file, refused, isWhole, by }) =>
    line(`${file}: ${many(refused, 'row')} refused${isWhole ? '' : ', and the load did not finish'}, loaded by ${by}`),
  )
  return [{ title: `${many(found.length, 'load')} with errors`, lines, path: '/audit?event=data_loaded' }]
}

const sourcesThatFailed = async (orm: Orm, window: Window): Promise<Omit<Alert, 'kind'>[]> =>
  (await failedSources(orm, window)).map(({ id, name, pausedFor, failed, reason }) => ({
    title: `The source “${line(name)}” ${pausedFor === null ? 'failed' : 'was paused'}`,
    lines: [
      line(`${many(failed, 'run')} failed. ${reason}`),
      ...(pausedFor === 'failing' ? ['Every run failed for a week. Correct its settings and resume it.'] : []),
    ],
    path: `/data/sources/${id}`,
  }))

const FIND: Record<AlertKind, (orm: Orm, window: Window) => Promise<Omit<Alert, 'kind'>[]>> = {
  refused_leads: async (orm, window) => {
    const { total, items } = await refusedLeads(orm, window, MOST_LINES)
    if (total === 0) return []
    const lines = items.map(({ name, source, reason }) =>
      line(`${name ?? 'No name'} (${source}): ${reason ?? 'failed'}`),
    )
    return [
      { title: `${many(total, 'lead')} refused`, lines: [...lines, ...further(total)], path: '/leads?outcome=refused' },
    ]
  },
  due_follow_ups: async (orm, window) => {
    const { total, items } = await followUpsFallingDue(orm, window, { most: MOST_COUNTED, shown: MOST_LINES })
    if (total === 0) return []
    const lines = items.map(({ customer, project, text }) => line(`${customer}, ${project}${text ? `: ${text}` : ''}`))
    return [{ title: `${many(total, 'follow-up')} due`, lines: [...lines, ...further(total)], path: '/' }]
  },
  expiring_keys: async (orm, window) =>
    (await expiringKeys(orm, window, EXPIRY_DAYS)).map(({ name, last4, expiresAt, days }) => ({
      title: `The key “${line(name)}” expires within ${many(days, 'day')}`,
      lines: [
        `The key ending in ${last4} stops working at ${expiresAt} UTC. Rotate it to keep its integration running.`,
      ],
      path: '/keys',
    })),
  error_spikes: async (orm, window) =>
    (await errorSpikes(orm, window, LEAST_ERRORS)).map(({ hour, requests, errors }) => ({
      title: `${many(errors, 'error')} in an hour`,
      lines: [
        `${errors} of ${requests} requests failed in the hour from ${hour} UTC, far more than in the day before.`,
      ],
      path: '/logs?status=failed&period=24h',
    })),
  paused_webhooks: async (orm, window) =>
    (await pausedWebhooks(orm, window)).map(({ id, url, reason }) => ({
      title: `The webhook to ${line(new URL(url).hostname)} was paused`,
      lines: [`${PAUSED_BECAUSE[reason] ?? 'It was paused.'} Its events wait; resume it to send them.`],
      path: `/outgoing/${id}`,
    })),
  stopped_connectors: async (orm, window) =>
    (await stoppedConnectors(orm, window)).map(({ name, isOver, reason }) => ({
      title: `${TITLES[name] ?? name} ${isOver ? 'must be connected again' : 'has failed for some time'}`,
      lines: [line(reason ?? ''), 'Nothing was deleted; what was read stays.'],
      path: `/data/${name}`,
    })),
  failed_loads: async (orm, window) => [
    ...(await loadsWithErrors(orm, window)),
    ...(await sourcesThatFailed(orm, window)),
  ],
}

/** Finds the alerts of some kinds in a window. Each event is in exactly one window, so it is reported once. */
export async function findAlerts(orm: Orm, kinds: readonly AlertKind[], window: Window): Promise<Alert[]> {
  const all: Alert[] = []
  for (const kind of kinds) for (const found of await FIND[kind](orm, window)) all.push({ kind, ...found })
  return all
}

export const isAlertKind = (text: string): text is AlertKind => ALERT_KINDS.some((kind) => kind === text)
