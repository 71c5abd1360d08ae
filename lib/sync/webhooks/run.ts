import { setTimeout as sleep } from 'node:timers/promises'
import { database } from '@/db/client'
import { hasActiveEndpoint, nextAttempt } from '@/db/queries/webhooks'
import { logFault } from '@/lib/core/log'
import { stopping } from '@/lib/core/stopping'
import { runJob } from '@/lib/jobs/run'
import { webhookDriver } from './after-write'
import { fanOut } from './fan-out'
import { type Post, Sender } from './send'

/** A write that is followed by others within this time is told of with them. */
const SOON_MS = 100
/** The interval at which others are looked for while something is under way. */
const LOOK_AGAIN_MS = 500

/** What a run did; `retryInMs` is the time until the first of the attempts that failed in it is repeated. */
export type WebhookReport = { sent: number; failed: number; more: boolean; retryInMs?: number }

/**
 * Brings endpoints what the changes feed has for them and sends what is due, until nothing is left or the time is up. Any number of
 * processes may run it at once.
 */
export async function runWebhooks({
  budgetMs = 20_000,
  post,
  clock = () => new Date(),
}: {
  budgetMs?: number | undefined
  post?: Post
  clock?: () => Date
} = {}): Promise<WebhookReport> {
  const { orm } = await database()
  // Each write of a contractor begins a run, and most have no endpoint.
  if (!(await hasActiveEndpoint(orm))) return { sent: 0, failed: 0, more: false }
  const end = performance.now() + budgetMs
  const sender = new Sender(post)
  let more = true
  while (performance.now() < end && !stopping().aborted) {
    more = await fanOut(clock(), end)
    // What ends while the next ones are looked for may have kept others of its endpoint waiting: they are looked for once more.
    const wasIdle = sender.isIdle
    const taken = await sender.begin(clock())
    if (taken > 0 || more) continue
    if (wasIdle) break
    // A slow receiver keeps nobody else waiting.
    await sender.changed(LOOK_AGAIN_MS)
  }
  await sender.finished()
  const next = sender.failed.size > 0 ? await nextAttempt(orm, [...sender.failed]) : undefined
  const retryInMs = next && { retryInMs: Math.max(0, next.getTime() - clock().getTime()) }
  return { ...sender.report, more, ...retryInMs }
}

/** Waits for a time, or until somebody writes. */
async function waitOrAsked(milliseconds: number): Promise<void> {
  const end = performance.now() + milliseconds
  while (performance.now() < end && !webhookDriver().isAsked && !stopping().aborted) await sleep(SOON_MS)
}

/** The times of a run: for sending, and the one within which it waits for what is to be repeated. */
type Times = { budgetMs?: number | undefined; retryMs?: number }

/**
 * Runs until nobody has written since its last look. From that moment on a write begins another run, so that none waits for the next one or,
 * where no timer runs, for the next write.
 */
async function runUntilSeen({ budgetMs, retryMs = 0 }: Times): Promise<void> {
  const now = webhookDriver()
  const end = performance.now() + retryMs
  let retryAt = Number.POSITIVE_INFINITY
  try {
    for (;;) {
      now.isAsked = false
      const { retryInMs = Number.POSITIVE_INFINITY } = await runJob('webhooks', () => runWebhooks({ budgetMs }))
      const moment = performance.now()
      // What an earlier turn of this run is to repeat is still to come.
      retryAt = Math.min(retryAt > moment ? retryAt : Number.POSITIVE_INFINITY, moment + retryInMs)
      if ((!now.isAsked && retryAt >= end) || stopping().aborted) return
      await (now.isAsked ? sleep(SOON_MS) : waitOrAsked(retryAt - moment))
    }
  } catch (fault) {
    if (!stopping().aborted) logFault({ operation: 'webhooks' }, fault)
  } finally {
    now.running = undefined
  }
}

/**
 * Runs webhooks until nobody has written since, and an attempt that failed is repeated within `retryMs`; resolves at the end of the run that
 * is under way or begins.
 */
export function runDue(times: Times = {}): Promise<void> {
  const now = webhookDriver()
  now.running ??= runUntilSeen(times)
  return now.running
}

/** Runs without an end: before one, a run waits for what is under way, and would begin nothing else meanwhile. */
export const runToTheEnd = (): Promise<void> => runDue({ budgetMs: Number.POSITIVE_INFINITY })

/** Lets events leave soon after the write that causes them; call once, in long-lived processes. */
export function sendSoon(): void {
  const now = webhookDriver()
  let isSoon = false
  now.kick = () => {
    if (now.running) now.isAsked = true
    // One write does not put off the turn that another asked for.
    if (now.running || isSoon) return
    isSoon = true
    setTimeout(() => {
      isSoon = false
      void runToTheEnd()
    }, SOON_MS).unref()
  }
}
