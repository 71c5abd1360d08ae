import { database } from '@/db/client'
import { findContractor } from '@/db/queries/contractors'
import type { ActingPerson } from '@/lib/auth/actor'
import { audit, type KeyAuthor } from '@/lib/auth/audit'
import { ServiceError } from '@/lib/core/errors'
import { loadFolder } from '@/lib/load/load'
import type { FileReport, LoadOptions, LoadReport } from '@/lib/load/report'

/**
 * Loads a folder for the author's contractor. The audit log records each file's result, even when the load was interrupted.
 * @throws ServiceError `bad_request` when the folder cannot be loaded
 */
export async function loadFor(by: ActingPerson | KeyAuthor, folder: string, options: LoadOptions): Promise<LoadReport> {
  const db = await database()
  const contractor = await findContractor(db.orm, by.contractorId)
  if (!contractor) throw new ServiceError('not_found', 'This contractor is gone. Nothing was loaded.')
  const soFar = new Map<string, FileReport>()
  const onProgress = (file: FileReport) => {
    soFar.set(file.file, file)
    options.onProgress?.(file)
  }
  let report: LoadReport | undefined
  try {
    report = await loadFolder(db, contractor, folder, { ...options, onProgress })
    return report
  } finally {
    const isWhole = report?.stopped === false
    for (const { file, rows, added, updated, refused, removal } of report?.files ?? soFar.values())
      await audit(db.orm, by, {
        event: 'data_loaded',
        subject: file,
        detail: { rows, added, updated, refused, ...(removal && { deleted: removal.deleted }), isWhole },
      })
  }
}
