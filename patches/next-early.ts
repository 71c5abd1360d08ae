import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Patch } from './patch'

export const PATCH: Patch = {
  package: 'next',
  version: '16.4.6',
  what: 'When `next start` asks for the instrumentation: after all of its own preparation, with a bundle of Turbopack’s that takes longer to load than ours. It evaluates next.config.ts long before, in the same process, and already listens then.',
  upstream: 'https://nextjs.org/docs/app/guides/instrumentation',
  removeWhen: 'Next calls the instrumentation hook before it loads its own server.',
}

/** What Next calls the phase of `next start`. */
const SERVING = 'phase-production-server'

/**
 * Begins the service from the bundle in dist/ when Next starts to serve what was built, and resolves once that is up or has failed.
 * On Vercel the instrumentation does it.
 * @param kept where the instrumentation finds what has begun
 */
export async function beginUnderNext(phase: string, kept: { current?: Promise<boolean> }): Promise<void> {
  if (phase !== SERVING || process.env.VERCEL || kept.current) return
  const root = process.cwd()
  // Next makes CommonJS of its configuration, where `import()` would become a `require`; this file is read as it is.
  const { begin }: { begin(): Promise<boolean> } = createRequire(join(root, 'package.json'))('./bin/next.cjs')
  kept.current = begin()
  // The instrumentation waits for the same, and Next reports a failure.
  await kept.current.catch(() => {})
}
