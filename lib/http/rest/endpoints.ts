import { type HttpBinding, isServed } from '@/lib/operations/define'
import { operations } from '@/lib/operations/registry'
import type { Endpoint } from '../endpoint'
import { getOpenapi } from '../openapi/operation'
import { answerer } from './route'

/** Returns an operation's path as both entries serve it. */
export const servedPath = ({ http }: { http: Pick<HttpBinding, 'at' | 'path'> }) =>
  http.at === 'data' ? `/api/v1${http.path}` : http.path

/** The endpoints of the data API and the lead webhook, from the registry. */
export const httpEndpoints: Endpoint[] = [...Object.values(operations), getOpenapi]
  .filter(isServed)
  .map((operation) => ({
    path: servedPath(operation),
    answer: answerer(operation),
    takesBody: operation.http.method === 'POST',
  }))
