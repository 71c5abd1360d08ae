import { database } from '@/db/client'
import { pauseUnvouched } from '@/db/queries/webhook-vouchers'
import {
  type ClaimedDelivery,
  changeEndpoint,
  claimDeliveries,
  findEndpoint,
  noteAttempt,
  type WebhookEndpoint,
} from '@/db/queries/webhooks'
import { inHand, MOST_STOPS } from '@/db/queries/work-in-hand'
import { logFault } from '@/lib/core/log'
import { safeText } from '@/lib/core/log-safe'
import { type Posted, publicPost } from '@/lib/core/public-post'
import { Places } from '@/lib/limits/places'
import { signedHeaders } from './secrets'

const SECOND_MS = 1_000
const HOUR_MS = 3_600_000

/** Waits after each failed attempt of one event: eleven attempts in about two days. */
const BACKOFF_SECONDS = [5, 30, 120, 600, 1_800, 3_600, 7_200, 21_600, 43_200, 86_400]
const MOST_ATTEMPTS = BACKOFF_SECONDS.length + 1
/** The number of failures in a row after which an endpoint counts as down, and all its events wait. */
const DOWN_AFTER = 5
const LONGEST_WAIT_SECONDS = 3_600
/** An endpoint that takes nothing for so long is paused. */
const PAUSED_AFTER_MS = 72 * HOUR_MS
/** A period longer than an attempt takes, so that nobody else takes a delivery that is under way. */
const LEASE_MS = 60 * SECOND_MS
/** Deliveries of one endpoint that are begun together; the next ones follow when they have ended. */
export const OF_EACH = 10
/**
 * Deliveries under way at once: of one contractor, so that its slow receivers keep no other one waiting, and in one process, because each
 * ends in a transaction of the pool that requests use.
 */
export const AT_ONCE = { ofSubject: 20, ofProcess: 100 }
const MOST_RESPONSE = 2_000

/** The function that posts messages. Tests use their own server instead of the internet. */
export type Post = typeof publicPost

type Outcome = {
  ok: boolean
  gone: boolean
  pausedFor?: 'secret' | 'stopped'
  status?: number
  error?: string
  text: string
}

const HEALTHY = { failures: 0, failingSince: null } as const

const stopped = (times: number): Outcome => ({
  ok: false,
  gone: false,
  ...(times >= MOST_STOPS && { pausedFor: 'stopped' }),
  error: 'The service was stopped while it sent this.',
  text: '',
})

const NO_SECRET: Outcome = {
  ok: false,
  gone: false,
  pausedFor: 'secret',
  error: 'The signing secret cannot be read any more. Rotate it.',
  text: '',
}

async function attempt({ url, messageId, body, ...signing }: ClaimedDelivery, post: Post): Promise<Outcome> {
  const headers = signedHeaders(signing, { id: messageId, body, now: new Date() })
  if (!headers) return NO_SECRET
  try {
    const { status, text }: Posted = await post(url, { headers, body, most: MOST_RESPONSE })
    return { ok: status >= 200 && status < 300, gone: status === 410, status, text: safeText(text) }
  } catch (error) {
    // The address may be a secret itself.
    const words = safeText(error instanceof Error ? error.message : String(error)).replaceAll(url, 'the address')
    return { ok: false, gone: false, error: words.slice(0, 300), text: '' }
  }
}

const later = (now: Date, seconds: number): Date => new Date(now.getTime() + seconds * SECOND_MS)

const paused = (now: Date, pausedReason: NonNullable<WebhookEndpoint['pausedReason']>) =>
  ({ state: 'paused', pausedAt: now, pausedReason }) as const

/**
 * Returns what a failed attempt means for the endpoint: it may be down, then all wait; after long enough, or when it says so (410), it is
 * paused.
 */
function afterFailure(endpoint: WebhookEndpoint, { gone, pausedFor }: Outcome, now: Date): Partial<WebhookEndpoint> {
  const failures = endpoint.failures + 1
  const failingSince = endpoint.failingSince ?? now
  const counted = { failures, failingSince }
  if (pausedFor) return { ...counted, ...paused(now, pausedFor) }
  if (gone) return { ...counted, ...paused(now, 'refused') }
  if (now.getTime() - failingSince.getTime() >= PAUSED_AFTER_MS) return { ...counted, ...paused(now, 'failing') }
  if (failures < DOWN_AFTER) return counted
  // Several are sent side by side: of one round, only the first failure makes the wait longer.
  if (endpoint.nextAt > now) return { failingSince }
  return { ...counted, nextAt: later(now, Math.min(LONGEST_WAIT_SECONDS, 5 * 2 ** (failures - DOWN_AFTER))) }
}

