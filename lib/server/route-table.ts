import { later } from '@/lib/core/later'
import type { Answerer } from '@/lib/http/endpoint'
import { logged } from '@/lib/http/logged'

/** The route files of a build: the path of each, as Next writes it (`/api/v1/[resource]/route`), and what loads its module. */
export type RouteFiles = Record<string, () => Promise<unknown>>

/** Returns what answers a path, once its route file has been loaded. */
type Endpoint = () => Promise<Answerer>

/** The routes below a segment: by their next segment, by any segment, or by all that follow. */
type Branch = { endpoint?: Endpoint; named: Map<string, Branch>; any?: Branch; rest?: Endpoint }

const newBranch = (): Branch => ({ named: new Map() })

/** Routes of a group of pages answer for the page's sake, in Next, with its session. */
const isOurs = (page: string) => page.endsWith('/route') && !page.startsWith('/(')

function isAnswerer(value: unknown): value is Answerer {
  return typeof value === 'function'
}

/** The plain function that `route()` and `routeOf()` keep on their handlers. */
function answererIn(userland: unknown): Answerer {
  const { answer } = Object(Object(userland).GET)
  if (!isAnswerer(answer)) throw new Error('a route file exports no handlers of ours')
  return answer
}

/** Answers 500 and logs why a route file could not be loaded, as with too many files open. */
const failedWith = (fault: unknown): Answerer => logged('unknown', async (_request, answer) => answer.error(fault))

function plant(root: Branch, page: string, endpoint: Endpoint): void {
  let branch = root
  for (const segment of page.split('/').slice(1, -1)) {
    if (segment.startsWith('[...')) {
      branch.rest = endpoint
      return
    }
    const isAny = segment.startsWith('[')
    const next = (isAny ? branch.any : branch.named.get(segment)) ?? newBranch()
    if (isAny) branch.any = next
    else branch.named.set(segment, next)
    branch = next
  }
  branch.endpoint = endpoint
}

/** Finds what stands at a path from its segment `at` on: a segment by its name before any segment, before all that follow. */
function search(branch: Branch, segments: string[], at: number): Endpoint | undefined {
  const segment = segments[at]
  if (segment === undefined) return branch.endpoint
  const named = branch.named.get(segment)
  return (
    (named && search(named, segments, at + 1)) ??
    (segment !== '' && branch.any ? search(branch.any, segments, at + 1) : undefined) ??
    branch.rest
  )
}

/**
 * Returns a function that finds what answers a path; undefined where a page does. A route file is loaded by its first request;
 * while it cannot be loaded, its path answers 500.
 */
export function routeTable(files: RouteFiles): (path: string) => Promise<Answerer> | undefined {
  const root = newBranch()
  for (const [page, load] of Object.entries(files)) {
    if (!isOurs(page)) continue
    const find = later(async () => answererIn(await load()))
    plant(root, page, () => find().catch(failedWith))
  }
  return (path) => search(root, path.split('/'), 1)?.()
}
