import { getOpenapi } from '@/lib/openapi/operation'
import type { AnyOperation } from '@/lib/operations/define'
import { operations } from '@/lib/operations/registry'
import { type Answerer, answerer } from './route'

/** A path of the service, `{name}` standing for one segment, and what answers all its methods. */
export type Endpoint = { path: string; answer: Answerer }

/** The path of an operation as both entries serve it. */
export const servedPath = ({ http }: Pick<AnyOperation, 'http'>) =>
  http.at === 'data' ? `/api/v1${http.path}` : http.path

/** Everything that `server.ts` answers itself, from the registry. A test holds the route files of `app/` to this list. */
export const endpoints: Endpoint[] = [...Object.values(operations), getOpenapi].map((operation) => ({
  path: servedPath(operation),
  answer: answerer(operation),
}))

/** Finds what answers a path; `{name}` takes exactly one segment that is not empty. */
export function endpointFinder(all: Endpoint[]): (path: string) => Answerer | undefined {
  const exact = new Map(all.filter(({ path }) => !path.includes('{')).map(({ path, answer }) => [path, answer]))
  const templated = new Map(
    all.filter(({ path }) => path.endsWith('/{id}')).map(({ path, answer }) => [path.slice(0, -4), answer]),
  )
  return (path) => {
    const found = exact.get(path)
    if (found) return found
    const cut = path.lastIndexOf('/') + 1
    return cut < path.length ? templated.get(path.slice(0, cut)) : undefined
  }
}
