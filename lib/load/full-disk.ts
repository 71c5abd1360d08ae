import { ServiceError } from '@/lib/core/errors'
import { faultCode } from '@/lib/core/fault-code'
import { logFault } from '@/lib/core/log'

/** A full disk by the system's names, where files are received, and by Postgres' (disk_full; appendix A). */
const FULL = ['ENOSPC', 'EDQUOT', 'EFBIG', '53100']

const RETRY_SECONDS = '600'

/**
 * What a sender is told when the disk is full where files are received, or the database's is. The operator finds the fault in the log. Any
 * other error is returned as it is.
 */
export function fullDiskFault(thrown: unknown): unknown {
  const fault = thrown instanceof ServiceError && thrown.code === 'internal' ? thrown.cause : thrown
  if (!FULL.includes(faultCode(fault) ?? '')) return thrown
  logFault({ operation: 'load_file' }, fault)
  return new ServiceError(
    'busy',
    'The server cannot store the file, because its disk or that of its database is full. Tell its operator, and send the file again later; ' +
      'an upload in parts goes on where it stopped.',
    { cause: fault, headers: { 'retry-after': RETRY_SECONDS } },
  )
}
