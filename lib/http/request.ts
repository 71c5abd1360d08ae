import { ServiceError } from '@/lib/core/errors'
import { type RawBody, readWebBody } from './body'

/** What an answer is made from: the part of a web `Request` that is needed, so that `server.ts` need not build whole ones. */
export type ServiceRequest = {
  method: string
  url: string
  headers: { get(name: string): string | null }
  body(cap: number): Promise<RawBody>
}

/** A web request as the answerers see it. */
export const serviceRequest = (request: Request): ServiceRequest => ({
  method: request.method,
  url: request.url,
  headers: request.headers,
  body: (cap) => readWebBody(request, cap),
})

/** @throws ServiceError `method_not_allowed` with `Allow` */
export function requireMethod({ method }: Pick<ServiceRequest, 'method'>, methods: string[], allowed: string): void {
  if (methods.includes(method)) return
  throw new ServiceError('method_not_allowed', `${method} is not allowed here. Use ${allowed}.`, {
    headers: { allow: allowed },
  })
}
