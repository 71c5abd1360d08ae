import { join } from 'node:path'
import { ServiceError } from '@/lib/core/errors'
import { isBug } from '@/lib/core/fault-code'
import type { Connecting } from '@/lib/core/public-request'
import { withoutEnd } from '@/lib/core/text'
import { UPLOAD } from '@/lib/core/uploads'
import { isFileName } from '../draft'
import { mayBeTable } from '../join/find'
import { type Fetched, type FetchedFile, type Fetching, MOST_FETCHED, SourceProblem, storeFetched } from './fetched'
import type { SourceSecret } from './secrets'
import { type SftpServer, SftpSession } from './sftp-session'

/** The most tables of a folder, and the most entries that are read. */
const MOST_TABLES = 1_000
const MOST_ENTRIES = 5_000
const S_IFMT = 0o170000
const S_IFREG = 0o100000

/** The prefix of what is remembered of a file: its size, its time of change in seconds, and what was in it. */
const PREFIX = 'file:'

type Remote = { name: string; size: number; mtime: number }

const textOf = ({ size, mtime }: Remote) => `${size} ${mtime}`
const inWords = (error: unknown) => (error instanceof Error ? error.message : String(error)).slice(0, 200)

/** The tables of a folder: files themselves, and no links. @throws SourceProblem when there are too many */
async function tablesIn(session: SftpSession, path: string): Promise<Remote[]> {
  const entries = await session.list(path, MOST_ENTRIES).catch((error: unknown) => {
    throw isBug(error) ? error : new SourceProblem(`The folder ${path} cannot be read: ${inWords(error)}.`)
  })
  const tables = entries
    .filter(({ filename, attrs }) => isFileName(filename) && mayBeTable(filename) && (attrs.mode & S_IFMT) === S_IFREG)
    .map(({ filename, attrs: { size, mtime } }) => ({ name: filename, size, mtime }))
  if (tables.length <= MOST_TABLES && entries.length < MOST_ENTRIES) return tables
  throw new SourceProblem(
    `The folder ${path} has more than ${MOST_TABLES} tables or ${MOST_ENTRIES} entries. Move old files away, or use a folder of its own.`,
  )
}

/** Downloads a file. @returns what was in it; undefined while it is still being written */
async function download(session: SftpSession, path: string, file: Remote, { folder, signal }: Fetching) {
  const from = `${withoutEnd(path, /\//)}/${file.name}`
  if (file.size > UPLOAD.maxBytes) throw new SourceProblem(`${file.name} is larger than 200 MB. Split it.`)
  const { hash } = await storeFetched(session.read(from), join(folder, file.name), file.name, signal)
  const { size, mtime } = await session.stat(from)
  return size === file.size && mtime === file.mtime ? hash : undefined
}

/** Sorts the tables of a folder into those that were loaded before and those that are new. */
class Pull {
  readonly files: FetchedFile[] = []
  isMoving = false
  isMore = false
  private readonly kept: Record<string, string> = {}
  private readonly taken = new Map<string, string>()

  constructor(
    private readonly session: SftpSession,
    private readonly path: string,
    private readonly fetching: Fetching,
  ) {}

  async take(file: Remote): Promise<void> {
    const key = PREFIX + file.name
    const before = this.fetching.seen[key]
    if (before !== undefined) this.kept[key] = before
    if (before?.startsWith(`${textOf(file)} `)) return
    if (this.files.length >= MOST_FETCHED) {
      this.isMore = true
      return
    }
    const hash = await download(this.session, this.path, file, this.fetching)
    if (hash === undefined) this.isMoving = true
    else if (before?.endsWith(` ${hash}`)) this.kept[key] = `${textOf(file)} ${hash}`
    else {
      this.taken.set(file.name, `${textOf(file)} ${hash}`)
      this.files.push({ name: file.name, at: file.mtime })
    }
  }

  seen(loaded: readonly string[]): Record<string, string> {
    const now = loaded.map((name) => [PREFIX + name, this.taken.get(name) ?? ''])
    return { ...this.kept, ...Object.fromEntries(now) }
  }
}

/**
 * Takes the new tables of a folder of an SFTP server. One is new when its size or time of change is another than when it was loaded, and its
 * content is too. The key that the server shows first is pinned.
 * @throws SourceProblem that says what to change
 */
export async function fetchSftp(
  { path, ...server }: SftpServer & { path: string },
  secret: SourceSecret,
  fetching: Fetching,
  connecting?: Connecting,
): Promise<Fetched> {
  const session = await SftpSession.open(server, secret, fetching.signal, connecting)
  try {
    const tables = (await tablesIn(session, path)).sort((a, b) => a.mtime - b.mtime || (a.name < b.name ? -1 : 1))
    const pull = new Pull(session, path, fetching)
    for (const file of tables) await pull.take(file)
    const { files, isMoving, isMore } = pull
    return { files, seen: (loaded) => pull.seen(loaded), changes: { hostKey: session.hostKey }, isMoving, isMore }
  } catch (error) {
    const isSaid = error instanceof SourceProblem || error instanceof ServiceError
    if (isSaid || isBug(error) || fetching.signal.aborted) throw error
    throw new SourceProblem(`${server.host} broke off: ${inWords(error)}.`)
  } finally {
    session.close()
  }
}
