import { createReadStream } from 'node:fs'
import { type FileHandle, open, rename, truncate } from 'node:fs/promises'
import { PlumblineError } from './errors.js'
import { type Batch, MemoryStore, type Store } from './store.js'
import { isUpsert, type Upsert } from './types.js'

/** A file is rewritten when it has this many lines for each record. */
const LINES_PER_RECORD = 3
const AT_ONCE = 1_000

const lineOf = (batch: Batch): string => `${JSON.stringify(batch)}\n`

function batchIn(line: string): Batch | undefined {
  try {
    const { upserts, deletes, state } = JSON.parse(line)
    const isWhole =
      Array.isArray(upserts) && upserts.every(isUpsert) && Array.isArray(deletes) && typeof state === 'string'
    return isWhole ? { upserts, deletes, state } : undefined
  } catch {
    return undefined
  }
}

/**
 * A copy in one file, which is also in memory: for tools and small books. A line for each batch, written to disk before the next is
 * asked for; a line that a crash cut is not counted. One process at a time may open it.
 */
export class FileStore extends MemoryStore implements Store {
  readonly #path: string
  #file: FileHandle
  #written = 0

  private constructor(path: string, file: FileHandle) {
    super()
    this.#path = path
    this.#file = file
  }

  /** Opens a file, and makes it when there is none. @throws PlumblineError when it is some other file */
  static async open(path: string): Promise<FileStore> {
    const store = new FileStore(path, await open(path, 'a'))
    await store.#read()
    return store
  }

  async #read(): Promise<void> {
    let [rest, whole] = ['', 0]
    for await (const part of createReadStream(this.#path, 'utf8')) {
      const lines = (rest + part).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const batch = batchIn(line)
        if (!batch) throw this.#fault()
        super.apply(batch)
        this.#count(batch)
        whole += Buffer.byteLength(line) + 1
      }
    }
    if (rest !== '') await truncate(this.#path, whole)
    if (this.#written > LINES_PER_RECORD * (this.#size() + AT_ONCE)) await this.#rewrite()
  }

  #fault(): PlumblineError {
    return new PlumblineError({
      what: `${this.#path} cannot be used as a copy`,
      why: 'it has lines that this package did not write.',
      next: 'Name another file, or delete this one to begin again.',
    })
  }

  #count({ upserts, deletes }: Batch): void {
    this.#written += upserts.length + deletes.length
  }

  #size(): number {
    return Object.values(this.records).reduce((sum, { size }) => sum + size, 0)
  }

  *#all(): Generator<Upsert> {
    for (const [resource, records] of Object.entries(this.records))
      for (const [id, record] of records) {
        const upsert = { resource, id, record }
        if (isUpsert(upsert)) yield upsert
      }
  }

  /** Writes only what the copy has now to a new file, which then takes the place of the old one. */
  async #rewrite(): Promise<void> {
    const state = this.load()
    if (state === undefined) return
    const file = await open(`${this.#path}.new`, 'w')
    let upserts: Upsert[] = []
    for (const upsert of this.#all()) {
      upserts.push(upsert)
      if (upserts.length < AT_ONCE) continue
      await file.appendFile(lineOf({ upserts, deletes: [], state }))
      upserts = []
    }
    await file.appendFile(lineOf({ upserts, deletes: [], state }))
    await file.sync()
    await rename(`${this.#path}.new`, this.#path)
    await this.#file.close()
    this.#file = file
    this.#written = this.#size()
  }

  override async apply(batch: Batch): Promise<void> {
    const { size } = await this.#file.stat()
    try {
      await this.#file.appendFile(lineOf(batch))
      await this.#file.datasync()
    } catch (error) {
      // Half a line must not stand before the next one.
      await this.#file.truncate(size)
      throw error
    }
    super.apply(batch)
    this.#count(batch)
  }

  /** Closes the file. */
  async close(): Promise<void> {
    await this.#file.close()
  }
}
