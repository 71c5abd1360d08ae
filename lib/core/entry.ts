import { randomBytes } from 'node:crypto'
import type { Env } from './env'
import { shared } from './shared'

/** The program that runs in this process: the one-machine server, Next by itself (`next start`, Vercel), the command line, or tests. */
export type EntryName = 'server' | 'next' | 'cli' | 'tests'

const entered = shared<{ as?: EntryName }>('entry', () => ({}))

/** Says what runs in this process, before anything else does. @returns false when something else has begun in it, as Next does inside the server */
export function beginEntry(name: EntryName): boolean {
  const entry = entered()
  entry.as ??= name
  return entry.as === name
}

/** Returns what runs in this process; a program that did not say, such as the build, counts as Next. */
export const entryName = (): EntryName => entered().as ?? 'next'

const own = shared<{ id: string }>('processId', () => ({ id: randomBytes(6).toString('hex') }))

/** Returns the name under which this process is connected to a Postgres: what runs in it, and which one of several it is. */
export const processName = (): string => `plumbline ${entryName()} ${own().id}`

/**
 * Reports whether this process counts limits alone while others may serve the same database, so that each allows the full limit. The
 * one-machine server alone is one process, and it refuses several workers unless the operator accepts this.
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

/** Makes every file that this process creates readable by its user only: the database, backups, mail, uploads, secrets. */
export function closeToOthers(): void {
  process.umask(0o077)
}
