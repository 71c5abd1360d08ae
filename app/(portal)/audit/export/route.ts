import { requireActor } from '@/app/session/actor'
import { isContractorEvent } from '@/lib/auth/audit'
import { csvLine } from '@/lib/core/csv-line'
import { listAudit } from '@/lib/operations/audit/list-audit'
import { execute } from '@/lib/operations/execute'

const PAGE = 100
const HEAD = ['id', 'time', 'who', 'event', 'subject', 'detail', 'address']

/** GET /audit/export: the filtered audit log as a CSV file, newest first. It is read page by page, as fast as the client downloads it. */
export async function GET(request: Request): Promise<Response> {
  const { actor } = await requireActor(listAudit)
  const now = new Date()
  const event = new URL(request.url).searchParams.get('event') ?? undefined
  if (event !== undefined && !isContractorEvent(event))
    return new Response('There is no such event. Choose one in the audit log, then export again.', { status: 400 })
  let before: string | undefined
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(Buffer.from(csvLine(HEAD))),
    async pull(controller) {
      const { items, next } = await execute(listAudit, { actor, now }, { event, before, limit: PAGE })
      const lines = items.map(({ id, at, actorName, event: what, subject, detail, address }) =>
        csvLine([id, at.toISOString(), actorName, what, subject, JSON.stringify(detail), address]),
      )
      if (lines.length > 0) controller.enqueue(Buffer.from(lines.join('')))
      before = next ?? undefined
      if (before === undefined) controller.close()
    },
  })
  const headers = {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="audit-${now.toISOString().slice(0, 10)}.csv"`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  }
  return new Response(body, { headers })
}
