import { requireActor } from '@/app/session/actor'
import { errorBody, toServiceError } from '@/lib/core/errors'
import { newRequestId } from '@/lib/core/ids'
import { logFault } from '@/lib/core/log'
import { endWithRequest, toResponse } from '@/lib/http/answer'
import { execute } from '@/lib/operations/execute'
import { requireResource } from '../../resources'

type Props = { params: Promise<{ resource: string }> }

const NOT_CACHED = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

/** Next would run GET for it and never end its stream, which holds a place among the exports. */
export const HEAD = () => new Response(null, { status: 405, headers: { ...NOT_CACHED, allow: 'GET' } })

/** GET /data/invoices/export?format=csv: all records, as `/export/invoices` streams them to programs. */
export async function GET(request: Request, { params }: Props): Promise<Response> {
  const { actor } = await requireActor()
  const { exported } = requireResource((await params).resource)
  const { searchParams } = new URL(request.url)
  const values = { format: searchParams.get('format') ?? 'csv' }
  try {
    const read = () => ({ values, whole: 'input' as const })
    const { type, headers, chunks } = await execute(exported, { actor, now: new Date() }, read, 'stream')
    const { 'x-changes-cursor': _, ...shown } = headers
    const stream = { chunks, ended: Promise.resolve() }
    endWithRequest(request, stream)
    return toResponse({ status: 200, headers: { ...shown, ...NOT_CACHED, 'content-type': type }, body: null, stream })
  } catch (thrown) {
    const error = toServiceError(thrown)
    const requestId = newRequestId()
    if (error.code === 'internal') logFault({ requestId, operation: exported.name }, error.cause ?? error)
    return Response.json(errorBody(error, requestId), { status: error.status, headers: NOT_CACHED })
  }
}
