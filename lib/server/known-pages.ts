import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { env } from '@/lib/core/env'
import { shared } from '@/lib/core/shared'

/** The first segments of all paths that Next knows: of its routes, as its build lists them, and of `public`. Undefined without a build. */
function firstSegments(root: string): Set<string> | undefined {
  const manifest = join(root, '.next', 'routes-manifest.json')
  if (!existsSync(manifest)) return undefined
  const { staticRoutes, dynamicRoutes }: Record<string, { page: string }[]> = JSON.parse(readFileSync(manifest, 'utf8'))
  const routes = [...(staticRoutes ?? []), ...(dynamicRoutes ?? [])].map(({ page }) => page.split('/')[1] ?? '')
  // A route whose first segment is a parameter matches anything.
  return routes.some((segment) => segment.startsWith('['))
    ? undefined
    : new Set([...routes, ...readdirSync(join(root, 'public'))])
}

/** Returns a function that tells whether a path surely has no page, which is true for most of what scanners ask for. */
export function unknownPages(root: string): (path: string) => boolean {
  const known = firstSegments(root)
  return (path) => {
    const first = /^\/([\w.~-]+)(?:[/?]|$)/.exec(path)?.[1]
    return known !== undefined && first !== undefined && !known.has(first)
  }
}

/** Tells whether a path surely has no page in this build. In development pages come and go. */
export const isUnknownPage = shared<(path: string) => boolean>('unknownPage', () =>
  env().production ? unknownPages(/* turbopackIgnore: true */ process.cwd()) : () => false,
)
