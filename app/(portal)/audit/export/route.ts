import { requireActor } from '@/app/session/actor'
import { isContractorEvent } from '@/lib/auth/audit'
import { listAudit } from '@/lib/operations/audit/list-audit'
import { execute } from '@/lib/operations/execute'
import { csvFile } from '../../csv-file'

const PAGE = 100
const HEAD = ['id', 'time', 'who', 'event', 'subject', 'detail', 'address']

/** GET /audit/export: the filtered audit log as a CSV file, newest first. */
export async function GET(request: Request): Promise<Response> {
  const { actor } = await requireActor(listAudit)
  const now = new Date()
  const event = new URL(request.url).searchParams.get('event') ?? undefined
  if (event !== undefined && !isContractorEvent(event))
    return new Response('There is no such event. Choose one in the audit log, then export again.', { status: 400 })
  let before: string | undefined
  return csvFile(`audit-${now.toISOString().slice(0, 10)}.csv`, HEAD, async () => {
    const { items, next } = await execute(listAudit, { actor, now }, { event, before, limit: PAGE })
    before = next ?? undefined
    const rows = items.map(({ id, at, actorName, event: what, subject, detail, address }) => [
      id,
      at.toISOString(),
      actorName,
      what,
      subject,
      JSON.stringify(detail),
      address,
    ])
    return { rows, isLast: before === undefined }
  })
}
