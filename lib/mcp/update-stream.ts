import type { FeedPlace } from '@/db/queries/changes'
import type { Subscriptions } from '@/db/queries/mcp-sessions'
import type { KeyActor } from '@/lib/auth/actor'
import { logFault } from '@/lib/core/log'
import type { ReplyStream } from '@/lib/http/answer'
import { catchUp, type News, watches } from '@/lib/sync/watch'
import { subjectOf } from './subscriptions'

/** How the stream of a protocol mode looks: what stands before and after its notifications, and one of them. */
export type Wording = {
  /** What the stream begins with. */
  first: string
  /** Says up to which place of the feed everything was told, where a client may come back with it. */
  place?: (place: FeedPlace) => string
  updated: (uri: string, place: FeedPlace | undefined) => string
  /** What ends a stream that we end. */
  last?: string
}

/**
 * A stream that tells one client which of the resources it subscribed to have changed. What waits to be sent is a set of URIs, so a
 * client that reads slowly, or not at all, costs no more than its subscriptions.
 */
export class UpdateStream {
  private uris = new Map<string, string[]>()
  private subscribed = new Set<string>()
  private readonly pending = new Set<string>()
  private place: FeedPlace | undefined
  private says: string[]
  private leave: (() => void) | undefined
  private isJoining = false
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
   * that a client comes back with.
   */
  async set(subscriptions: Subscriptions, from?: FeedPlace): Promise<void> {
    const added = Object.entries(subscriptions).filter(([uri]) => !this.subscribed.has(uri))
    this.subscribed = new Set(Object.keys(subscriptions))
    this.uris = new Map()
    for (const uri of this.subscribed) {
      const subject = subjectOf(uri, this.actor)
      if (subject !== undefined) this.uris.set(subject, [...(this.uris.get(subject) ?? []), uri])
    }
    for (const uri of this.pending) if (!this.subscribed.has(uri)) this.pending.delete(uri)
    if (this.uris.size === 0) return this.unfollow()
    if (this.isJoining) return
    const { contractorId } = this.actor
    const behind = added.map(([, place]) => place).sort((a, b) => a.position - b.position)[0]
    const { place } = this
    if (this.leave === undefined) await this.follow(from ?? behind ?? place)
    else if (behind && place && behind.position < place.position) {
      const names = new Set(added.map(([uri]) => uri))
      await catchUp(contractorId, behind, (news) => this.note(news, names))
    }
  }

  private async follow(from: FeedPlace | undefined): Promise<void> {
    if (!from) return
    this.isJoining = true
    this.place ??= from
    if (this.wording.place) this.says.push(this.wording.place(from))
    this.wake()
    try {
      const leave = await watches().follow(this.actor.contractorId, from, (news) => {
        this.place = news.end
        this.note(news, this.subscribed)
      })
      if (this.isOver) leave()
      else this.leave = leave
    } finally {
      this.isJoining = false
    }
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

  /** Begins to tell, and logs what fails: the client is told with the next change, or comes back. */
  begin(subscriptions: Subscriptions, from?: FeedPlace): void {
    this.set(subscriptions, from).catch((fault) => logFault({ operation: 'mcp stream' }, fault))
  }
}
