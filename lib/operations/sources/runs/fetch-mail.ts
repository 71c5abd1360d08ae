import { type Database, database } from '@/db/client'
import { draftFiles, listDrafts } from '@/db/queries/load-drafts'
import type { Source } from '@/db/queries/sources'
import { forgetDraft, forgetFiles, writeDraftFiles } from '@/lib/load/draft-bytes'
import type { Fetched, Fetching } from '@/lib/load/fetch/fetched'

/** The mails of a source that wait, each with its files, the earliest first. */
async function waitingMails(db: Database, { contractorId, id }: Source) {
  const waiting = []
  for (const draft of (await listDrafts(db.orm, contractorId, id)).reverse()) {
    const files = await draftFiles(db.orm, contractorId, draft.id, { role: 'dropped', state: 'whole' })
    if (files.length > 0) waiting.push({ draft, files })
  }
  return waiting
}

/** Returns the draft of the earliest mail that waits. */
export const earliestMail = async (source: Source): Promise<string | null> =>
  (await waitingMails(await database(), source))[0]?.draft.id ?? null

/** Drops the earliest mail that waits, which is the one that the last run was loading. */
export async function dropEarliestMail(source: Source): Promise<void> {
  const db = await database()
  const [first] = await waitingMails(db, source)
  if (first) await forgetDraft({ db, contractorId: source.contractorId }, first.draft.id)
}

/** The files of the earliest mail that waits. What was loaded, or could not be, is dropped; a mail without files left is gone. */
export async function fetchMail(source: Source, { folder, seen }: Fetching): Promise<Fetched> {
  const db = await database()
  const holder = { db, contractorId: source.contractorId }
  const [first, ...others] = await waitingMails(db, source)
  if (!first) return { files: [], seen: () => seen, isIdle: true }
  await writeDraftFiles(holder, first.files, folder)
  return {
    files: first.files.map(({ file }, at) => ({ name: file, at })),
    seen: () => seen,
    settle: async (fates) => {
      const names = fates.map(({ name }) => name)
      await forgetFiles(
        holder,
        first.files.filter(({ file }) => names.includes(file)),
      )
      if (names.length === first.files.length) await forgetDraft(holder, first.draft.id)
    },
    isMore: others.length > 0,
  }
}
