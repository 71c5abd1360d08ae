import { database } from '@/db/client'
import { logFault } from '@/lib/core/log'
import { stopping } from '@/lib/core/stopping'

/** Indexes this version's guides for search once the server answers requests. A failure is logged and does not stop the server. */
export async function indexGuides(): Promise<void> {
  const end = stopping()
  try {
    const { loadGuides } = await import('@/lib/knowledge/retrieval/guides')
    await loadGuides(await database())
  } catch (error) {
    // If the server was stopped in the meantime, the database is already closed.
    if (!end.aborted) logFault({ operation: 'start' }, error)
  }
}
