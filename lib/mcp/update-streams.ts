import { type Database, database } from '@/db/client'
import { credentialsAlive } from '@/db/queries/credentials'
import {
  type StreamedSession,
  type Subscriptions,
  sessionSubscriptions,
  streamedSessions,
} from '@/db/queries/mcp-sessions'
import type { KeyActor } from '@/lib/auth/actor'
import { env } from '@/lib/core/env'
import { ServiceError } from '@/lib/core/errors'
import { logFault } from '@/lib/core/log'
import { shared } from '@/lib/core/shared'
import { slicer } from '@/lib/core/slices'
import { stopping } from '@/lib/core/stopping'
import { acquireAll, Places } from '@/lib/limits/places'
import { UpdateStream, type Wording } from './update-stream'

/**
 * The limits of streams: how many may be open for a key, for a contractor and in a process, how often their keys and sessions are looked
 * at, how long one stays silent, and how long it lives. Vercel cuts a function after 60 s (vercel.json), so a stream ends itself there
 * before; elsewhere it ends once an hour, so that its client is checked again.
 */
export const STREAMS = {
  ofKey: 25,
  ofContractor: 100,
  ofProcess: 500,
  // A key may be cached for four seconds when a stream opens, and has to end within five.
  lookMs: 1_000,
  sayMs: 15_000,
  liveMs: () => (env().vercel === undefined ? 3_600_000 : 50_000),
}

const RETRY_SECONDS = 30

/** A stream; that of a session with the version of its subscriptions that it was told of last. */
type Open = {
  stream: UpdateStream
  began: number
  session?: { id: string; streamId: string } | undefined
  version?: string | undefined
}

/** The streams of this process that tell clients of changes. One timer looks after all of them, in two statements. */
export class Streams {
  private readonly open = new Set<Open>()
  private readonly ofKeys = new Places({ ofSubject: STREAMS.ofKey, ofProcess: STREAMS.ofProcess })
  private readonly ofContractors = new Places({ ofSubject: STREAMS.ofContractor, ofProcess: STREAMS.ofProcess })
  private timer: NodeJS.Timeout | undefined

  constructor(private readonly end: AbortSignal = stopping()) {
    end.addEventListener('abort', () => {
      for (const { stream } of this.open) stream.end()
    })
  }

  /** The number of open streams. */
  get size(): number {
    return this.open.size
  }

  /**
   * Opens a stream; a session's earlier one ends.
   * @throws ServiceError `rate_limited` when the key, its contractor or the process has as many as it may; `busy` when the process is being stopped
   */
  add(actor: KeyActor, wording: Wording, session?: { id: string; streamId: string }): UpdateStream {
    if (this.end.aborted)
      throw new ServiceError('busy', 'This server is being stopped. Open the stream again in a moment.', {
        headers: { 'retry-after': '1' },
      })
    if (session) for (const each of this.ofSession(session.id)) each.stream.end()
    const { keyId, contractorId } = actor
    const leave = acquireAll([
      [this.ofKeys, keyId],
      [this.ofContractors, contractorId],
    ])
    if (!leave)
      throw new ServiceError(
        'rate_limited',
        `Too many streams are open already; a key may have ${STREAMS.ofKey} on each server, and all keys of a contractor ${STREAMS.ofContractor}. Close one, or read the records when you need them.`,
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

  /** Tells a session's stream, where it is in this process, what it tells of from now on. Where that fails, the next look does. */
  async set(sessionId: string, subscriptions: Subscriptions): Promise<void> {
    for (const each of this.ofSession(sessionId)) {
      // Of two at once the older may come last.
      each.version = undefined
      await each.stream.set(subscriptions).catch((fault) => logFault({ operation: 'mcp streams' }, fault))
    }
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
    const keys = await credentialsAlive(db, [...new Set(open.map(({ stream }) => stream.actor.keyId))])
    const ids = open.flatMap(({ session }) => (session ? [session.id] : []))
    const sessions = new Map(
      ids.length > 0 ? (await streamedSessions(db, ids)).map((session) => [session.id, session]) : [],
    )
    // First all that have to end, which waits for nothing.
    const living = open.filter(({ stream, session }) => {
      const isLiving =
        keys.has(stream.actor.keyId) && (!session || sessions.get(session.id)?.streamId === session.streamId)
      if (!isLiving) stream.end()
      return isLiving
    })
    await this.handOn(db, living, sessions)
  }

  /** Tells streams what their sessions subscribed to since. What fails for one is tried again at the next look, and keeps nobody else. */
  private async handOn(db: Database, living: Open[], sessions: Map<string, StreamedSession>): Promise<void> {
    const breathe = slicer()
    const faults: unknown[] = []
    for (const each of living) {
      const version = each.session && sessions.get(each.session.id)?.version
      if (!each.session || version === undefined || each.version === version) continue
      try {
        const subscriptions = await sessionSubscriptions(db, each.session.id)
        each.version = version
        if (subscriptions) await each.stream.set(subscriptions)
      } catch (fault) {
        each.version = undefined
        faults.push(fault)
      }
      await breathe()
    }
    if (faults.length > 0 && !this.end.aborted)
      logFault({ operation: 'mcp streams', streams: faults.length }, faults[0])
  }
}

/** The streams of this process. */
export const streams = shared<Streams>('mcpStreams', () => new Streams())
