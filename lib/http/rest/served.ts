import { type AnyOperation, type HttpBinding, isServed } from '@/lib/operations/define'
import type { Endpoint } from '../endpoint'
import { answerer } from './route'

/** Returns an operation's path as both entries serve it. */
export const servedPath = ({ http }: { http: Pick<HttpBinding, 'at' | 'path'> }) =>
  http.at === 'data' ? `/api/v1${http.path}` : http.path

/** Returns the endpoints of those of some operations that are served: one for each path, in the order of the operations. */
export function endpointsOf(operations: AnyOperation[]): Endpoint[] {
  const served = operations.filter(isServed)
  const paths = new Map<string, [(typeof served)[number], ...(typeof served)[number][]]>()
  for (const operation of served) {
    const found = paths.get(servedPath(operation))
    if (found) found.push(operation)
    else paths.set(servedPath(operation), [operation])
  }
  return [...paths].map(([path, all]) => ({
    path,
    answer: answerer(...all),
    takesBody: all.some(({ http }) => http.method === 'POST'),
  }))
}
