import type * as z from 'zod'
import type { Waiting } from '@/app/ui/needs-you'
import { cleanText } from '@/lib/core/clean'
import type { Desk } from '@/lib/core/desk'
import type { getBusinessOverview } from '@/lib/operations/overview/get-business-overview'
import type { getOverview } from '@/lib/operations/overview/get-overview'

type Business = z.output<typeof getBusinessOverview.output>
type Kind = Business['needsYou'][number]['kind']
type Overview = z.output<typeof getOverview.output>
type Stopped = Overview['stopped'][number]

/** The words for each kind: what waits, and the button that leads to it. */
const KINDS: Record<Kind, { one: string; many: string; action: string }> = {
  refused_leads: { one: 'lead could not be read', many: 'leads could not be read', action: 'Fix' },
  follow_ups: { one: 'follow-up is due', many: 'follow-ups are due', action: 'Leads' },
  failing_webhooks: { one: 'webhook is failing', many: 'webhooks are failing', action: 'See why' },
  held_loads: { one: 'load waits for your answers', many: 'loads wait for your answers', action: 'Answer' },
  ending_keys: { one: 'key expires soon', many: 'keys expire soon', action: 'Rotate' },
}

/** The words for data that should come in by itself: what is wrong, what its time means, and how to fix it. */
const STOPPED: Record<Stopped['what'], { what: string; since: string; fix: string }> = {
  reconnect: { what: 'must be connected again', since: 'Since', fix: 'Connect again' },
  failing: { what: 'cannot be read', since: 'Data is from', fix: 'See why' },
  late: { what: 'brings nothing new', since: 'Data is from', fix: 'See why' },
  unset: { what: 'is no longer set up on this server', since: 'Data is from', fix: 'See what is missing' },
  paused: { what: 'was paused, because it kept failing', since: 'Since', fix: 'Fix' },
  pausedByPerson: { what: 'is paused', since: 'Since', fix: 'Resume' },
}

const COUNTED = 100

function ofKind({ kind, count, path, items }: Business['needsYou'][number], { words, now }: Desk): Waiting {
  const { one, many, action } = KINDS[kind]
  // The button of a single thing leads to it; a follow-up is written beside its lead anyway.
  const only = count === 1 && kind !== 'follow_ups' ? items[0]?.path : undefined
  const number = count < COUNTED ? words.number(count) : `${COUNTED - 1}+`
  return {
    id: kind,
    title: `${number} ${count === 1 ? one : many}`,
    items: items.map(({ title, path: href, at }) => ({
      title: cleanText(title),
      href,
      when: at.length === 10 ? words.day(at) : words.moment(new Date(at), now),
    })),
    action: { text: action, href: only ?? path },
  }
}

function ofStopped({ name, what, since, reason, path }: Stopped, { words, now }: Desk): Waiting {
  const { what: is, since: time, fix } = STOPPED[what]
  const when = `${time} ${words.moment(new Date(since), now)}.`
  return {
    id: `${path} ${name}`,
    title: `${cleanText(name)} ${is}`,
    items: [],
    note: [when, reason && cleanText(reason), !path && 'An administrator can fix it.'].filter(Boolean).join(' '),
    action: path ? { text: fix, href: path } : undefined,
  }
}

/** Puts all that waits for a person into one list: what the business needs, data that stopped coming, and alerts of the last day. */
export function waitingOf(
  { needsYou }: Pick<Business, 'needsYou'>,
  { stopped, alerts }: Pick<Overview, 'stopped' | 'alerts'>,
  desk: Desk,
): Waiting[] {
  return [
    ...needsYou.map((kind) => ofKind(kind, desk)),
    ...stopped.map((each) => ofStopped(each, desk)),
    ...(alerts ?? []).map(({ title, path }) => ({
      id: `${path} ${title}`,
      title: cleanText(title),
      items: [],
      note: 'In the last 24 hours.',
      action: { text: 'Look', href: path },
    })),
  ]
}
