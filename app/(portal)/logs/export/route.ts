import { requireActor } from '@/app/session/actor'
import { execute } from '@/lib/operations/execute'
import { exportRequests } from '@/lib/operations/requests/log'
import { csvFile } from '../../csv-file'
import { EXPORT_ROWS, readFilters } from '../filters'
import { nameOf, readKeyNames } from '../rows'
import { cellsOf, HEAD } from './columns'

/** GET /logs/export: the filtered log as a CSV file, newest first. */
export async function GET(request: Request): Promise<Response> {
  const { actor } = await requireActor(exportRequests)
  const now = new Date()
  const { filters, faults } = readFilters(Object.fromEntries(new URL(request.url).searchParams), now)
  if (Object.keys(faults).length > 0)
    return new Response('These filters cannot be used. Fix them in the log, then export again.', { status: 400 })
  const keys = await readKeyNames(actor)
  let before: string | undefined
  let written = 0
  return csvFile(`requests-${now.toISOString().slice(0, 16).replace(/[-:]/g, '')}.csv`, HEAD, async () => {
    const page = await execute(exportRequests, { actor, now }, { ...filters, ...(before && { before }) })
    const items = page.items.slice(0, EXPORT_ROWS - written)
    written += items.length
    before = page.next ?? undefined
    const rows = items.map((item) => cellsOf({ ...item, keyName: nameOf(keys, item.keyId) }))
    return { rows, isLast: before === undefined || written >= EXPORT_ROWS }
  })
}
