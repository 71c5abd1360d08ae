import type { IncomingMessage } from 'node:http'
import { env } from '@/lib/core/env'
import { clientAddress } from '@/lib/http/address'
import { addressSubject } from '@/lib/limits/address-subject'

/** A header of Node's request as a web `Headers` would give it. */
export const headerOf = ({ headers }: IncomingMessage, name: string): string | null => {
  // Names of headers have no case; Node keeps them in lower case.
  const value = headers[name.toLowerCase()]
  return value === undefined ? null : typeof value === 'string' ? value : value.join(', ')
}

/** Returns the address or network that a request counts against in rate limits. */
export const subjectOf = (request: IncomingMessage): string =>
  addressSubject(clientAddress({ get: (name) => headerOf(request, name) }, env().proxyHops))
