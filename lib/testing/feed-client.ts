import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { type Database, rows } from '@/db/client'
import { RESOURCES } from '@/lib/resources/registry'
import type { Called } from './tenant'

const ATTEMPTS = 8

/** The `updatedAt` of each record, by resource. */
export type Copy = Map<string, Map<string, string>>
type Totals = Record<string, { count: number; checksum: string }>

/** Sends a GET with a key, in this process or to a server. */
export type Ask = (path: string) => Promise<Pick<Called, 'status' | 'headers' | 'body' | 'text'>>

type Item = { resource: string; change: string; id: string; updatedAt?: string }
type Listed = { id: string; updatedAt: string }

/** Returns the checksum of records as a client computes it from the documentation. */
export function checksumOf(versions: Iterable<[id: string, updatedAt: string]>): string {
  let sum = 0n
  for (const [id, updatedAt] of versions)
    sum += createHash('sha256').update(`${id} ${updatedAt}`).digest().readBigUInt64BE()
  return BigInt.asUintN(64, sum).toString(16).padStart(16, '0')
}

/** Asks until there is an answer: a database may have no connection left for now, and reads are safe to repeat. */
export async function askAgain(ask: Ask, path: string): ReturnType<Ask> {
  for (let attempt = 1; ; attempt++) {
    const answer = await ask(path)
    if (answer.status === 200) return answer
    if (answer.status < 500 || attempt === ATTEMPTS)
      throw new Error(`${path} answered ${answer.status}: ${answer.text}`)
    await sleep(200 * attempt)
  }
}

/** Returns a copy's counts and checksums, in the form of the feed's totals. */
const totalsOf = (copy: Copy): Totals =>
  Object.fromEntries([...copy].map(([name, kept]) => [name, { count: kept.size, checksum: checksumOf(kept) }]))

/** A client that keeps a copy by the documented algorithm: a cursor, the lists once, then changes from that cursor. */
export class FeedClient {
  readonly copy: Copy = new Map()
  readonly items: Item[] = []
  cursor = ''
  totals: Record<string, { count: number; checksum: string } | null> = {}

  constructor(
    private readonly ask: Ask,
    private readonly limit = 100,
    readonly resources: readonly string[] = RESOURCES.map(({ name }) => name),
  ) {}

  /** Takes the cursor of now, then reads every list once. */
  async begin(): Promise<void> {
    const { body } = await askAgain(this.ask, `/api/v1/changes?resources=${this.resources.join(',')}`)
    this.cursor = body.cursor
    this.totals = body.totals
    for (const resource of this.resources) {
      const kept = new Map<string, string>()
      this.copy.set(resource, kept)
      let token: string | null = ''
      while (token !== null) {
        const after: string = token === '' ? '' : `&pageToken=${token}`
        const page = (await askAgain(this.ask, `/api/v1/${resource}?limit=100${after}`)).body
        const items: Listed[] = page.items
        for (const { id, updatedAt } of items) kept.set(id, updatedAt)
        token = page.nextPageToken
      }
    }
  }

  /** Reads changes until no more follow. @returns how many it were */
  async catchUp(wait = 0): Promise<number> {
    for (let read = 0; ; ) {
      const { body } = await askAgain(
        this.ask,
        `/api/v1/changes?cursor=${this.cursor}&limit=${this.limit}&wait=${wait}`,
      )
      for (const item of body.items) this.take(item)
      read += body.items.length
      this.cursor = body.cursor
      this.totals = body.totals
      if (!body.more) return read
    }
  }

  private take({ resource, change, id, updatedAt }: Item): void {
    const item: Item = { resource, change, id, ...(updatedAt === undefined ? {} : { updatedAt }) }
    // Without the record, which is as it is at the moment of each answer.
    this.items.push(item)
    const kept = this.copy.get(resource)
    if (updatedAt === undefined) kept?.delete(id)
    else kept?.set(id, updatedAt)
  }

  /** Returns what its copy proves, in the form of the feed's totals. */
  proof(): Totals {
    return totalsOf(this.copy)
  }
}

/** Returns a contractor's records as the tables have them. */
export async function recordsOf(db: Database, contractorId: string): Promise<Copy> {
  const entries = RESOURCES.map(async ({ name, source }) => {
    const found = await rows<Listed>(
      db.orm,
      sql`select id, to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updatedAt"
        from ${sql.identifier(source.table)} where contractor_id = ${contractorId}
        ${source.only === 'owns_project' ? sql`and owns_project` : source.only ? sql`and type = 'payment_received'` : sql``}`,
    )
    return [name, new Map(found.map(({ id, updatedAt }) => [id, updatedAt]))] as const
  })
  return new Map(await Promise.all(entries))
}

/** Returns the totals of a contractor's records, counted in the tables. */
export const truthOf = async (db: Database, contractorId: string): Promise<Totals> =>
  totalsOf(await recordsOf(db, contractorId))

/** The differences of a copy from the records: not in it, in an old version, and no longer there. */
export type Missed = { absent: number; stale: number; leftOver: number }

/** A client that keeps a copy by `updatedAfter` alone: each sync begins where the last one began, less an overlap. */
export class DeltaClient {
  readonly copy: Copy = new Map(RESOURCES.map(({ name }) => [name, new Map()]))
  private since: string | undefined

  constructor(
    private readonly ask: Ask,
    private readonly overlapMs: number,
  ) {}

  /** The first sync, which reads everything. */
  begin = (): Promise<void> => this.catchUp()

  /** Reads every list from its place to its end, then moves the place. */
  async catchUp(): Promise<void> {
    let began: number | undefined
    const since = this.since === undefined ? '' : `&updatedAfter=${this.since}`
    for (const [resource, kept] of this.copy) {
      let token: string | null = ''
      while (token !== null) {
        const after: string = token === '' ? since : `${since}&pageToken=${token}`
        const { headers, body } = await askAgain(this.ask, `/api/v1/${resource}?limit=100${after}`)
        // The server's clock, which writes `updatedAt`; a call in this process has no such header, and the same clock.
        began ??= Date.parse(headers.get('date') ?? '') || Date.now()
        for (const { id, updatedAt } of body.items) kept.set(id, updatedAt)
        token = body.nextPageToken
      }
    }
    this.since = new Date((began ?? Date.now()) - this.overlapMs).toISOString()
  }

  /** Compares its copy with the records. */
  missed(truth: Copy): Missed {
    const missed = { absent: 0, stale: 0, leftOver: 0 }
    for (const [resource, records] of truth) {
      const kept = this.copy.get(resource) ?? new Map<string, string>()
      for (const [id, updatedAt] of records) {
        if (!kept.has(id)) missed.absent++
        else if (kept.get(id) !== updatedAt) missed.stale++
      }
      for (const id of kept.keys()) if (!records.has(id)) missed.leftOver++
    }
    return missed
  }
}
