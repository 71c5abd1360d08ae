import type { SampleRequest } from './request-samples'

/** The parts of an operation that a request is built from. */
export type Callable = {
  method: string
  /** The URL, and the path on any host that serves the API, both with `{name}` in place of a value. */
  url: string
  path: string
  needsKey: boolean
  inPath: readonly string[]
  bodyType: string | undefined
}

type Values = Record<string, string>

const given = (values: Values) => Object.entries(values).filter(([, value]) => value.trim() !== '')

/** Returns the values as a query, without those of the path and blank ones. */
function queryOf(values: Values, inPath: readonly string[]): string {
  const pairs = given(values).filter(([name]) => !inPath.includes(name))
  const query = new URLSearchParams(pairs).toString()
  return query ? `?${query}` : ''
}

/** Puts the path values into a URL; a missing one stays `{name}`. */
const filled = (address: string, values: Values): string =>
  address.replace(/\{(\w+)\}/g, (whole, name: string) => (values[name] ? encodeURIComponent(values[name]) : whole))

/** Returns the path and query of a request. */
export const pathOf = ({ path, inPath }: Callable, values: Values): string =>
  filled(path, values) + queryOf(values, inPath)

/** Returns a page's path with every value in its query, as a link to share. */
export const linkOf = (page: string, values: Values): string => page + queryOf(values, [])

/** Returns a request for the code samples. */
export function sampleOf({ method, url, inPath, needsKey, bodyType }: Callable, values: Values, body: string) {
  const sample: SampleRequest = {
    url: filled(url, values) + queryOf(values, inPath),
    method,
    isSigned: needsKey,
    headers: bodyType ? [['content-type', bodyType]] : [],
    body: bodyType ? body : undefined,
  }
  return sample
}

/** The path prefix of test requests on the portal's host, which serves no API paths itself; `lib/http/hosts.ts` relays them to the API. */
const RELAY = '/developers/api/send'

/** Returns the path prefix of requests on a host: the relay on `relayHost`, elsewhere none. */
export const placeOn = (host: string, relayHost: string | undefined): string => (host === relayHost ? RELAY : '')

/** Returns an API path with its prefix. Paths that every host serves (`/health`, the OpenAPI document) need none. */
export const pathAt = (place: string, path: string): string =>
  place && path.startsWith('/api/') && !path.startsWith('/api/v1/openapi') ? place + path.slice('/api'.length) : path

/** A complete response, with the time until its last byte. Header names are in lower case. */
export type ApiResponse = { status: number; headers: Record<string, string>; text: string; ms: number }

/**
 * Sends a request of an operation.
 * @param place the path prefix, see {@link placeOn}
 * @throws TypeError when there is no response
 */
export async function send(
  call: Callable,
  place: string,
  values: Values,
  body: string,
  key: string,
): Promise<ApiResponse> {
  const began = performance.now()
  const response = await fetch(pathAt(place, pathOf(call, values)), {
    method: call.method,
    headers: {
      accept: 'application/json',
      ...(call.needsKey && { 'x-api-key': key }),
      ...(call.bodyType && { 'content-type': call.bodyType }),
    },
    ...(call.bodyType && { body }),
    // The API takes no cookies, so the portal's must not be sent.
    credentials: 'omit',
    cache: 'no-store',
  })
  const text = await response.text()
  return { status: response.status, headers: Object.fromEntries(response.headers), text, ms: performance.now() - began }
}
