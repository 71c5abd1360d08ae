import { setTimeout as sleep } from 'node:timers/promises'
import { logFault } from '@/lib/core/log'
import { stopping } from '@/lib/core/stopping'
import { webhookDriver } from './after-write'
import { fanOut } from './fan-out'
import { type Post, Sender } from './send'

const EVERY_MS = 2_000
/** A write that is followed by others within this time is told of with them. */
const SOON_MS = 100
/** While something is under way, others are looked for as often. */
const LOOK_AGAIN_MS = 500

export type WebhookReport = { sent: number; failed: number; more: boolean }

/**
 * Brings endpoints what the changes feed has for them and sends what is due, until nothing is left or the time is up. Any number of
 * processes may run it at once.
 */
export async function runWebhooks({
  budgetMs = 20_000,
  post,
  clock = () => new Date(),
}: {
  budgetMs?: number
  post?: Post
  clock?: () => Date
} = {}): Promise<WebhookReport> {
  const end = performance.now() + budgetMs
  const sender = new Sender(post)
  let more = true
  while (performance.now() < end && !stopping().aborted) {
    more = await fanOut(clock(), end)
    const taken = await sender.begin(clock())
    if (taken > 0 || more) continue
    if (sender.isIdle) break
    // A slow receiver keeps nobody else waiting.
    await sender.changed(LOOK_AGAIN_MS)
  }
  await sender.finished()
  return { ...sender.report, more }
}

/**
 * Runs until nobody has written since its last look. From that moment on a write begins another run, so that none waits for the next one or,
 * where no timer runs, for the next write.
 */
async function runUntilSeen(): Promise<void> {
  const now = webhookDriver()
  try {
    for (;;) {
      now.isAsked = false
      await runWebhooks()
      if (!now.isAsked || stopping().aborted) return
      await sleep(SOON_MS)
    }
  } catch (fault) {
    if (!stopping().aborted) logFault({ operation: 'webhooks' }, fault)
  } finally {
    now.running = undefined
  }
}

/** Runs webhooks until nobody has written since; resolves at the end of the run that is under way or begins. */
export function runAsked(): Promise<void> {
  const now = webhookDriver()
  now.running ??= runUntilSeen()
  return now.running
}

function runIn(milliseconds: number): void {
  const now = webhookDriver()
  clearTimeout(now.timer)
  if (stopping().aborted) return
  now.timer = setTimeout(() => {
    now.timer = undefined
    // The turn that a write has asked for meanwhile comes earlier.
    void runAsked().finally(() => now.timer ?? runIn(EVERY_MS))
  }, milliseconds)
  now.timer.unref()
}

/** Runs webhooks every two seconds, and soon after a write; call once, in long-lived processes. */
export function scheduleWebhooks(): void {
  const now = webhookDriver()
  if (now.isScheduled) return
  now.isScheduled = true
  let isSoon = false
  now.kick = () => {
    if (now.running) now.isAsked = true
    // One write does not put off the turn that another asked for.
    if (now.running || isSoon) return
    isSoon = true
    setTimeout(() => {
      isSoon = false
    }, SOON_MS).unref()
    runIn(SOON_MS)
  }
  runIn(EVERY_MS)
}
