import * as z from 'zod'
import { formActor, requireOwnOrigin } from '@/app/session/action'
import type { PersonActor } from '@/lib/auth/actor'
import { ServiceError } from '@/lib/core/errors'
import { stopping } from '@/lib/core/stopping'
import { TARGETS } from '@/lib/load/mapping/fields'
import { execute } from '@/lib/operations/execute'
import { loadDraft } from '@/lib/operations/loads/draft'
import type { DraftRequest, LoadEvent } from '@/lib/portal/load-events'
import { HEADERS, linesOf, refusal } from '../lines'

const Body = z.object({
  draft: z.string(),
  dryRun: z.boolean(),
  map: z.array(
    z.object({ file: z.string(), column: z.string(), field: z.enum(TARGETS.map(({ field }) => field)).nullable() }),
  ),
  dates: z.enum(['mdy', 'dmy']).optional(),
  answers: z.record(z.string(), z.string()).optional(),
  complete: z.object({ delete: z.boolean(), mostPercent: z.number(), most: z.number().optional() }).optional(),
}) satisfies z.ZodType<DraftRequest>

/** Reads what is asked. @throws ServiceError `bad_request` for what the page does not send */
async function elicitationIn(request: Request): Promise<DraftRequest> {
  const parsed = Body.safeParse(await request.json().catch(() => undefined))
  if (parsed.success) return parsed.data
  throw new ServiceError('bad_request', 'The request is not as the page sends it. Reload the page and try again.')
}

/** Runs a load of a draft, or a look at one; `send` gets the rows as they are read. */
async function run(actor: PersonActor, asked: DraftRequest, send: (event: LoadEvent) => void): Promise<void> {
  const onProgress = ({ rows }: { rows: number }) => send({ step: 'rows', rows, lines: 0 })
  const input = { ...asked, saveMap: !asked.dryRun, onProgress, signal: stopping() }
  const { milliseconds: _, stopped, ...report } = await execute(loadDraft, { actor, now: new Date() }, input)
  if (stopped)
    throw new ServiceError(
      'busy',
      'The server is stopping. Nothing of the load was kept; load the files again in a moment.',
    )
  send({ step: 'done', ...report })
}

/**
 * POST /data/load/run?contractorId=…: loads the files of a draft, or looks at what that would do. The response streams the rows as
 * they are read and ends with the report, or with the questions that have to be answered first.
 */
export async function POST(request: Request): Promise<Response> {
  try {
    await requireOwnOrigin()
    const actor = await formActor(new URL(request.url).searchParams.get('contractorId') ?? '')
    const asked = await elicitationIn(request)
    const lines = await linesOf((send) => run(actor, asked, send))
    return new Response(lines, { headers: { ...HEADERS, 'content-type': 'application/x-ndjson' } })
  } catch (thrown) {
    return refusal(thrown)
  }
}
