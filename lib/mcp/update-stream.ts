import type { FeedPlace } from '@/db/queries/changes'
import type { Subscriptions } from '@/db/queries/mcp-sessions'
import type { KeyActor } from '@/lib/auth/actor'
import { logFault } from '@/lib/core/log'
import type { ReplyStream } from '@/lib/http/answer'
import { catchUp, type News, watches } from '@/lib/sync/watch'
import { subjectOf } from './subscriptions'

/** The wording of a protocol mode's stream: the text before and after its notifications, and one of them. */
export type Wording = {
  /** The beginning of the stream. */
  first: string
  /** Says up to which place of the feed everything was told, where a client may come back with it. */
  place?: (place: FeedPlace) => string
  updated: (uri: string, place: FeedPlace | undefined) => string
  /** The end of a stream that we end. */
  last?: string
}

/**
 * A stream that tells one client which of the resources it subscribed to have changed. What waits to be sent is a set of URIs, so a
 * client that reads slowly, or not at all, costs no more than its subscriptions.
 */
export class UpdateStream {
  private uris = new Map<string, string[]>()
  private subscribed = new Set<string>()
  /** URIs that were not told yet what changed since their place, where the stream may be further. */
  private readonly behind = new Map<string, FeedPlace>()
  private readonly pending = new Set<string>()
  private place: FeedPlace | undefined
  private says: string[]
  private leave: (() => void) | undefined
  private joining: Promise<void> | undefined
  private isOver = false
  private isLeft = false
  private wake: () => void = () => {}
  private saidAt = performance.now()

  constructor(
    readonly actor: KeyActor,
    private readonly wording: Wording,
    private readonly closed: () => void,
  ) {
    this.says = [wording.first]
  }

  /**
   * Sets what the stream tells of. What is new is told from its own place on, also where the stream is further already; `from` is the place
   * that a client comes back with. Where it fails, the next call catches up.
   */
  async set(subscriptions: Subscriptions, from?: FeedPlace): Promise<void> {
    const before = this.subscribed
    this.subscribed = new Set(Object.keys(subscriptions))
    this.uris = new Map()
    for (const [uri, place] of Object.entries(subscriptions)) {
      const subject = subjectOf(uri, this.actor)
      if (subject === undefined) continue
      this.uris.set(subject, [...(this.uris.get(subject) ?? []), uri])
      if (!before.has(uri)) this.behind.set(uri, place)
    }
    for (const told of [this.pending, this.behind])
      for (const uri of told.keys()) if (!this.subscribed.has(uri)) told.delete(uri)
    if (this.uris.size === 0) return this.unfollow()
    this.joining ??= this.join(from)
    return this.joining
  }

  /** Follows the feed, and tells what is behind; what is added meanwhile too, whose place may have been read over by then. */
  private async join(from: FeedPlace | undefined): Promise<void> {
    // So that it is over in the same step in which nothing is left, and never before it is known to run.
    await Promise.resolve()
    try {
      let first = from
      while (!this.isOver && this.uris.size > 0 && (!this.leave || this.behind.size > 0)) {
        const late = [...this.behind]
        const least = late.map(([, place]) => place).sort((a, b) => a.position - b.position)[0]
        if (!this.leave) await this.follow(first ?? least ?? this.place)
        else if (least && this.place && least.position < this.place.position) {
          const names = new Set(late.map(([uri]) => uri))
          await catchUp(this.actor.contractorId, least, (news) => this.note(news, names))
        }
        first = undefined
        // One that was removed and added again meanwhile has another place.
        for (const [uri, place] of late) if (this.behind.get(uri) === place) this.behind.delete(uri)
      }
    } finally {
      this.joining = undefined
    }
  }

  private async follow(from: FeedPlace | undefined): Promise<void> {
    if (!from) throw new Error('A stream that was told of nothing has no place to follow the feed from.')
    this.place ??= from
    if (this.wording.place) this.says.push(this.wording.place(from))
    this.wake()
    const leave = await watches().follow(this.actor.contractorId, from, (news) => {
      this.place = news.end
      this.note(news, this.subscribed)
    })
    if (this.isOver || this.uris.size === 0) leave()
    else this.leave = leave
  }

  private unfollow(): void {
    this.leave?.()
    this.leave = undefined
  }

  /** Notes which of these URIs are to be told. */
  private note({ changes }: News, of: ReadonlySet<string>): void {
    const touched =
      changes?.flatMap(({ resource, id }) => [
        ...(this.uris.get(`${resource}/${id}`) ?? []),
        ...(this.uris.get(resource) ?? []),
      ]) ?? [...this.uris.values()].flat()
    for (const uri of touched) if (of.has(uri)) this.pending.add(uri)
    if (this.pending.size > 0) this.wake()
  }

  /** Sends a comment where nothing was sent for so long, so that nothing between closes the stream. */
  keepOpen(afterMs: number): void {
    if (performance.now() - this.saidAt < afterMs) return
    this.says.push(': open\n\n')
    this.wake()
  }

  /** Ends the stream, with what a client is told then. */
  end(): void {
    if (this.isOver) return
    this.isOver = true
    this.unfollow()
    this.closed()
    this.wake()
  }

  private *ready(): Generator<string> {
    this.saidAt = performance.now()
    yield* this.says.splice(0)
    const { place } = this
    const uris = [...this.pending]
    this.pending.clear()
    // Only the last one says how far all of them are told.
    const last = uris.pop()
    for (const uri of uris) yield this.wording.updated(uri, undefined)
    if (last !== undefined) yield this.wording.updated(last, place)
  }

  private async *chunks(): AsyncGenerator<string> {
    try {
      while (!this.isOver) {
        yield* this.ready()
        if (this.isOver || this.pending.size > 0 || this.says.length > 0) continue
        await new Promise<void>((resolve) => {
          this.wake = resolve
        })
      }
      if (!this.isLeft && this.wording.last) yield this.wording.last
    } finally {
      this.end()
    }
  }

  /** The stream as a reply's body. It counts as answered once it is open: how long a client listens says nothing about us. */
  reply(): ReplyStream {
    const chunks = this.chunks()
    const finish = chunks.return.bind(chunks)
    // A generator that waits would end only with its next chunk.
    chunks.return = (value) => {
      this.isLeft = true
      this.end()
      return finish(value)
    }
    return { chunks, ended: Promise.resolve() }
  }

  /** Begins to tell. Where that fails the stream ends, so that its client opens another instead of hearing nothing. */
  begin(subscriptions: Subscriptions, from?: FeedPlace): void {
    this.set(subscriptions, from).catch((fault) => {
      logFault({ operation: 'mcp stream' }, fault)
      this.end()
    })
  }
}
