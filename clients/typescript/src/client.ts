import { IncompleteListError, type Proof, ProofError } from './errors.js'
import { type ExportOptions, exported } from './export.js'
import { Http, type Options } from './http.js'
import type { Batch } from './store.js'
import { Pass, type SyncOptions } from './sync.js'
import {
  type ChangesPage,
  type ChangesQuery,
  isChangesPage,
  isPage,
  isRecord,
  isTotal,
  type ListQuery,
  type Page,
  type Records,
  type ResourceName,
  type Total,
} from './types.js'

type Ending = { signal?: AbortSignal | undefined }

export type SyncResult = {
  /** Records that were sent; a record may count more than once. */
  upserts: number
  deletes: number
  /** True when everything was read again, because the feed no longer had what follows the stored cursor (410). */
  restarted: boolean
  proofs: Proof[]
}

/** The longest that the API lets a request wait for a change, in seconds. */
const LONGEST_WAIT = 25

/**
 * A client of the data API with one key. Requests are repeated after 429 (when `Retry-After` says so), 408, 5xx and cut connections;
 * all of its methods throw {@link ApiError} and {@link ConnectionError} when that does not help.
 */
export class Plumbline {
  readonly #http: Http

  /** @throws PlumblineError when the address or the key cannot be used */
  constructor(options: Options) {
    this.#http = new Http(options)
  }

  /** Reads a record. @throws GoneError when it was deleted, ApiError 404 when there is none */
  async get<N extends ResourceName>(
    resource: N,
    id: string,
    options: Ending & { include?: 'details' } = {},
  ): Promise<Records[N]> {
    const { signal, ...query } = options
    return this.#http.json(`/${resource}/${encodeURIComponent(id)}`, isRecord<N>, { query, signal })
  }

  /**
   * The pages of a list, a hundred records each unless `limit` says otherwise.
   * @throws IncompleteListError behind the last page that can be read, when records are left
   */
  async *pages<N extends ResourceName>(
    resource: N,
    query?: ListQuery<N>,
    { signal }: Ending = {},
  ): AsyncGenerator<Page<N>> {
    let pageToken: string | undefined
    let isCut = false
    const heard = (headers: Headers) => {
      isCut = headers.get('list-complete')?.startsWith('?0') === true
    }
    do {
      const asked = { limit: 100, ...query, ...(pageToken === undefined ? {} : { pageToken }) }
      const page: Page<N> = await this.#http.json(`/${resource}`, isPage<N>, { query: asked, signal, heard })
      yield page
      pageToken = page.nextPageToken ?? undefined
    } while (pageToken !== undefined)
    if (isCut) throw new IncompleteListError(resource)
  }

  /**
   * The records of a list, page after page. One that changes meanwhile may come twice: keep the last of each id.
   * @throws IncompleteListError as {@link pages} does
   */
  async *list<N extends ResourceName>(
    resource: N,
    query?: ListQuery<N>,
    options: Ending = {},
  ): AsyncGenerator<Records[N]> {
    for await (const { items } of this.pages(resource, query, options)) yield* items
  }

  /** Yields all records of a resource in one streamed answer, continued when it is cut. @returns the cursor behind which the changes are */
  export<N extends ResourceName>(resource: N, options: ExportOptions = {}): AsyncGenerator<Records[N], string | null> {
    return exported(this.#http, resource, options)
  }

  /** Reads a page of the changes feed. Without a cursor it has no items, and the cursor of now. */
  changes(query: ChangesQuery = {}, { signal }: Ending = {}): Promise<ChangesPage> {
    return this.#http.json('/changes', isChangesPage, { query, signal })
  }

  /** Returns how many records of a resource there are, and their checksum, at a cursor or now. */
  checksum(
    resource: ResourceName,
    query: { cursor?: string } = {},
    { signal }: Ending = {},
  ): Promise<Total & { cursor: string }> {
    return this.#http.json(`/${resource}/checksum`, isTotal, { query, signal })
  }

  /**
   * Brings a copy up to date and proves it complete: exports at first, then only changes. Run it every few minutes. After an
   * interruption it goes on behind the last batch that was stored. A cursor that is too old (410) makes it read everything again.
   * @throws ProofError when what the copy has is not what the API has
   */
  async sync(options: SyncOptions): Promise<SyncResult> {
    const pass = new Pass(this.#http, options)
    let [upserts, deletes] = [0, 0]
    for await (const batch of pass.batches()) {
      await options.store.apply(batch)
      upserts += batch.upserts.length
      deletes += batch.deletes.length
      options.onBatch?.(batch)
    }
    const proofs = await pass.prove()
    if (proofs.some(({ verdict }) => verdict === 'incomplete')) throw new ProofError(proofs)
    return { upserts, deletes, restarted: pass.restarted, proofs }
  }

  /**
   * Keeps a copy up to date until the signal ends it: what {@link sync} stores, then each change about a second after it happened.
   * Gives every batch once it is stored.
   */
  async *follow(options: SyncOptions): AsyncGenerator<Batch> {
    const { store, reread, ...rest } = options
    for (let isFirst = true; ; isFirst = false) {
      const pass = new Pass(this.#http, { ...rest, store, ...(isFirst && reread ? { reread } : {}) })
      for await (const batch of pass.batches(isFirst ? 0 : LONGEST_WAIT)) {
        await store.apply(batch)
        options.onBatch?.(batch)
        yield batch
      }
    }
  }
}
