import { checksumOf } from './checksum.js'
import { GoneError, type Proof } from './errors.js'
import { exported, placeOf } from './export.js'
import { Ahead, batchOf } from './feed.js'
import type { Http } from './http.js'
import { type Place, placeIn, textOf } from './state.js'
import type { Batch, Store } from './store.js'
import { type ChangesPage, isChangesPage, isUpsert, RESOURCES, type ResourceName, type Upsert } from './types.js'

export type SyncOptions = {
  store: Store
  /**
   * The resources to copy. Default: what the stored state covers; the first time, all that the key may read. Others than before: all is
   * read again.
   */
  resources?: readonly ResourceName[]
  /** The option `details` adds what is stored beyond the specified fields. */
  include?: 'details'
  /** Resources that are read whole again; what no longer exists is removed: after a proof that failed. */
  reread?: readonly ResourceName[]
  /** Records in a batch of an export. Default: 1,000. */
  batchSize?: number
  /** Ends it between two batches or within a request; it throws the signal's reason. What is stored stays valid. */
  signal?: AbortSignal
  /** Receives each batch once it is stored. */
  onBatch?: (batch: Batch) => void
}

/** Changes in a request; the most that the API gives. */
const CHANGES = 500
/** The truth at the cursor that a pass has reached. */
type End = { resources: readonly ResourceName[]; totals: ChangesPage['totals'] }

/** A pass over a store: what is left of exports, then changes. */
export class Pass {
  readonly #http: Http
  readonly #options: SyncOptions
  restarted = false
  readonly #ahead = new Ahead()
  #end: End | undefined

  constructor(http: Http, options: SyncOptions) {
    this.#http = http
    this.#options = options
  }

  #changes(query: Record<string, string | number | readonly string[] | undefined>): Promise<ChangesPage> {
    return this.#http.json('/changes', isChangesPage, { query, signal: this.#options.signal })
  }

  /** A place from which everything is read. */
  async #beginning(resources: readonly ResourceName[] | undefined): Promise<Place> {
    const page = await this.#changes({ resources })
    const covered = resources ?? RESOURCES.filter((name) => name in page.totals)
    return {
      cursor: page.cursor,
      resources: [...covered],
      exports: Object.fromEntries(covered.map((name) => [name, {}])),
    }
  }

  /** The place to go on from. */
  async #begin(): Promise<Place> {
    const { store, resources, reread = [] } = this.#options
    const state = await store.load()
    if (state === undefined) return this.#beginning(resources)
    const place = placeIn(state)
    if (resources?.some((name) => !place.resources.includes(name))) return this.#beginning(resources)
    const covered = resources ? [...resources] : place.resources
    const left = Object.entries(place.exports).filter(([name]) => covered.some((each) => each === name))
    const again = reread.map((name) => [name, {}])
    return { ...place, resources: covered, exports: Object.fromEntries([...left, ...again]) }
  }

  /**
   * Reads what the store lacks, in batches. Each must be stored before the next is asked for. `wait` is how many seconds the last
   * request may wait for a change. A cursor that the feed no longer knows (410) leads to a new beginning, once.
   */
  async *batches(wait = 0): AsyncGenerator<Batch> {
    let place = await this.#begin()
    for (;;) {
      try {
        place = yield* this.#exports(place)
        this.#end = yield* this.#feed(place, wait)
        return
      } catch (error) {
        if (!(error instanceof GoneError) || this.restarted) throw error
        this.restarted = true
        place = await this.#beginning(place.resources)
      }
    }
  }

  async *#exports(from: Place): AsyncGenerator<Batch, Place> {
    let place = from
    for (const name of from.resources.filter((name) => from.exports[name])) {
      yield* this.#export(name, place)
      const { [name]: _, ...exports } = place.exports
      place = { ...place, exports }
    }
    return place
  }

  /** Exports one resource. What the copy had before and the export has not is deleted at its end. */
  async *#export(name: ResourceName, place: Place): AsyncGenerator<Batch> {
    const { store, include, batchSize = 1_000, signal } = this.#options
    const { after, replaces } = place.exports[name] ?? {}
    // Which of the copy's records the part before had is not known; only a copy that began empty can go on.
    const resumed = replaces ? undefined : after
    const old = new Set<string>()
    if (resumed === undefined) for await (const [id] of store.versions(name)) old.add(id)
    const replacing = old.size > 0
    // A record that changes meanwhile may come twice.
    const upserts = new Map<string, Upsert>()
    const records = exported(this.#http, name, { include, cursor: place.cursor, after: resumed, signal })
    for await (const record of records) {
      old.delete(record.id)
      const upsert = { resource: name, id: record.id, record }
      if (isUpsert(upsert)) upserts.set(record.id, upsert)
      if (upserts.size < batchSize) continue
      const entry = { after: placeOf(record), ...(replacing && { replaces: true }) }
      const state = textOf({ ...place, exports: { ...place.exports, [name]: entry } })
      yield { upserts: [...upserts.values()], deletes: [], state }
      upserts.clear()
    }
    const { [name]: _, ...exports } = place.exports
    const deletes = [...old].map((id) => ({ resource: name, id }))
    yield { upserts: [...upserts.values()], deletes, state: textOf({ ...place, exports }) }
  }

  async *#feed(from: Place, wait: number): AsyncGenerator<Batch, End> {
    const { include } = this.#options
    let place = from
    for (;;) {
      const { cursor, resources } = place
      const page = await this.#changes({ cursor, resources, include, limit: CHANGES, wait: wait || undefined })
      for (const item of page.items) this.#ahead.note(item)
      place = { ...place, cursor: page.cursor }
      if (page.items.length > 0 || page.cursor !== cursor) yield batchOf(page.items, textOf(place))
      if (!page.more) return { totals: page.totals, resources }
    }
  }

  /** Compares the copy with the totals at the cursor that {@link batches} has reached. */
  async prove(): Promise<Proof[]> {
    const proofs: Proof[] = []
    for (const resource of this.#end?.resources ?? []) {
      const expected = this.#end?.totals[resource] ?? null
      const found = await checksumOf(this.#ahead.atCursor(resource, this.#options.store.versions(resource)))
      const isEqual = expected?.count === found.count && expected.checksum === found.checksum
      const verdict = expected === null ? 'unavailable' : isEqual ? 'complete' : 'incomplete'
      proofs.push({ resource, verdict, found, expected })
    }
    return proofs
  }
}
