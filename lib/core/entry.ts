import type { Env } from './env'
import { processWide } from './shared'

/** What answers requests in this process: `server.ts`, or Next by itself (plain `next start`, Vercel). */
export type EntryName = 'server.ts' | 'next'

const entry = processWide<{ name: EntryName }>('entry', () => ({ name: 'next' }))

/** Says that `server.ts` runs this process, so that Next inside it leaves the boot to it. */
export function claimEntry(): void {
  entry().name = 'server.ts'
}

export const entryName = (): EntryName => entry().name

/**
 * Whether this process counts limits by itself where others may serve the same database: then each lets through what all together
 * should. `server.ts` by itself is one process, and several workers of it are refused unless that was accepted.
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

/** The address that `next start` listens on, from its arguments; it listens on every address unless it is told one. */
export function hostOfNext(argv: string[]): string {
  const at = argv.findLastIndex((text) => /^(-H|--hostname)(=|$)/.test(text))
  const given = argv[at]?.split('=')[1] ?? argv[at + 1]
  return at < 0 || given === undefined ? '::' : given
}
