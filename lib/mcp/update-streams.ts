import { database } from '@/db/client'
import { keysAlive } from '@/db/queries/keys'
import { type Subscriptions, streamedSessions } from '@/db/queries/mcp-sessions'
import type { KeyActor } from '@/lib/auth/actor'
import { env } from '@/lib/core/env'
import { ServiceError } from '@/lib/core/errors'
import { logFault } from '@/lib/core/log'
import { stopping } from '@/lib/core/stopping'
import { Places } from '@/lib/limits/places'
import { part } from '@/lib/runtime/runtime'
import { UpdateStream, type Wording } from './update-stream'

/**
 * How many streams may be open in a process, how often their keys and sessions are looked at, how long one stays silent, and how long it
 * lives. Vercel cuts a function after 60 s (vercel.json), so a stream ends itself there before; elsewhere it ends once an hour, so that its
 * client is checked again.
 */
export const STREAMS = {
  ofKey: 25,
  ofProcess: 500,
  lookMs: 4_000,
  sayMs: 15_000,
  liveMs: () => (env().vercel === undefined ? 3_600_000 : 50_000),
}

const RETRY_SECONDS = 30

type Open = { stream: UpdateStream; began: number; session?: { id: string; streamId: string } | undefined }

/** The streams of this process that tell clients of changes. One timer looks after all of them, in two statements. */
export class Streams {
  private readonly open = new Set<Open>()
  private readonly places = new Places({ ofSubject: STREAMS.ofKey, ofProcess: STREAMS.ofProcess })
  private timer: NodeJS.Timeout | undefined

  constructor(private readonly end: AbortSignal = stopping()) {
    end.addEventListener('abort', () => {
      for (const { stream } of this.open) stream.end()
    })
  }

  /** How many streams are open. */
  get size(): number {
    return this.open.size
  }

  /**
   * Opens a stream; a session's earlier one ends.
   * @throws ServiceError `rate_limited` when the key, or the process, has as many as it may; `busy` when the process is being stopped
   */
  add(actor: KeyActor, wording: Wording, session?: { id: string; streamId: string }): UpdateStream {
    if (this.end.aborted)
      throw new ServiceError('busy', 'This server is being stopped. Open the stream again in a moment.', {
        headers: { 'retry-after': '1' },
      })
    if (session) for (const each of this.ofSession(session.id)) each.stream.end()
    const leave = this.places.take(actor.keyId)
    if (!leave)
      throw new ServiceError(
        'rate_limited',
        `Too many streams are open already; a key may have ${STREAMS.ofKey} on each server. Close one, or read the records when you need them.`,
        { headers: { 'retry-after': String(RETRY_SECONDS) } },
      )
    const opened: Open = {
      stream: new UpdateStream(actor, wording, () => {
        leave()
        this.open.delete(opened)
        if (this.open.size > 0) return
        clearTimeout(this.timer)
        this.timer = undefined
      }),
      began: performance.now(),
      session,
    }
    this.open.add(opened)
    this.timer ??= setTimeout(() => void this.look(), STREAMS.lookMs)
    return opened.stream
  }

  private ofSession(id: string): Open[] {
    return [...this.open].filter(({ session }) => session?.id === id)
  }

  /** Tells a session's stream, where it is in this process, what it tells of from now on. */
  async set(sessionId: string, subscriptions: Subscriptions): Promise<void> {
    for (const { stream } of this.ofSession(sessionId)) await stream.set(subscriptions)
  }

  /** Ends the streams whose key or session has ended or that have lived long enough, and hands on what other instances were told. */
  private async look(): Promise<void> {
    try {
      await this.lookAt([...this.open])
    } catch (fault) {
      if (!this.end.aborted) logFault({ operation: 'mcp streams' }, fault)
    }
    clearTimeout(this.timer)
    this.timer = this.open.size > 0 ? setTimeout(() => void this.look(), STREAMS.lookMs) : undefined
  }

  private async lookAt(open: Open[]): Promise<void> {
    const now = performance.now()
    for (const { stream, began } of open)
      if (now - began >= STREAMS.liveMs()) stream.end()
      else stream.keepOpen(STREAMS.sayMs)
    const db = await database()
    const keys = new Set(await keysAlive(db, [...new Set(open.map(({ stream }) => stream.actor.keyId))]))
    const ids = open.flatMap(({ session }) => (session ? [session.id] : []))
    const sessions = new Map(
      ids.length > 0 ? (await streamedSessions(db, ids)).map((session) => [session.id, session]) : [],
    )
    for (const { stream, session } of open) {
      const stored = session && sessions.get(session.id)
      if (!keys.has(stream.actor.keyId) || (session && stored?.streamId !== session.streamId)) stream.end()
      else if (stored) await stream.set(stored.subscriptions)
    }
  }
}

/** The streams of this process. */
export const streams = part('mcpStreams', () => new Streams())
