import { type HttpBinding, isServed } from '@/lib/operations/define'
import { operations } from '@/lib/operations/registry'
import type { Endpoint } from '../endpoint'
import { getOpenapi } from '../openapi/operation'
import { answerer } from './route'

/** Returns an operation's path as both entries serve it. */
export const servedPath = ({ http }: { http: Pick<HttpBinding, 'at' | 'path'> }) =>
  http.at === 'data' ? `/api/v1${http.path}` : http.path

/** The operations of each path, in the order of the registry. */
function byPath() {
  const all = [...Object.values(operations), getOpenapi].filter(isServed)
  const paths = new Map<string, [(typeof all)[number], ...(typeof all)[number][]]>()
  for (const operation of all) {
    const found = paths.get(servedPath(operation))
    if (found) found.push(operation)
    else paths.set(servedPath(operation), [operation])
  }
  return [...paths]
}

/** The endpoints of the data API and the lead webhook, from the registry. */
export const httpEndpoints: Endpoint[] = byPath().map(([path, served]) => ({
  path,
  answer: answerer(...served),
  takesBody: served.some(({ http }) => http.method === 'POST'),
}))
