import type { Orm } from '@/db/client'
import { errorSpikes, expiringKeys, failedLoads, refusedLeads, type Window } from '@/db/queries/alerts'
import { cleanText } from '@/lib/core/clean'

/** What a person can be alerted of. */
export const ALERT_KINDS = ['refused_leads', 'expiring_keys', 'error_spikes', 'failed_loads'] as const
export type AlertKind = (typeof ALERT_KINDS)[number]

/** What happened, in a line, with details and the page where it is seen. Text of strangers is clean and on one line. */
export type Alert = { kind: AlertKind; title: string; lines: string[]; path: string }

const MOST_LINES = 10
const EXPIRY_DAYS = [7, 1]
const LEAST_ERRORS = 20

const line = (text: string) => cleanText(text).replace(/\s+/g, ' ').trim().slice(0, 200)
const many = (count: number, one: string) => `${count} ${count === 1 ? one : `${one}s`}`
const further = (total: number) => (total > MOST_LINES ? [`and ${total - MOST_LINES} more`] : [])

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
  expiring_keys: async (orm, window) =>
    (await expiringKeys(orm, window, EXPIRY_DAYS)).map(({ name, last4, expiresAt, days }) => ({
      title: `The key “${line(name)}” expires within ${many(days, 'day')}`,
      lines: [`It ends in ${last4} and stops working at ${expiresAt} UTC. Rotate it to keep its integration running.`],
      path: '/keys',
    })),
  error_spikes: async (orm, window) =>
    (await errorSpikes(orm, window, LEAST_ERRORS)).map(({ hour, requests, errors }) => ({
      title: `${many(errors, 'error')} in an hour`,
      lines: [
        `${errors} of ${requests} requests failed in the hour from ${hour} UTC, far more than in the day before.`,
      ],
      path: '/logs?status=4xx&period=24h',
    })),
  failed_loads: async (orm, window) => {
    const found = await failedLoads(orm, window, MOST_LINES)
    if (found.length === 0) return []
    const lines = found.map(({ file, refused, isWhole, by }) =>
      line(
        `${file}: ${many(refused, 'row')} refused${isWhole ? '' : ', and it did not reach its end'}, loaded by ${by}`,
      ),
    )
    return [{ title: `${many(found.length, 'load')} with errors`, lines, path: '/audit' }]
  },
}

/** What happened of some kinds in a window: each event lies in exactly one window, so it is told once. */
export async function findAlerts(orm: Orm, kinds: readonly AlertKind[], window: Window): Promise<Alert[]> {
  const all: Alert[] = []
  for (const kind of kinds) for (const found of await FIND[kind](orm, window)) all.push({ kind, ...found })
  return all
}

export const isAlertKind = (text: string): text is AlertKind => ALERT_KINDS.some((kind) => kind === text)
