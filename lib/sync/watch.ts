import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { database } from '@/db/client'
import { type FeedPage, type FeedPlace, feedText } from '@/db/queries/changes'
import { logFault } from '@/lib/core/log'
import { shared } from '@/lib/core/shared'
import { stopping } from '@/lib/core/stopping'
import { RESOURCES } from '@/lib/resources/registry'
import { readFeed } from './feed'
import { waiters } from './waiters'

const NAMES = { name: 'plumbline_feed_names', text: feedText(RESOURCES, 'names') }
const resources = RESOURCES.map(({ name }) => name)

const PAGE = 500
/** The number of pages read for one who comes late; beyond them anything may have changed. */
const MOST_PAGES = 10
/** The longest sleep of a watch, and the one after a failure. */
const SLEEP_MS = 25_000
const RETRY_MS = 2_000

const Changes = z.array(z.object({ position: z.number(), resource: z.string(), id: z.string() }))

/** The records that changed up to a place of the feed; null where that is not known any more, and any of them may have. */
export type News = { changes: z.output<typeof Changes> | null; end: FeedPlace }
type Listener = (news: News) => void
/** The listeners told of a contractor's changes, up to where they were told, and what ends the present wait when nobody listens any more. */
type Watch = { listeners: Set<Listener>; end: FeedPlace; waiting: AbortController }

const read = async (contractorId: string, after: FeedPlace | undefined): Promise<FeedPage> =>
  readFeed(await database(), { contractorId, resources, after, limit: PAGE }, NAMES)

/** Returns where a contractor's feed ends now. */
export const endOfFeed = async (contractorId: string): Promise<FeedPlace> => (await read(contractorId, undefined)).end

/** Reads on from a place. A place that is not part of this feed, as after a restore, is left for the feed's end. */
async function nextNews(contractorId: string, after: FeedPlace): Promise<News & { more: boolean }> {
  const { known, items, end, more } = await read(contractorId, after)
  if (known) return { changes: Changes.parse(JSON.parse(items)), end, more }
  return { changes: null, end: await endOfFeed(contractorId), more: false }
}

/** Tells what changed after a place, up to where the feed ends now. @returns that place */
export async function catchUp(contractorId: string, from: FeedPlace, listener: Listener): Promise<FeedPlace> {
  let at = from
  for (let page = 0; page < MOST_PAGES; page++) {
    const { more, ...news } = await nextNews(contractorId, at)
    listener(news)
    at = news.end
    if (!more) return at
  }
  const end = await endOfFeed(contractorId)
  listener({ changes: null, end })
  return end
}

/** Follows contractors' feeds for those in this process who want to be told: one reader for each contractor, none where nobody listens. */
export class Watches {
  private readonly watched = new Map<string, Watch>()

  /** The number of contractors followed. */
  get size(): number {
    return this.watched.size
  }

  /**
   * Tells a listener of every change of a contractor's behind a place, each once and in order.
   * @returns the function that ends it
   */
  async follow(contractorId: string, from: FeedPlace, listener: Listener): Promise<() => void> {
    const at = await catchUp(contractorId, from, listener)
    const watch = this.watched.get(contractorId) ?? this.begin(contractorId, at)
    // What is told while older news are still read waits for them.
    let waiting: News[] | undefined = []
    let seen = at.position
    const pass = ({ changes, end }: News) => {
      if (changes !== null && end.position <= seen) return
      listener({ changes: changes?.filter(({ position }) => position > seen) ?? null, end })
      seen = end.position
    }
    const joined: Listener = (news) => void (waiting ? waiting.push(news) : pass(news))
    watch.listeners.add(joined)
    try {
      if (watch.end.position > seen) seen = (await catchUp(contractorId, at, listener)).position
    } catch (fault) {
      watch.listeners.delete(joined)
      throw fault
    }
    const early = waiting
    waiting = undefined
    for (const news of early) pass(news)
    return () => {
      watch.listeners.delete(joined)
      if (watch.listeners.size === 0) watch.waiting.abort()
    }
  }

  private begin(contractorId: string, end: FeedPlace): Watch {
    const watch: Watch = { listeners: new Set(), end, waiting: new AbortController() }
    this.watched.set(contractorId, watch)
    void this.run(contractorId, watch)
    return watch
  }

  private async run(contractorId: string, watch: Watch): Promise<void> {
    // The first listener joins before anything is read.
    await Promise.resolve()
    let isFailing = false
    while (watch.listeners.size > 0 && !stopping().aborted)
      try {
        await this.pass(contractorId, watch)
        isFailing = false
      } catch (fault) {
        if (stopping().aborted) break
        // Once for each outage.
        if (!isFailing) logFault({ operation: 'changes' }, fault)
        isFailing = true
        await sleep(RETRY_MS)
      }
    if (this.watched.get(contractorId) === watch) this.watched.delete(contractorId)
  }

  /** Tells the listeners what is new, then waits for more. */
  private async pass(contractorId: string, watch: Watch): Promise<void> {
    const { more, ...news } = await nextNews(contractorId, watch.end)
    watch.end = news.end
    if (news.changes?.length !== 0) for (const listener of watch.listeners) listener(news)
    watch.waiting = new AbortController()
    if (!more && watch.listeners.size > 0)
      await waiters().changed(contractorId, watch.end.position, SLEEP_MS, watch.waiting.signal)
  }
}

/** The contractors whose feeds this process follows. */
export const watches = shared<Watches>('changeWatches', () => new Watches())
