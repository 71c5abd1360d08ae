import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createGzip } from 'node:zlib'
import type { GetBinding, Operation, Served } from '@/lib/operations/define'
import { type Caller, execute } from '@/lib/operations/execute'
import { preferredOf } from '../accept'
import type { Answer, Reply, ReplyStream } from '../answer'
import { takesGzip, VARIES } from '../compress'
import type { ServiceRequest } from '../request'
import { inputReader } from './input'

type StreamedBinding = GetBinding & { streams: NonNullable<GetBinding['streams']> }
type Streaming = Served<Operation> & { http: StreamedBinding }

/** Reports whether an operation's answer is streamed. */
export const isStreamed = (operation: Served<Operation>): operation is Streaming =>
  operation.http.method === 'GET' && operation.http.streams !== undefined

/** Texts in gzip, as fast as they are read: nothing but one part is held. */
async function* compressed(chunks: AsyncGenerator<string>): AsyncGenerator<Uint8Array> {
  const zip = createGzip({ level: constants.Z_BEST_SPEED })
  // The highest mark of one text: the next is asked for once this one is compressed.
  const piped = pipeline(Readable.from(chunks, { highWaterMark: 1 }), zip)
  piped.catch(() => {})
  try {
    for await (const part of zip) yield part
    await piped
  } finally {
    zip.destroy()
    await chunks.return(undefined)
  }
}

/** Texts in gzip. Ending it ends the texts, also when it never began, which would skip its `finally`. */
function zipped(chunks: AsyncGenerator<string>): AsyncGenerator<Uint8Array> {
  const parts = compressed(chunks)
  const ending = async (step: Promise<IteratorResult<Uint8Array>>) => {
    const result = await step
    await chunks.return(undefined)
    return result
  }
  return {
    next: () => parts.next(),
    return: (value) => ending(parts.return(value)),
    throw: (error) => ending(parts.throw(error)),
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

/** A stream's parts, with its end and its faults noted on the answer, whose status has left already. */
function replyStream(chunks: AsyncGenerator<string | Uint8Array>, answer: Answer): ReplyStream {
  let end = () => {}
  const ended = new Promise<void>((done) => {
    end = done
  })
  const step = async (next: Promise<IteratorResult<string | Uint8Array>>) => {
    const result = await next.catch((error: unknown) => {
      answer.error(error)
      end()
      throw error
    })
    if (result.done) end()
    return result
  }
  const noted: AsyncGenerator<string | Uint8Array> = {
    next: () => step(chunks.next()),
    return: (value) => step(chunks.return(value)),
    throw: (error) => step(chunks.throw(error)),
    [Symbol.asyncIterator]: () => noted,
  }
  return { chunks: noted, ended }
}

/** Returns a function that answers a GET with a stream, whose parts come as the client reads them. */
export function streamer(operation: Streaming) {
  const readInput = inputReader(operation)
  const types = Object.entries(operation.http.streams).map(([format, { type }]) => [format, type] as const)
  return async (
    { headers: asked, method }: ServiceRequest,
    answer: Answer,
    caller: Caller,
    url: URL,
  ): Promise<Reply> => {
    if (!url.searchParams.has('format')) {
      const format = preferredOf(asked.get('accept'), types)
      if (format !== undefined) url.searchParams.set('format', format)
    }
    const { type, headers, chunks } = await execute(operation, caller, () => readInput(url), 'stream')
    const isZipped = takesGzip(asked.get('accept-encoding'))
    answer.add({ ...headers, vary: `Accept, ${VARIES}`, ...(isZipped && { 'content-encoding': 'gzip' }) })
    if (method !== 'HEAD') return answer.parts(type, replyStream(isZipped ? zipped(chunks) : chunks, answer))
    await chunks.return(undefined)
    answer.add({ 'content-type': type })
    return { status: 200, headers: answer.headers, body: null }
  }
}
