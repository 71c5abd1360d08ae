import { requireActor } from '@/app/session/actor'
import { execute } from '@/lib/operations/execute'
import { exportRequests } from '@/lib/operations/requests/log'
import { EXPORT_ROWS, readFilters } from '../filters'
import { nameOf, readKeyNames } from '../rows'
import { CSV_HEAD, csvOf } from './csv'

/** GET /logs/export: the filtered log as a CSV file, newest first. It is read page by page, as fast as the client downloads it. */
export async function GET(request: Request): Promise<Response> {
  const { actor } = await requireActor(exportRequests)
  const now = new Date()
  const { filters, faults } = readFilters(Object.fromEntries(new URL(request.url).searchParams), now)
  if (Object.keys(faults).length > 0)
    return new Response('These filters cannot be used. Fix them in the log, then export again.', { status: 400 })
  const keys = await readKeyNames(actor)
  let before: string | undefined
  let written = 0
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(Buffer.from(CSV_HEAD)),
    async pull(controller) {
      const page = await execute(exportRequests, { actor, now }, { ...filters, ...(before && { before }) })
      const items = page.items.slice(0, EXPORT_ROWS - written)
      written += items.length
      before = page.next ?? undefined
      // A page may have no matching rows; something must be sent, or the stream does not request the next page.
      const lines = csvOf(items.map((item) => ({ ...item, keyName: nameOf(keys, item.keyId) })))
      if (lines !== '') controller.enqueue(Buffer.from(lines))
      if (before === undefined || written >= EXPORT_ROWS) return controller.close()
      if (lines === '') await this.pull?.(controller)
    },
  })
  const name = `requests-${now.toISOString().slice(0, 16).replace(/[-:]/g, '')}.csv`
  const headers = {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${name}"`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  }
  return new Response(body, { headers })
}
