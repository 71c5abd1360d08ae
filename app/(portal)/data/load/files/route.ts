import { formActor, requireOwnOrigin } from '@/app/session/action'
import { ServiceError } from '@/lib/core/errors'
import { execute } from '@/lib/operations/execute'
import { addDraftFile } from '@/lib/operations/loads/draft'
import { HEADERS, refusal } from '../lines'

/**
 * POST /data/load/files?contractorId=…&file=jobs.xlsx&draft=…: takes one file as the body and streams it into the database, where it is held until it is
 * loaded. With `draft=new` it begins a draft; the answer names it. Not a server action, because those buffer the body in memory and are
 * limited to 1 MB.
 */
export async function POST(request: Request): Promise<Response> {
  try {
    await requireOwnOrigin()
    const { searchParams } = new URL(request.url)
    const actor = await formActor(searchParams.get('contractorId') ?? '')
    const { body } = request
    if (!body) throw new ServiceError('bad_request', 'Send the file as the body, and its name as `file`.')
    const draft = searchParams.get('draft') ?? 'new'
    const input = { file: searchParams.get('file') ?? '', body, ...(draft !== 'new' && { draft }) }
    return Response.json(await execute(addDraftFile, { actor, now: new Date() }, input), { headers: HEADERS })
  } catch (thrown) {
    return refusal(thrown)
  }
}
