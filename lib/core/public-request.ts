import type { ClientRequest } from 'node:http'
import { type RequestOptions, request } from 'node:https'
import { publicLookup, urlFault } from './public-address'

/** Connection options that tests replace: how names are resolved, and which certificates are trusted. */
export type Connecting = Pick<RequestOptions, 'lookup' | 'ca'>

type Asked = { method: string; headers: Record<string, string>; signal: AbortSignal }

/**
 * Begins a request to an address that somebody entered: over https, to the public internet only. All that leaves for such an address leaves
 * here. The address is checked in the lookup that the socket itself uses, so that a name which resolves differently the next time (DNS
 * rebinding) gains nothing; an address in numbers is never looked up, and is checked before.
 * @throws Error that says what is wrong with the address
 */
export function publicRequest(to: string, { headers, ...asked }: Asked, connecting: Connecting = {}): ClientRequest {
  const fault = urlFault(to)
  if (fault) throw new Error(`The address ${fault}`)
  const sent = { 'user-agent': 'Plumbline', ...headers }
  // A new connection each time, because a reused one would skip the check.
  return request(new URL(to), { ...asked, headers: sent, agent: false, lookup: publicLookup(), ...connecting })
}
