import { shared } from '../lib/core/shared'
import type { Database } from './drivers/driver'

/** The process's database. In a file of its own, so that what checks or closes it does not load what opens it. */
export type SharedDatabase = {
  opened?: Promise<Database> | undefined
  /** True when it was opened and passed its check. */
  isOpen?: boolean
  fault?: unknown
  check?: (opened: Database) => Promise<void>
}
export const sharedDatabase = shared<SharedDatabase>('database', () => ({}))

/**
 * Sets a check that the process's database must pass before it is used; otherwise it is closed again, and opening it fails.
 * @throws Error when the database is in use already, so that no order of starting can leave the check out
 */
export function requireOfDatabase(check: (opened: Database) => Promise<void>): void {
  if (sharedDatabase().isOpen) throw new Error('The check of the database came after its first use.')
  sharedDatabase().check = check
}

/** Reports whether the process's database is open. */
export const isOpened = (): boolean => sharedDatabase().isOpen === true

/** Returns why the last attempt to open the process's database failed; undefined once it is open, or before the first attempt. */
export const openingFault = (): unknown => sharedDatabase().fault

/** Makes an open database the process's shared one: for the server that opened it, or a test. */
export function shareDatabase(opened: Database): void {
  sharedDatabase().opened = Promise.resolve(opened)
  sharedDatabase().isOpen = true
  sharedDatabase().fault = undefined
}

/** Closes the process's database if it was opened. */
export async function closeDatabase(): Promise<void> {
  const { opened } = sharedDatabase()
  sharedDatabase().opened = undefined
  sharedDatabase().isOpen = false
  await (await opened?.catch(() => undefined))?.close()
}
