import { RESOURCES } from '@/lib/resources/registry'
import { type Ask, askAgain, type Copy } from './feed-client'

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
