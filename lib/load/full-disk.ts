import { isOurs, ServiceError } from '@/lib/core/errors'
import { logFault } from '@/lib/core/log'
import { isDiskFull } from '@/lib/core/overload'

const RETRY_SECONDS = '600'

/**
 * Returns what a sender is told when the disk is full where files are received, or the database's is. The operator finds the fault in the
 * log. Any other error is returned as it is.
 */
export function fullDiskFault(thrown: unknown): unknown {
  const fault = thrown instanceof ServiceError && isOurs(thrown) ? thrown.cause : thrown
  if (!isDiskFull(fault)) return thrown
  logFault({ operation: 'load_file' }, fault)
  return new ServiceError(
    'busy',
    'The server cannot store the file, because its disk or that of its database is full. Tell its operator, and send the file again later; ' +
      'an upload in parts goes on where it stopped.',
    { cause: fault, headers: { 'retry-after': RETRY_SECONDS } },
  )
}
