import type { EntryName } from '@/lib/runtime/runtime'
import type { Env } from './env'

/**
 * Whether this process counts limits alone while others may serve the same database, so that each allows the full limit.
 * `server.ts` alone is one process, and it refuses several workers unless the operator accepts this.
 */
export function countsAlone(
  {
    limitStore,
    databaseDriver,
    vercel,
    workerSlot,
  }: Pick<Env, 'limitStore' | 'databaseDriver' | 'vercel' | 'workerSlot'>,
  name: EntryName,
): boolean {
  if (limitStore !== undefined || databaseDriver === 'pglite') return false
  return vercel !== undefined || workerSlot !== undefined || name === 'next'
}

/** The address that `next start` listens on, from its arguments; every address by default. */
export function hostOfNext(argv: string[]): string {
  const at = argv.findLastIndex((text) => /^(-H|--hostname)(=|$)/.test(text))
  const given = argv[at]?.split('=')[1] ?? argv[at + 1]
  return at < 0 || given === undefined ? '::' : given
}
