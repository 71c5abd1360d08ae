import { formActor } from '@/app/session/action'
import { execute } from '@/lib/operations/execute'
import { getRefusedRows } from '@/lib/operations/loads/draft'
import { HEADERS, refusal } from '../lines'

/** GET /data/load/refused?contractorId=…&draft=…&file=…: the refused rows of a file with the reason, to be corrected and dropped again. */
export async function GET(request: Request): Promise<Response> {
  try {
    const { searchParams } = new URL(request.url)
    const actor = await formActor(searchParams.get('contractorId') ?? '')
    const input = { draft: searchParams.get('draft') ?? '', file: searchParams.get('file') ?? '' }
    const { name, csv } = await execute(getRefusedRows, { actor, now: new Date() }, input)
    const disposition = `attachment; filename*=UTF-8''${encodeURIComponent(name)}`
    return new Response(csv, {
      headers: { ...HEADERS, 'content-type': 'text/csv; charset=utf-8', 'content-disposition': disposition },
    })
  } catch (thrown) {
    return refusal(thrown)
  }
}
