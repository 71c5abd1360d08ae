import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { isOwnFault } from '@/lib/core/fault-code'
import { FileProblem } from '../fault'

/** A limit above any workbook's parts. */
const MOST_ENTRIES = 2_000
/** The largest part, inflated, and how much more than its compressed size it may become once it is large. */
const MOST_INFLATED = 4 * 1024 ** 3
const MOST_RATIO = 200
const ANY_RATIO = 64 * 1024 ** 2

const broken = (why: string) =>
  new FileProblem(`The workbook cannot be read: ${why}. Save it again, or save the sheet as CSV.`)

/** Returns what is said of a file that the library refuses. */
const verdict = (error: unknown) =>
  error instanceof FileProblem || isOwnFault(error)
    ? error
    : broken(error instanceof Error ? error.message : String(error))

/** The parts of a workbook: a zip file that is read in place. Close it in the end. */
export class Parts {
  /** Bytes that were inflated, of all parts. */
  inflated = 0

  private constructor(
    private readonly zip: ZipFile,
    private readonly entries: Map<string, Entry>,
  ) {}

  /** @throws FileProblem when it is no zip file, or not one that a spreadsheet program writes */
  static async open(path: string): Promise<Parts> {
    try {
      const zip = await openPromise(path, { lazyEntries: true, autoClose: false, validateEntrySizes: true })
      const entries = new Map<string, Entry>()
      try {
        if (zip.entryCount > MOST_ENTRIES) throw broken(`it has ${zip.entryCount} parts`)
        for await (const entry of zip.eachEntry()) entries.set(entry.fileName.toLowerCase(), entry)
      } catch (error) {
        zip.close()
        throw error
      }
      return new Parts(zip, entries)
    } catch (error) {
      throw verdict(error)
    }
  }

  has(name: string): boolean {
    return this.entries.has(name.toLowerCase())
  }

  /** Inflates a part as a stream. @throws FileProblem when it is damaged, encrypted or inflates to more than a sheet can be */
  async *read(name: string, most = MOST_INFLATED): AsyncGenerator<Buffer> {
    const entry = this.entries.get(name.toLowerCase())
    if (!entry) throw broken(`${name} is missing`)
    if (entry.isEncrypted()) throw new FileProblem('The workbook is protected by a password. Save it without one.')
    const stream = await this.zip.openReadStreamPromise(entry).catch((error: unknown) => {
      throw verdict(error)
    })
    let size = 0
    try {
      for await (const chunk of stream) {
        size += chunk.length
        this.inflated += chunk.length
        if (size > most || (size > ANY_RATIO && size > MOST_RATIO * entry.compressedSize))
          throw broken(`${name} inflates to more than a spreadsheet program writes`)
        yield chunk
      }
    } catch (error) {
      throw verdict(error)
    } finally {
      stream.destroy()
    }
  }

  close(): void {
    this.zip.close()
  }
}
