import { ServiceError } from '@/lib/core/errors'
import { type RawBody, readWebBody, webChunks } from './body'

/** The part of a web `Request` that handlers need, so that the one-machine server need not build a complete one. */
export type ServiceRequest = {
  method: string
  url: string
  headers: { get(name: string): string | null }
  body(cap: number): Promise<RawBody>
  /** The body as it arrives, however long; what is not read of it is left to the server. */
  chunks(): AsyncIterable<Uint8Array>
  /** Returns a signal that aborts when the client goes away before its answer has left; it is made on request, because few ask. */
  gone(): AbortSignal
}

/** Converts a web request for the handlers. */
export const serviceRequest = (request: Request): ServiceRequest => ({
  method: request.method,
  url: request.url,
  headers: request.headers,
  body: (cap) => readWebBody(request, cap),
  chunks: () => webChunks(request),
  gone: () => request.signal,
})

/** Checks the method. @throws ServiceError `method_not_allowed` with `Allow` */
export function requireMethod({ method }: Pick<ServiceRequest, 'method'>, methods: string[], allowed: string): void {
  if (methods.includes(method)) return
  throw new ServiceError('method_not_allowed', `${method} is not allowed here. Use ${allowed}.`, {
    headers: { allow: allowed },
  })
}
