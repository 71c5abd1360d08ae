import type { IncomingMessage } from 'node:http'

/** What was read of a body: at most the cap, and whether that was all of it. */
export type RawBody = { bytes: Uint8Array; complete: boolean }

async function collect(chunks: AsyncIterable<Uint8Array>, cap: number): Promise<RawBody> {
  const kept: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunks) {
    kept.push(chunk.subarray(0, cap - size))
    size += chunk.length
    if (size > cap) return { bytes: Buffer.concat(kept), complete: false }
  }
  return { bytes: Buffer.concat(kept), complete: true }
}

/** Reads a Node request's body up to the cap. What follows is left where it is; the server ends that connection. */
export function readIncoming(request: IncomingMessage, cap: number): Promise<RawBody> {
  // Iterating a request destroys its socket when the loop ends early, and the answer with it.
  return collect(request.iterator({ destroyOnReturn: false }), cap)
}

/** Reads a web request's body up to the cap. */
export async function readWebBody(request: Request, cap: number): Promise<RawBody> {
  return request.body ? collect(request.body, cap) : { bytes: new Uint8Array(), complete: true }
}
