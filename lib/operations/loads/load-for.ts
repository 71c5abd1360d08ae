import { type Database, database } from '@/db/client'
import { findContractor } from '@/db/queries/contractors'
import { noteLoaded } from '@/db/queries/freshness'
import { beginJournal, changeJournal } from '@/db/queries/load-journal'
import type { ActingPerson } from '@/lib/auth/actor'
import { audit, type KeyAuthor, nameOf, type SourceAuthor } from '@/lib/auth/audit'
import { ServiceError } from '@/lib/core/errors'
import { newId } from '@/lib/core/ids'
import { logFault } from '@/lib/core/log'
import { loadFolder } from '@/lib/load/load'
import type { FileReport, LoadOptions, LoadReport, Noting } from '@/lib/load/report'
import { settleBroken } from '@/lib/load/settle'

/** Notes each step of a load before it writes. */
function notingFor(db: Database, contractorId: string): Noting {
  const files: string[] = []
  return {
    begin: async (step, file) => {
      if (file !== undefined && !files.includes(file)) files.push(file)
      await changeJournal(db, contractorId, { step, files })
      return step
    },
  }
}

/** Ends the notes of a load. One that broke off leaves nothing of the file that it was at; what cannot be taken back now is later. */
async function endJournal(db: Database, contractorId: string, isEnded: boolean): Promise<boolean> {
  if (isEnded) return await changeJournal(db, contractorId, { state: 'ended', step: null, endedAt: new Date() })
  try {
    return (await settleBroken(db, contractorId)) !== undefined
  } catch (fault) {
    logFault({ operation: 'take_back' }, fault)
    return false
  }
}

/**
 * Loads a folder for the author's contractor, who has the turn. The audit log records each file's result, even when the load was
 * interrupted. When the load fails, what it wrote of the file that it was at is taken back: at once, or where that cannot be, before the
 * next load and when the service starts. A dry run writes nothing, and records nothing.
 * @throws ServiceError `bad_request` when the folder cannot be loaded
 */
export async function loadFor(
  by: ActingPerson | KeyAuthor | SourceAuthor,
  folder: string,
  options: LoadOptions,
): Promise<LoadReport> {
  const db = await database()
  const contractor = await findContractor(db.orm, by.contractorId)
  if (!contractor) throw new ServiceError('not_found', 'This contractor is gone. Nothing was loaded.')
  if (options.dryRun) return await loadFolder(db, contractor, folder, options)
  await settleBroken(db, contractor.id)
  await beginJournal(db, contractor.id, { loadId: newId('load'), author: nameOf(by) })
  const soFar = new Map<string, FileReport>()
  const onProgress: LoadOptions['onProgress'] = (file, read) => {
    soFar.set(file.file, file)
    options.onProgress?.(file, read)
  }
  let report: LoadReport | undefined
  try {
    report = await loadFolder(db, contractor, folder, { ...options, onProgress, noting: notingFor(db, contractor.id) })
    return report
  } finally {
    const isWhole = report?.stopped === false
    const isKept = isWhole || (report !== undefined && !options.isWhole)
    await endJournal(db, contractor.id, isKept)
    if (report && isKept) await noteLoaded(db, contractor.id, report.resources ?? [])
    for (const { file, rows, added, updated, refused, removal } of report?.files ?? soFar.values())
      await audit(db.orm, by, {
        event: 'data_loaded',
        subject: file,
        detail: { rows, added, updated, refused, ...(removal && { deleted: removal.deleted }), isWhole },
      })
  }
}