/** Returns what an attempt means for its delivery: an event is given up only while the endpoint takes others. */
function afterAttempt(
  { attempts, createdAt }: ClaimedDelivery,
  { succeededAt }: WebhookEndpoint,
  { ok, status, text }: Outcome,
  now: Date,
): Parameters<typeof noteAttempt>[3] {
  const takesOthers = succeededAt !== null && succeededAt > createdAt
  const isOver = !ok && attempts >= MOST_ATTEMPTS && takesOthers
  const wait = BACKOFF_SECONDS[Math.min(attempts, BACKOFF_SECONDS.length) - 1] ?? 5
  return {
    state: ok ? 'delivered' : isOver ? 'failed' : 'pending',
    nextAt: later(now, ok ? 0 : wait),
    endedAt: ok || isOver ? now : null,
    status: status ?? null,
    response: text,
  }
}

/** Sends one event and notes what came of it. One that ended its process has failed, and the third time in a row its endpoint is paused. */
async function deliver(delivery: ClaimedDelivery, now: Date, post: Post): Promise<boolean> {
  const began = performance.now()
  const at = new Date().toISOString()
  const note = (outcome: Outcome) => noteOutcome(delivery, outcome, { at, began, now })
  return await inHand(
    (await database()).orm,
    { kind: 'delivery', subject: delivery.id },
    {
      begun: async () => note(await attempt(delivery, post)),
      left: (times) => note(stopped(times)),
      // It is taken again when its lease ends.
      later: () => false,
    },
  )
}

async function noteOutcome(
  delivery: ClaimedDelivery,
  outcome: Outcome,
  { at, began, now }: { at: string; began: number; now: Date },
): Promise<boolean> {
  const { ok, status, error } = outcome
  const ms = Math.round(performance.now() - began)
  const tried = { at, ms, ...(status === undefined ? {} : { status }), ...(error ? { error } : {}) }
  const { contractorId, endpointId } = delivery
  const { orm } = await database()
  return await orm.transaction(async (tx) => {
    const endpoint = await findEndpoint(tx, contractorId, endpointId, true)
    if (!endpoint) return false
    const follows = await noteAttempt(tx, delivery, tried, afterAttempt(delivery, endpoint, outcome, now))
    if (ok) await changeEndpoint(tx, contractorId, endpointId, { ...HEALTHY, succeededAt: now, nextAt: now })
    else if (follows && endpoint.state === 'active')
      await changeEndpoint(tx, contractorId, endpointId, afterFailure(endpoint, outcome, now))
    return ok
  })
}

/** Sends what is due in turns of the contractors, some of each endpoint at once; an endpoint gets its next ones when those have ended. */
export class Sender {
  readonly report = { sent: 0, failed: 0 }
  /** The endpoints of attempts that failed. */
  readonly failed = new Set<string>()
  private readonly busy = new Map<string, Promise<void>>()
  private readonly places = new Places(AT_ONCE)

  constructor(private readonly post: Post = publicPost) {}

  get isIdle(): boolean {
    return this.busy.size === 0
  }

  /** Begins with what is due. @returns how many deliveries were taken */
  async begin(now: Date): Promise<number> {
    const { orm } = await database()
    await pauseUnvouched(orm, now)
    const taken = await claimDeliveries(orm, {
      now,
      until: new Date(now.getTime() + LEASE_MS),
      most: { ofEndpoint: OF_EACH, ofContractor: AT_ONCE.ofSubject, inAll: this.places.left },
      busy: { endpoints: [...this.busy.keys()], contractors: this.places.held },
    })
    for (const endpointId of new Set(taken.map((each) => each.endpointId))) {
      const deliveries = taken.filter((each) => each.endpointId === endpointId)
      const work = this.sendAll(deliveries, now)
        // What could not be noted is taken again when its lease ends.
        .catch((fault) => logFault({ operation: 'webhooks' }, fault))
        .finally(() => this.busy.delete(endpointId))
      this.busy.set(endpointId, work)
    }
    return taken.length
  }

  private async sendAll(deliveries: ClaimedDelivery[], now: Date): Promise<void> {
    const one = async (delivery: ClaimedDelivery) => {
      const leave = this.places.take(delivery.contractorId)
      const ok = await deliver(delivery, now, this.post).finally(leave)
      this.report[ok ? 'sent' : 'failed']++
      if (!ok) this.failed.add(delivery.endpointId)
    }
    await Promise.all(deliveries.map(one))
  }

  /** Resolves when an endpoint has got what was begun, nothing is under way, or the time is over. */
  async changed(milliseconds: number): Promise<void> {
    if (this.isIdle) return
    const over = AbortSignal.timeout(milliseconds)
    await Promise.race([
      ...this.busy.values(),
      new Promise<void>((done) => over.addEventListener('abort', () => done())),
    ])
  }

  /** Resolves when nothing is under way any more. */
  async finished(): Promise<void> {
    await Promise.all(this.busy.values())
  }
}
