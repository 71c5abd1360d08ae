import { type Database, database } from '@/db/client'
import { findContractor } from '@/db/queries/contractors'
import { noteLoaded } from '@/db/queries/freshness'
import { beginJournal, changeJournal, forgetEmptyLoad } from '@/db/queries/load-journal'
import type { ActingPerson } from '@/lib/auth/actor'
import { audit, type KeyAuthor, nameOf, type SourceAuthor } from '@/lib/auth/audit'
import { ServiceError } from '@/lib/core/errors'
import { newId } from '@/lib/core/ids'
import { logFault } from '@/lib/core/log'
import { loadFolder } from '@/lib/load/load'
import { recoverInterruptedLoad } from '@/lib/load/recover'
import type { FileReport, LoadOptions, LoadReport, Noting } from '@/lib/load/report'
import { isAsking } from './asking'

/** Notes each step of a load before it writes. Until the first, the load before can still be taken back. */
function notingFor(db: Database, contractorId: string, begin: () => Promise<void>): Noting {
  const files: string[] = []
  let begun: Promise<void> | undefined
  return {
    begin: async (step, file) => {
      begun ??= begin()
      await begun
      if (file !== undefined && !files.includes(file)) files.push(file)
      await changeJournal(db, contractorId, { step, files })
      return step
    },
  }
}

/** Ends the notes of a load. One that changed nothing leaves the one before as the last. One that broke off leaves nothing of the file that it was at; what cannot be taken back now is later. */
async function endJournal(db: Database, contractorId: string, isEnded: boolean): Promise<boolean> {
  if (isEnded) {
    await changeJournal(db, contractorId, { state: 'ended', step: null, endedAt: new Date() })
    return !(await forgetEmptyLoad(db, contractorId))
  }
  try {
    return (await recoverInterruptedLoad(db, contractorId)) !== undefined
  } catch (fault) {
    // A server that is asked to stop takes it back at its next start.
    if (!(fault instanceof ServiceError)) logFault({ operation: 'take_back' }, fault)
    return false
  }
}

/**
 * Loads a folder for the author's contractor, who has the turn. The audit log records each file's result, even when the load was
 * interrupted. When the load fails, what it wrote of the file that it was at is taken back: at once, or where that cannot be, before the
 * next load and when the service starts. A dry run, or a load that has questions, writes nothing, and records nothing.
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
  await recoverInterruptedLoad(db, contractor.id)
  let isBegun = false
  const noting = notingFor(db, contractor.id, async () => {
    await beginJournal(db, contractor.id, { loadId: newId('load'), author: nameOf(by) })
    isBegun = true
  })
  const soFar = new Map<string, FileReport>()
  const onProgress: LoadOptions['onProgress'] = (file, read) => {
    soFar.set(file.file, file)
    options.onProgress?.(file, read)
  }
  let report: LoadReport | undefined
  try {
    report = await loadFolder(db, contractor, folder, { ...options, onProgress, noting })
    return report
  } finally {
    const isWhole = report?.stopped === false
    const isKept = isWhole || (report !== undefined && !options.isWhole)
    if (isBegun) await endJournal(db, contractor.id, isKept)
    const isLoaded = !(report && isAsking(report))
    if (report && isKept && isLoaded) await noteLoaded(db, contractor.id, report.resources ?? [])
    for (const { file, rows, added, updated, refused, removal } of isLoaded ? (report?.files ?? soFar.values()) : [])
      await audit(db.orm, by, {
        event: 'data_loaded',
        subject: file,
        detail: { rows, added, updated, refused, ...(removal && { deleted: removal.deleted }), isWhole },
      })
  }
}
