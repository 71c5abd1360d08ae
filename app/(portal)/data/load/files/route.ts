import { formActor, requireOwnOrigin } from '@/app/session/action'
import { database } from '@/db/client'
import { findContractor } from '@/db/queries/contractors'
import type { PersonActor } from '@/lib/auth/actor'
import { audit } from '@/lib/auth/audit'
import { errorBody, ServiceError, toServiceError } from '@/lib/core/errors'
import { newRequestId } from '@/lib/core/ids'
import { logFault } from '@/lib/core/log'
import { stopping } from '@/lib/core/stopping'
import { FILES, loadFolder } from '@/lib/load/load'
import type { FileReport, LoadReport } from '@/lib/load/report'
import { takeUpload, type Uploaded } from '@/lib/load/upload'
import type { LoadEvent } from '@/lib/portal/load-events'

/** An error as an event of the load, written down where it is ours. */
function failed(thrown: unknown): LoadEvent {
  const { code, message, cause } = toServiceError(thrown)
  if (code !== 'internal') return { step: 'failed', error: message }
  const requestId = newRequestId()
  logFault({ requestId, operation: 'upload' }, cause)
  return { step: 'failed', error: message, requestId }
}

/** Writes down what a load did, also one that broke off. */
async function writeDown(actor: PersonActor, { file, rows, added, updated, refused }: FileReport, isWhole: boolean) {
  const { orm } = await database()
  await audit(orm, actor, { event: 'data_loaded', subject: file, detail: { rows, added, updated, refused, isWhole } })
}

/** Loads the one file of a folder for the actor's contractor, telling the rows as they are written. */
async function load(actor: PersonActor, { folder, lines }: Uploaded, tell: (event: LoadEvent) => void): Promise<void> {
  const db = await database()
  const contractor = await findContractor(db.orm, actor.contractorId)
  if (!contractor) throw new ServiceError('not_found', 'This contractor is no more. Nothing was loaded.')
  let soFar: FileReport | undefined
  const onProgress = (file: FileReport) => {
    soFar = file
    tell({ step: 'rows', rows: file.rows, lines })
  }
  let report: LoadReport | undefined
  try {
    report = await loadFolder(db, contractor, folder, { onProgress, signal: stopping() })
  } finally {
    const counts = report?.files[0] ?? soFar
    if (counts) await writeDown(actor, counts, report?.stopped === false)
  }
  if (report.stopped)
    throw new ServiceError(
      'busy',
      'The server is being stopped. The rows so far are in; load the file again for the rest.',
    )
  const { milliseconds: _, stopped: __, ...told } = report
  tell({ step: 'done', ...told })
}

/** The events of a load as lines of JSON. A reader that has gone does not end the load: the file is here whole. */
function linesOf(run: (tell: (event: LoadEvent) => void) => Promise<void>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let isRead = true
  return new ReadableStream({
    async start(controller) {
      const tell = (event: LoadEvent) => isRead && controller.enqueue(encoder.encode(`${JSON.stringify(event)}\n`))
      await run(tell).catch((thrown) => tell(failed(thrown)))
      if (isRead) controller.close()
    },
    cancel() {
      isRead = false
    },
  })
}

const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

function refusal(thrown: unknown): Response {
  const error = toServiceError(thrown)
  const requestId = newRequestId()
  if (error.code === 'internal') logFault({ requestId, operation: 'upload' }, error.cause ?? error)
  return Response.json(errorBody(error, requestId), { status: error.status, headers: HEADERS })
}

/**
 * POST /data/load/files?contractorId=…&file=customers.csv: one CSV file as the body, streamed to disk, then loaded; the answer tells
 * the rows as they are written and ends with the report. Not a server action, as those are held in memory and end at 1 MB.
 */
export async function POST(request: Request): Promise<Response> {
  try {
    await requireOwnOrigin()
    const { searchParams } = new URL(request.url)
    const actor = await formActor(searchParams.get('contractorId') ?? '')
    const file = FILES.find((name) => name === searchParams.get('file'))
    if (!file || !request.body)
      throw new ServiceError('bad_request', `Send one of ${FILES.join(', ')} as the body, and its name as \`file\`.`)
    const upload = await takeUpload(actor.contractorId, file, request.body)
    const run = (tell: (event: LoadEvent) => void) => load(actor, upload, tell).finally(upload.release)
    return new Response(linesOf(run), { headers: { ...HEADERS, 'content-type': 'application/x-ndjson' } })
  } catch (thrown) {
    return refusal(thrown)
  }
}
