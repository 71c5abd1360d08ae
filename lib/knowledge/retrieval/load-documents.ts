import { readFile, stat } from 'node:fs/promises'
import type { Database } from '@/db/client'
import { listDocumentReferences } from '@/db/queries/document-references'
import { putDocuments, removeDocuments } from '@/db/queries/documents'
import { refreshStatistics } from '@/db/queries/load'
import { ServiceError } from '@/lib/core/errors'
import { Pace, stopwatch } from '@/lib/core/slices'
import { MOST, type SourceDocument } from './document'
import { type EndingCounts, type FoundFile, filesOf, type NamedPath, namedPath } from './find-files'
import { DocumentProblem } from './readers/blocks'
import { DocumentReader } from './readers/reading'

/** The most chunks in one transaction. An interrupted load leaves whole documents behind and can be run again. */
const BATCH_CHUNKS = 200
/** Files larger than this are scans or mistakes. */
const MOST_BYTES = 25_000_000
/** The report lists the first thousand files; the counts include all. */
const KEPT = 1_000

/** The result of a load. `ignored` counts files that no reader supports, by extension. */
export type DocumentsReport = {
  files: number
  added: number
  updated: number
  unchanged: number
  removed: number
  refused: { file: string; reason: string }[]
  refusedCount: number
  ignored: Record<string, number>
  milliseconds: number
}

/** A load in progress. */
class DocumentsLoad {
  readonly report: DocumentsReport = {
    files: 0,
    added: 0,
    updated: 0,
    unchanged: 0,
    removed: 0,
    refused: [],
    refusedCount: 0,
    ignored: {},
    milliseconds: 0,
  }
  readonly seen = new Set<string>()
  private readonly reader = new DocumentReader()
  private pending: SourceDocument[] = []
  private readonly pace: Pace

  constructor(
    private readonly db: Database,
    private readonly owner: string,
  ) {
    this.pace = new Pace(db)
  }

  async take(file: FoundFile): Promise<void> {
    this.report.files++
    try {
      this.pending.push(await this.read(file))
    } catch (error) {
      if (!(error instanceof DocumentProblem)) throw error
      this.refuse(file.path, error.message)
    }
    if (this.chunks >= Math.min(BATCH_CHUNKS, this.pace.rows)) await this.flush()
  }

  private get chunks(): number {
    return this.pending.reduce((sum, document) => sum + document.chunks.length, 0)
  }

  async flush(): Promise<void> {
    const { chunks } = this
    const held = stopwatch()
    const counts = await putDocuments(this.db.orm, this.owner, this.pending)
    this.pace.took(chunks, held())
    await this.pace.between()
    this.pending = []
    this.report.added += counts.added
    this.report.updated += counts.updated
    this.report.unchanged += counts.unchanged
  }

  /** Removes documents that were loaded from a folder but whose files are gone. */
  async prune({ name, path }: NamedPath): Promise<void> {
    const known = await listDocumentReferences(this.db.orm, this.owner, 'document', `${name}/`)
    const gone = known.filter((reference) => !this.seen.has(reference))
    // An unmounted disk also looks like an empty folder.
    if (known.length > 0 && gone.length === known.length)
      throw new ServiceError(
        'bad_request',
        `${path} holds none of the documents loaded from it before. Nothing was removed.`,
      )
    this.report.removed += await removeDocuments(this.db.orm, this.owner, 'document', gone)
  }

  close(): void {
    this.reader.close()
  }

  private async read({ path, reference }: FoundFile): Promise<SourceDocument> {
    if (this.seen.has(reference)) throw new DocumentProblem(`is known by ${reference}, and so is a file before it`)
    this.seen.add(reference)
    if (reference.length > MOST.reference) throw new DocumentProblem('has too long a path')
    const bytes = await bytesOf(path)
    const { title, chunks } = await this.reader.read(path, bytes)
    return { type: 'document', reference: reference.toWellFormed(), title, link: null, untrusted: false, chunks }
  }

  private refuse(file: string, reason: string): void {
    this.report.refusedCount++
    if (this.report.refused.length < KEPT) this.report.refused.push({ file, reason })
  }
}

async function bytesOf(path: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const { size } = await stat(path)
    if (size > MOST_BYTES) throw new DocumentProblem(`is larger than ${MOST_BYTES / 1_000_000} MB; split it`)
    return new Uint8Array(await readFile(path))
  } catch (error) {
    if (error instanceof DocumentProblem) throw error
    const code = error instanceof Error && 'code' in error ? error.code : error
    throw new DocumentProblem(`cannot be read (${code})`)
  }
}

/**
 * Loads files and folders as documents of an owner (a contractor's id, or `public`), with one file in memory at a time. A document
 * is identified by the given name and its path below it: reloading an unchanged file does nothing, and a changed file replaces its
 * document. With `prune`, documents whose files are gone from the named folders are removed. A file that cannot be used is reported
 * and the load continues.
 * @throws ServiceError `bad_request` when a path does not exist, or when pruning a folder would remove all of its documents
 */
export async function loadDocuments(
  db: Database,
  owner: string,
  paths: string[],
  options: { prune?: boolean | undefined } = {},
): Promise<DocumentsReport> {
  const began = performance.now()
  const named = await Promise.all(paths.map(namedPath))
  const ignored: EndingCounts = new Map()
  const load = new DocumentsLoad(db, owner)
  try {
    for (const path of named) for await (const file of filesOf(path, ignored)) await load.take(file)
    await load.flush()
    if (options.prune) for (const path of named.filter(({ isFolder }) => isFolder)) await load.prune(path)
  } finally {
    load.close()
  }
  await refreshStatistics(db, [])
  const milliseconds = Math.round(performance.now() - began)
  return { ...load.report, ignored: Object.fromEntries(ignored), milliseconds }
}
