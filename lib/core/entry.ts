import type { Env } from './env'
import { processWide } from './shared'

/** What answers requests in this process: `server.ts`, or Next by itself (plain `next start`, Vercel). */
export type EntryName = 'server.ts' | 'next'

const entry = processWide<{ name: EntryName }>('entry', () => ({ name: 'next' }))

/** Marks this process as run by `server.ts`, so that Next inside it does not boot a second time. */
export function claimEntry(): void {
  entry().name = 'server.ts'
}

export const entryName = (): EntryName => entry().name

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
