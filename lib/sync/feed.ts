import type { Database, Statement } from '@/db/client'
import {
  contractorsWithNews,
  countRecords,
  type FeedPage,
  type FeedPlace,
  type FeedQuery,
  type FeedResource,
  feedPage,
  feedText,
  feedTotals,
  newsText,
  numberChanges,
  totalsText,
  updateAllStaleStatuses,
} from '@/db/queries/changes'
import { statementOf } from '@/db/queries/list'
import { RESOURCES } from '@/lib/resources/registry'

const PAGE: Statement = { name: 'plumbline_feed_page', text: feedText(RESOURCES) }
const NEWS = newsText(RESOURCES)
const TOTALS = totalsText(RESOURCES)

/** Changes that get their positions in one statement; tens of milliseconds of the embedded database. */
export const NUMBERED_AT_ONCE = 500
/** The maximum numberings before one answer. What is still queued then follows with the next request. */
const MOST_ROUNDS = 4
/** Records of before the feed that one statement counts. */
export const COUNTED_AT_ONCE = 2_000

/**
 * Reads a page of a contractor's feed. Statuses that the clock has changed and changes that were committed since are brought into the
 * feed first, in bounded steps; where that leaves some, `more` is true, and the next request goes on.
 */
export async function readFeed(db: Database, query: FeedQuery, statement = PAGE): Promise<FeedPage> {
  let page = await feedPage(db, statement, query)
  if (page.uncounted) {
    await countRecords(db, COUNTED_AT_ONCE)
    page = await feedPage(db, statement, query)
  }
  let isBehind = false
  for (let round = 1; page.known && (page.queued || (page.stale && round === 1)) && round <= MOST_ROUNDS; round++) {
    if (page.stale && round === 1) await updateAllStaleStatuses(db, RESOURCES, query.contractorId)
    isBehind = (await numberChanges(db, query.contractorId, NUMBERED_AT_ONCE)) === NUMBERED_AT_ONCE
    page = await feedPage(db, statement, query)
    if (!isBehind || page.more) break
  }
  return { ...page, more: page.more || isBehind }
}

/** Returns the statement that shows records by other sources, made once for each set of them. */
export function pageOf(sources: readonly FeedResource[]): Statement {
  const key = sources.map(({ source }) => source.variant ?? '').join(' | ')
  return statementOf(`feed | ${key}`, () => feedText(sources))
}

/** Returns which contractors have changes behind the position they know, or statuses that are due to change. */
export const contractorsWithChanges = (db: Database, known: { contractor: string; position: number }[]) =>
  contractorsWithNews(db, NEWS, known)

/** Reads a resource's totals as they were at a place of the feed. */
export const totalsAt = (db: Database, query: { contractorId: string; resources: string[]; after: FeedPlace }) =>
  feedTotals(db, TOTALS, query)
