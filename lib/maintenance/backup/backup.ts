import { createHash } from 'node:crypto'
import { createWriteStream, existsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Database, Orm } from '@/db/client'
import { type BackupTable, listTables, migrationLevel } from '@/db/queries/backup/catalog'
import { atOneMoment, readLines, readSequence } from '@/db/queries/backup/read'
import { ServiceError } from '@/lib/core/errors'
import { BUILD, SERVICE } from '@/lib/core/service'
import { type Closing, type Contents, FORMAT, type Header, type Trailer } from './format'

const lineOf = (value: unknown) => `${JSON.stringify(value)}\n`

/** Reads a table's rows page by page and yields their text. Returns their number and SHA-256. */
export async function* sumRows(tx: Orm, table: BackupTable): AsyncGenerator<string, Closing> {
  const sum = createHash('sha256')
  let rows = 0
  for await (const lines of readLines(tx, table)) {
    const text = `${lines.join('\n')}\n`
    rows += lines.length
    sum.update(text)
    yield text
  }
  return { end: table.name, rows, sha256: sum.digest('hex'), sequence: await readSequence(tx, table) }
}

async function* texts(tx: Orm, header: Header, tables: Closing[]): AsyncGenerator<string> {
  yield lineOf(header)
  for (const table of header.tables) {
    yield lineOf({ table: table.name })
    const closing = yield* sumRows(tx, table)
    tables.push(closing)
    yield lineOf(closing)
  }
}

/** Appends the trailer. */
async function* signed(parts: AsyncGenerator<string>, tables: Closing[], done: (trailer: Trailer) => void) {
  const sum = createHash('sha256')
  for await (const text of parts) {
    sum.update(text)
    yield text
  }
  const trailer: Trailer = {
    trailer: true,
    rows: tables.reduce((total, { rows }) => total + rows, 0),
    sha256: sum.digest('hex'),
  }
  done(trailer)
  yield lineOf(trailer)
}

/** Makes a file's new content or name, or a folder's entries, survive a power failure. */
async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  await handle.sync().finally(() => handle.close())
}

/**
 * Writes a consistent snapshot of a database into a file readable by its owner only (mode 0600); the file appears under its name
 * once it is complete. Memory stays flat whatever the size.
 * @returns what the file holds, table by table
 * @throws ServiceError `bad_request` when the file exists or its folder does not
 */
export async function backUp(db: Database, path: string): Promise<Contents> {
  if (existsSync(path)) throw new ServiceError('bad_request', `${path} already exists. Name a new file.`)
  if (!existsSync(dirname(path)))
    throw new ServiceError('bad_request', `There is no folder ${dirname(path)}. Create it, or name another.`)
  const part = `${path}.${process.pid}.part`
  try {
    const contents = await atOneMoment(db, async (tx) => {
      const header: Header = {
        plumbline: 'backup',
        format: FORMAT,
        version: SERVICE.version,
        commit: BUILD.commit,
        at: new Date().toISOString(),
        driver: db.driver,
        level: await migrationLevel(tx),
        tables: await listTables(tx),
      }
      const tables: Closing[] = []
      let trailer: Trailer | undefined
      const whole = signed(texts(tx, header, tables), tables, (made) => {
        trailer = made
      })
      await pipeline(Readable.from(whole), createGzip(), createWriteStream(part, { mode: 0o600, flags: 'wx' }))
      if (!trailer) throw new Error('the backup ended without its trailer')
      return { header, tables, trailer }
    })
    await sync(part)
    await rename(part, path)
    await sync(dirname(path))
    return contents
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}
