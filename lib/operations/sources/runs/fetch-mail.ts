import { database } from '@/db/client'
import { draftFiles, listDrafts } from '@/db/queries/load-drafts'
import type { Source } from '@/db/queries/sources'
import { forgetDraft, forgetFiles, layHeldFiles } from '@/lib/load/draft-bytes'
import type { Fetched, Fetching } from '@/lib/load/fetch/fetched'

/** The files of the earliest mail that waits. What was loaded, or could not be, is dropped; a mail without files left is gone. */
export async function fetchMail({ contractorId, id }: Source, { folder, seen }: Fetching): Promise<Fetched> {
  const db = await database()
  const holder = { db, contractorId }
  const waiting = []
  for (const draft of (await listDrafts(db.orm, contractorId, id)).reverse()) {
    const files = await draftFiles(db.orm, contractorId, draft.id, { role: 'dropped', state: 'whole' })
    if (files.length > 0) waiting.push({ draft, files })
  }
  const [first, ...others] = waiting
  if (!first) return { files: [], seen: () => seen, isIdle: true }
  await layHeldFiles(holder, first.files, folder)
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
