import type { IncomingMessage } from 'node:http'
import { ServiceError } from '@/lib/core/errors'
import { aside } from '@/lib/core/parts'

/** The part of a body that was read: at most the cap, and whether it was complete. */
export type RawBody = { bytes: Uint8Array; complete: boolean }

/** Reads on, and tells a sender that went away apart from a fault of ours. @throws ServiceError `bad_request` */
async function* arriving(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const parts = chunks[Symbol.asyncIterator]()
  try {
    for (;;) {
      const { done, value } = await aside('receive body', () => parts.next())
      if (done) return
      yield value
    }
  } catch (cause) {
    throw new ServiceError(
      'bad_request',
      'The connection was closed before the body had arrived. Send it again, whole.',
      {
        cause,
      },
    )
  } finally {
    await parts.return?.()
  }
}

async function collect(chunks: AsyncIterable<Uint8Array>, cap: number): Promise<RawBody> {
  const kept: Uint8Array[] = []
  let size = 0
  for await (const chunk of arriving(chunks)) {
    kept.push(chunk.subarray(0, cap - size))
    size += chunk.length
    if (size > cap) return { bytes: Buffer.concat(kept), complete: false }
  }
  return { bytes: Buffer.concat(kept), complete: true }
}

/** Reads a Node request's body up to the cap. The rest is not read; the server closes that connection. */
export async function readIncoming(request: IncomingMessage, cap: number): Promise<RawBody> {
  // A body that has arrived is read at once; a loop over it costs more than all else that is done with a lead's bytes.
  const arrived: Buffer | null = request.complete ? request.read() : null
  if (arrived) return { bytes: arrived.subarray(0, cap), complete: arrived.length <= cap }
  // A plain loop would destroy the request's socket when it ends early, and the response with it.
  return collect(request.iterator({ destroyOnReturn: false }), cap)
}

/** A Node request's body as it arrives. @throws ServiceError `bad_request` when the sender goes away */
export const incomingChunks = (request: IncomingMessage): AsyncGenerator<Uint8Array> =>
  arriving(request.iterator({ destroyOnReturn: false }))

/** A web request's body as it arrives. @throws ServiceError `bad_request` when the sender goes away */
export const webChunks = ({ body }: Request): AsyncGenerator<Uint8Array> =>
  arriving(body ? body.values({ preventCancel: true }) : (async function* () {})())

/** Reads a web request's body up to the cap. */
export async function readWebBody(request: Request, cap: number): Promise<RawBody> {
  return request.body ? collect(request.body, cap) : { bytes: new Uint8Array(), complete: true }
}
