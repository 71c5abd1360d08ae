import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { ServiceError } from '@/lib/core/errors'
import { Closing, type Contents, FORMAT, Header, Opening, Trailer } from './format'

const NEWLINE = 10

/** Lines of a stream of bytes, without their line ends. Text after the last line end is ignored: a complete backup has none. */
async function* linesOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest: Buffer[] = []
  for await (const chunk of bytes) {
    let from = 0
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      yield Buffer.concat([...rest, chunk.subarray(from, at)]).toString('utf8')
      rest = []
      from = at + 1
    }
    if (from < chunk.length) rest.push(chunk.subarray(from))
  }
}

const damaged = (path: string, what: string) =>
  new ServiceError('bad_request', `${path} cannot be restored: ${what}. Nothing was changed. Use another backup.`)

/** Explains an error from reading a broken file. */
function explain(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ServiceError || !('code' in error)) return error
  const { code } = error
  if (code === 'ENOENT') return new ServiceError('bad_request', `There is no file ${path}.`)
  if (code === 'EACCES' || code === 'EISDIR')
    return new ServiceError(
      'bad_request',
      `${path} cannot be read. Name a file that the process serving the database may read.`,
    )
  if (code === 'Z_BUF_ERROR') return damaged(path, 'it is truncated')
  if (typeof code === 'string' && code.startsWith('Z_')) return damaged(path, 'it is not a backup, or it is damaged')
  return error
}

async function readEach(path: string, each: (line: string) => void | Promise<void>): Promise<void> {
  const file = createReadStream(path)
  const bytes = file.pipe(createGunzip())
  file.once('error', (fault) => bytes.destroy(fault))
  try {
    for await (const line of linesOf(bytes)) await each(line)
  } catch (error) {
    throw explain(path, error)
  } finally {
    file.destroy()
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

function readHeader(path: string, line: string): Header {
  const value = parse(line)
  const header = Header.safeParse(value)
  if (header.success) return header.data
  const { plumbline, format } = Object(value)
  if (plumbline !== 'backup') throw damaged(path, 'it is not a backup of Plumbline')
  if (format !== FORMAT)
    throw damaged(path, `its format is ${format} and this version reads format ${FORMAT}; a later version wrote it`)
  throw damaged(path, 'its header is damaged')
}

const readTrailer = (line: string): Trailer | undefined =>
  line.startsWith('{"trailer"') ? Trailer.safeParse(parse(line)).data : undefined

/** Takes the lines between header and trailer in order, and compares each table's rows with its closing line. */
function tableChecker(path: string) {
  const tables: Closing[] = []
  let sum = createHash('sha256')
  let rows = 0
  const close = (line: string) => {
    const closing = Closing.safeParse(parse(line))
    if (!closing.success) throw damaged(path, 'a line in it is damaged')
    if (closing.data.rows !== rows || closing.data.sha256 !== sum.digest('hex'))
      throw damaged(path, `the rows of ${closing.data.end} do not match their checksum`)
    tables.push(closing.data)
  }
  const take = (line: string) => {
    if (line.startsWith('[')) {
      sum.update(`${line}\n`)
      rows++
    } else if (line.startsWith('{"table"')) {
      sum = createHash('sha256')
      rows = 0
    } else close(line)
  }
  return { tables, take }
}

/**
 * Reads a whole backup and checks every checksum, changing nothing.
 * @returns what it holds
 * @throws ServiceError `bad_request` with the reason when it is not a backup, truncated or damaged
 */
export async function verifyFile(path: string): Promise<Contents> {
  const whole = createHash('sha256')
  const { tables, take } = tableChecker(path)
  let header: Header | undefined
  let trailer: Trailer | undefined
  await readEach(path, (line) => {
    if (trailer) throw damaged(path, 'there is data after its end')
    trailer = readTrailer(line)
    if (trailer) return
    whole.update(`${line}\n`)
    if (header) take(line)
    else header = readHeader(path, line)
  })
  if (!header || !trailer) throw damaged(path, 'it is truncated: its end is missing')
  if (trailer.sha256 !== whole.digest('hex') || header.tables.some(({ name }, i) => tables[i]?.end !== name))
    throw damaged(path, 'its checksum does not match its content')
  return { header, tables, trailer }
}

/**
 * Reads a verified backup's rows, table by table in the file's order; each call of `rows` gets at most about a megabyte of lines.
 */
export async function readRows(path: string, rows: (table: string, lines: string[]) => Promise<void>): Promise<void> {
  let table = ''
  let lines: string[] = []
  let size = 0
  const flush = async () => {
    if (lines.length > 0) await rows(table, lines)
    lines = []
    size = 0
  }
  await readEach(path, async (line) => {
    if (line.startsWith('[')) {
      lines.push(line)
      size += line.length
      if (size > 1_000_000 || lines.length >= 1_000) await flush()
      return
    }
    await flush()
    const opening = Opening.safeParse(parse(line))
    if (opening.success) table = opening.data.table
  })
}
