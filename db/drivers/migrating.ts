import { shared } from '../../lib/core/shared'

const running = shared<{ migrations: number }>('migrating', () => ({ migrations: 0 }))

/** Reports whether this process migrates a database now, or waits for another that does. */
export const isMigrating = (): boolean => running().migrations > 0

/** Runs a migration; until it ends, {@link isMigrating}. */
export async function whileMigrating<T>(work: () => Promise<T>): Promise<T> {
  running().migrations++
  try {
    return await work()
  } finally {
    running().migrations--
  }
}
