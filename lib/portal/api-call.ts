import type { SampleRequest } from './request-samples'

/** What of an operation a request of it is made from. */
export type Callable = {
  method: string
  /** Its address, and its path below any host that serves the API, both with `{name}` where a value belongs. */
  url: string
  path: string
  needsKey: boolean
  inPath: readonly string[]
  bodyType: string | undefined
}

type Values = Record<string, string>

const given = (values: Values) => Object.entries(values).filter(([, value]) => value.trim() !== '')

/** The values that are there as a query, those of the path apart. */
function queryOf(values: Values, apart: readonly string[]): string {
  const pairs = given(values).filter(([name]) => !apart.includes(name))
  const query = new URLSearchParams(pairs).toString()
  return query ? `?${query}` : ''
}

/** An address with its values in it; a value of the path that is missing stays `{name}`. */
const filled = (address: string, values: Values): string =>
  address.replace(/\{(\w+)\}/g, (whole, name: string) => (values[name] ? encodeURIComponent(values[name]) : whole))

/** Where a request of an operation goes, below the host. */
export const pathOf = ({ path, inPath }: Callable, values: Values): string =>
  filled(path, values) + queryOf(values, inPath)

/** A page's path with every value in its query, so that it can be sent to somebody. */
export const linkOf = (page: string, values: Values): string => page + queryOf(values, [])

/** A request as samples show it. */
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

/** Where requests to try go on the portal's host, which serves no data paths; `lib/http/hosts.ts` leads them to the API. */
const RELAY = '/developers/api/send'

/** What stands before a request's path on a host: the portal's own way to the API on `relayHost`, elsewhere nothing. */
export const placeOn = (host: string, relayHost: string | undefined): string => (host === relayHost ? RELAY : '')

/** A path of the API from a place. What every host answers (`/health`, the OpenAPI document) needs no other way. */
export const pathAt = (place: string, path: string): string =>
  place && path.startsWith('/api/') && !path.startsWith('/api/v1/openapi') ? place + path.slice('/api'.length) : path

/** What came back: whole, with its time until the last byte. Header names are in lower case. */
export type Came = { status: number; headers: Record<string, string>; text: string; ms: number }

/**
 * Sends a request of an operation.
 * @param place what stands before the path, see {@link placeOn}
 * @throws TypeError when no answer comes
 */
export async function send(call: Callable, place: string, values: Values, body: string, key: string): Promise<Came> {
  const began = performance.now()
  const response = await fetch(pathAt(place, pathOf(call, values)), {
    method: call.method,
    headers: {
      accept: 'application/json',
      ...(call.needsKey && { 'x-api-key': key }),
      ...(call.bodyType && { 'content-type': call.bodyType }),
    },
    ...(call.bodyType && { body }),
    // The API takes no cookies, and the portal's are none of its business.
    credentials: 'omit',
    cache: 'no-store',
  })
  const text = await response.text()
  return { status: response.status, headers: Object.fromEntries(response.headers), text, ms: performance.now() - began }
}
