import { lockLoads, MOST_LOADS } from '@/db/queries/load-lock'
import { env } from '@/lib/core/env'
import { ServiceError } from '@/lib/core/errors'
import { shared } from '@/lib/core/shared'

/** Contractors whose files are being loaded in this process. */
const loading = shared<Set<string>>('loading', () => new Set())

const alreadyLoading = () =>
  new ServiceError(
    'conflict',
    'Another load is running for this contractor. Wait until it is done, then try again. Nothing of this file was loaded.',
  )

const tooMany = () =>
  new ServiceError(
    'busy',
    'The server is receiving and loading as many files as it can. Send the file again in a moment. Nothing of it was loaded.',
    { headers: { 'retry-after': '30' } },
  )

/**
 * Takes a contractor's only turn to load, over all processes. A complete file could otherwise delete what another load adds.
 * @returns the function that gives the turn back; only its first call does something
 * @throws ServiceError `conflict` while another load of the contractor runs, `busy` while this process has as many loads as it takes
 */
export async function acquireLoadTurn(contractorId: string): Promise<() => Promise<void>> {
  if (loading().has(contractorId)) throw alreadyLoading()
  if (loading().size >= MOST_LOADS) throw tooMany()
  loading().add(contractorId)
  try {
    const unlock = await lockLoads(env(), contractorId)
    if (!unlock) throw alreadyLoading()
    let isMine = true
    return async () => {
      if (!isMine) return
      isMine = false
      loading().delete(contractorId)
      await unlock()
    }
  } catch (error) {
    loading().delete(contractorId)
    throw error
  }
}
