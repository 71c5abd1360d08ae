import type { Database } from '@/db/client'
import {
  type ExportForm,
  type ExportPage,
  type ExportPlace,
  exportedAtOnce,
  exportPage,
  latestMoment,
} from '@/db/queries/export'
import type { ListSource } from '@/db/queries/list-types'
import { csvLine } from '@/lib/core/csv-line'
import { inSlices, Pace, stopwatch } from '@/lib/core/slices'
import { stopping } from '@/lib/core/stopping'

/** The records to export, and where to go on. */
export type Exported = { contractorId: string; source: ListSource; form: ExportForm; after: ExportPlace | undefined }

const cellsOf = (text: string): (string | null)[][] => JSON.parse(text)

/**
 * Reads all records of a contractor's list in its usual order, page by page, and gives each page as text: JSON lines, or lines of CSV.
 * No transaction is open between two pages. A record that changes meanwhile comes with its old or its new version, or twice, or
 * not at all; whoever took a cursor of the feed before this began gets each of those changes from there. The end is fixed at the
 * beginning, so writers cannot make it endless. The next page is read while one is sent; no more is held.
 * @throws Error when the process is asked to stop, so that a cut answer is not taken for a whole one
 */
export async function* exportTexts(
  db: Database,
  { contractorId, source, form, after: first }: Exported,
): AsyncGenerator<{ text: string; n: number }> {
  const until = await latestMoment(db, source, contractorId)
  const pace = new Pace(db)
  const read = async (after: ExportPlace | undefined) => {
    const most = exportedAtOnce(db, pace)
    const held = stopwatch()
    const page = await exportPage(db, source, form, { contractorId, until, after, most })
    pace.took(page.n, held())
    return { ...page, isLast: page.n < most || !page.last }
  }
  let next: ReturnType<typeof read> | undefined = read(first)
  while (next) {
    if (stopping().aborted) throw new Error('the process was asked to stop')
    const { text, n, last, isLast }: ExportPage & { isLast: boolean } = await next
    next = isLast ? undefined : read(last)
    // It is awaited in the next turn; until then a failure must not count as unhandled.
    next?.catch(() => {})
    if (n > 0) yield { text: form === 'lines' ? `${text}\n` : (await inSlices(cellsOf(text), csvLine)).join(''), n }
    await pace.between()
  }
}
