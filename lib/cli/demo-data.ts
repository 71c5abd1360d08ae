import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '@/db/client'
import { SHOWN, SHOWN_DOCUMENT } from '@/db/demo/story/shown'
import type { Contractor } from '@/db/queries/contractors'
import { loadedJurisdiction } from '@/db/queries/permits/load'
import { operatorFor, serviceOperator } from '@/lib/auth/actor'
import { authenticateKey } from '@/lib/auth/authenticate'
import { reserveDemoDocument, reserveDemoRecords } from '@/lib/operations/demonstration/demonstration'
import { writeDemoPast } from '@/lib/operations/demonstration/past'
import { execute } from '@/lib/operations/execute'
import { loadDocuments } from '@/lib/operations/loads/load-documents'
import { loadFolder } from '@/lib/operations/loads/load-folder'
import { loadPermits } from '@/lib/operations/loads/load-permits'
import { daysLater, movedBy } from './demo-dates'
import { writeEntries } from './demo-entries'
import { sendLeads } from './demo-leads'

const folder = join(process.cwd(), 'db', 'demo')

/** The places where the demonstration's own data lies, beside its books. */
const PARTS = { books: (slug: string) => slug, documents: (slug: string) => join('documents', slug) }

/** Changes when a file of these folders changes, so that a later start reloads only changed data. */
function fingerprint(...folders: string[]): string {
  const hash = createHash('sha256')
  for (const each of folders)
    for (const file of readdirSync(join(folder, each)).sort())
      hash.update(file).update(readFileSync(join(folder, each, file)))
  return hash.digest('hex')
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

const context = (contractorId: string, now: Date) => ({ actor: operatorFor(contractorId), now })

/** Loads CSV texts through a folder of their own, as the command line loads a folder. */
async function loadTexts(contractorId: string, files: Record<string, string>, now: Date): Promise<void> {
  const written = mkdtempSync(join(tmpdir(), 'plumbline-demo-'))
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(written, name), text)
    await execute(loadFolder, context(contractorId, now), { folder: written })
  } finally {
    rmSync(written, { recursive: true })
  }
}

/** Loads a contractor's books, with their dates as near to today as on the day they were made. */
async function loadBooks({ id, slug }: Contractor, now: Date): Promise<void> {
  await execute(reserveDemoRecords, context(id, now), { records: SHOWN[slug] ?? [] })
  const books = join(folder, PARTS.books(slug))
  const files = readdirSync(books).map((name) => [
    name,
    movedBy(readFileSync(join(books, name), 'utf8'), daysLater(now)),
  ])
  await loadTexts(id, Object.fromEntries(files), now)
}

/** The secrets of the keys that the demonstration's software, its senders and its assistants use. */
type Secrets = { integration: string; leadSource: string; agent: string; assistant: string }

/** Gives a new demonstration the requests that its keys would have made in its last month. */
async function writePast(contractorId: string, secrets: Secrets, now: Date): Promise<void> {
  const idOf = async (secret: string) => (await authenticateKey(secret)).keyId
  const keys = {
    integration: await idOf(secrets.integration),
    leadSource: await idOf(secrets.leadSource),
    agent: await idOf(secrets.agent),
  }
  await execute(writeDemoPast, context(contractorId, now), keys)
}

/**
 * Loads all that a demonstration contractor has, when it is new or a file of it changed since: books, documents for search, leads through the
 * webhook's own operations with what became of them, and the notes and follow-ups of its assistant.
 */
export async function provideData(
  contractor: Contractor,
  { dataDir, isNew, secrets, now }: { dataDir: string; isNew: boolean; secrets: Secrets; now: Date },
): Promise<void> {
  const { id, slug } = contractor
  const marker = join(dataDir, `demo-${slug}.sha256`)
  const wanted = fingerprint(PARTS.books(slug), PARTS.documents(slug), 'story')
  if (!isNew && readIfThere(marker) === wanted) return
  await loadBooks(contractor, now)
  const shown = SHOWN_DOCUMENT[slug]
  if (shown) await execute(reserveDemoDocument, context(id, now), shown)
  await execute(loadDocuments, context(id, now), { paths: [join(folder, PARTS.documents(slug))] })
  const sender = await authenticateKey(secrets.leadSource)
  const { sent, files } = await sendLeads({ slug, actor: sender, now })
  await loadTexts(id, files, now)
  if (isNew) await writePast(contractor.id, secrets, now)
  await writeEntries(contractor, { actor: await authenticateKey(secrets.assistant), sent, now })
  writeFileSync(marker, wanted, { mode: 0o600 })
}

/** A fictional town with permits for the permit tools. */
const DEMO_JURISDICTION = 'us-zz-demonstration'

/** Loads the permits of the fictional town, when they are missing or changed. */
export async function providePermits(db: Database, dataDir: string): Promise<void> {
  const marker = join(dataDir, 'demo-permits.sha256')
  const wanted = fingerprint('permits')
  const isNew = (await loadedJurisdiction(db.orm, DEMO_JURISDICTION)) === undefined
  if (!isNew && readIfThere(marker) === wanted) return
  const path = join(folder, 'permits', DEMO_JURISDICTION)
  const file = { jurisdiction: DEMO_JURISDICTION, format: 'blds', map: `${path}.json`, path: `${path}.csv` } as const
  await execute(loadPermits, { actor: serviceOperator(), now: new Date() }, file)
  writeFileSync(marker, wanted, { mode: 0o600 })
}
