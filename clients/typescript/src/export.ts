import { PlumblineError } from './errors.js'
import { cut, type Http, type Opened, unexpected } from './http.js'
import { isEnd, isRecord, type Records, type ResourceName } from './types.js'

export type ExportOptions = {
  include?: 'details' | undefined
  /** The cursor of the feed that the export is for; one of now when left out. */
  cursor?: string | undefined
  /** Goes on behind this record: `<updatedAt>,<id>`. Needs the cursor. */
  after?: string | undefined
  signal?: AbortSignal | undefined
}

/** The place behind a record. */
export const placeOf = ({ updatedAt, id }: { updatedAt: string; id: string }): string => `${updatedAt},${id}`

/** The lines of an answer as they arrive. The last one counts although no line break may follow it. */
async function* linesOf({ response, listen, pause }: Opened): AsyncGenerator<string> {
  let rest = ''
  const text = response.body?.pipeThrough(new TextDecoderStream())
  if (!text) return
  for await (const part of text) {
    pause()
    const lines = (rest + part).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
    listen()
  }
  if (rest !== '') yield rest
}

function parsed(line: string, path: string): unknown {
  try {
    return JSON.parse(line)
  } catch (error) {
    // Half a line: the connection ended in it. Anything else is not an export at all.
    if (error instanceof SyntaxError && line.startsWith('{')) throw cut(new Error('it ended within a record'))
    throw unexpected(path)
  }
}

/** The records of one answer, in order. @returns the cursor of its last line @throws ConnectionError when the answer was cut */
async function* recordsOf<N extends ResourceName>(
  opened: Opened,
  path: string,
): AsyncGenerator<Records[N], string | null> {
  let count = 0
  try {
    for await (const line of linesOf(opened)) {
      const value = parsed(line, path)
      if (isEnd(value)) {
        if (value.count !== count) throw cut(new Error(`${count} of ${value.count} records arrived`))
        return value.cursor
      }
      if (!isRecord<N>(value)) throw unexpected(path)
      count++
      yield value
    }
  } catch (error) {
    throw error instanceof PlumblineError ? error : cut(error)
  } finally {
    opened.release()
  }
  throw cut(new Error('it ended before its last line'))
}

/**
 * Yields all records of a resource, as they arrive. An interrupted answer is continued behind the last record that arrived whole, so each
 * comes once, except one that changes meanwhile, which may come twice or not at all: the changes behind the cursor have it.
 * @returns the cursor from which changes complete the export; null where the server has none
 */
export async function* exported<N extends ResourceName>(
  http: Http,
  resource: N,
  { signal, ...given }: ExportOptions = {},
): AsyncGenerator<Records[N], string | null> {
  const path = `/export/${resource}`
  const pace = http.pace()
  let query = { ...given }
  for (;;) {
    try {
      const opened = await http.open(path, { query, signal })
      query = { ...query, cursor: query.cursor ?? opened.response.headers.get('x-changes-cursor') ?? undefined }
      const records = recordsOf<N>(opened, path)
      try {
        for (let next = await records.next(); ; next = await records.next()) {
          if (next.done) return next.value
          yield next.value
          query = { ...query, after: placeOf(next.value) }
          pace.progressed()
        }
      } finally {
        // Whoever stops reading ends the request too.
        opened.release()
      }
    } catch (error) {
      await pace.after(error, signal)
    }
  }
}
