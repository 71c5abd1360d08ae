import { formActor, requireOwnOrigin } from '@/app/session/action'
import type { PersonActor } from '@/lib/auth/actor'
import { errorBody, ServiceError, toServiceError } from '@/lib/core/errors'
import { newRequestId } from '@/lib/core/ids'
import { logFault } from '@/lib/core/log'
import { stopping } from '@/lib/core/stopping'
import type { Complete } from '@/lib/load/report'
import { execute } from '@/lib/operations/execute'
import { loadUpload } from '@/lib/operations/loads/load-upload'
import type { LoadEvent } from '@/lib/portal/load-events'
import { completeOf } from '../complete'

/** Returns an error in the form the browser gets, and logs it when it is the server's fault. */
function reported(thrown: unknown): { error: ServiceError; requestId: string } {
  const error = toServiceError(thrown)
  const requestId = newRequestId()
  if (error.code === 'internal') logFault({ requestId, operation: 'upload' }, error.cause ?? error)
  return { error, requestId }
}

function failed(thrown: unknown): LoadEvent {
  const { error, requestId } = reported(thrown)
  return { step: 'failed', error: error.message, ...(error.code === 'internal' && { requestId }) }
}

type Upload = { file: string; body: ReadableStream<Uint8Array>; complete: Complete | undefined }

/** Loads an uploaded file. Once the file is on disk, `send` gets the rows as they are written. */
async function load(actor: PersonActor, upload: Upload, send: (event: LoadEvent) => void) {
  let lines = 0
  const onTaken = (counted: number) => {
    lines = counted
    send({ step: 'rows', rows: 0, lines })
  }
  const onProgress = ({ rows }: { rows: number }) => send({ step: 'rows', rows, lines })
  const input = { ...upload, onTaken, onProgress, signal: stopping() }
  const { milliseconds: _, stopped, ...report } = await execute(loadUpload, { actor, now: new Date() }, input)
  if (stopped)
    throw new ServiceError(
      'busy',
      'The server is stopping. The rows so far are loaded; load the file again for the rest.',
    )
  send({ step: 'done', ...report })
}

/**
 * Streams the events of a load as JSON lines, starting with the first event; until then, an error can still set the status. If the
 * reader disconnects, the load continues, because the whole file is already here.
 */
function linesOf(run: (send: (event: LoadEvent) => void) => Promise<void>): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder()
  return new Promise((resolve, reject) => {
    let lines: ReadableStreamDefaultController<Uint8Array> | undefined
    let isRead = true
    const open = () => {
      const stream = new ReadableStream<Uint8Array>({
        start(controller) {
          lines = controller
        },
        cancel() {
          isRead = false
        },
      })
      resolve(stream)
    }
    const send = (event: LoadEvent) => {
      if (!lines) open()
      if (isRead) lines?.enqueue(encoder.encode(`${JSON.stringify(event)}\n`))
    }
    run(send)
      .catch((thrown) => (lines ? send(failed(thrown)) : reject(thrown)))
      .finally(() => isRead && lines?.close())
  })
}

const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

function refusal(thrown: unknown): Response {
  const { error, requestId } = reported(thrown)
  return Response.json(errorBody(error, requestId), { status: error.status, headers: HEADERS })
}

/**
 * POST /data/load/files?contractorId=…&file=customers.csv: with `complete=count` or `delete` the file is complete. Takes one CSV file as the body, streams it to disk and loads it. The
 * response streams the rows as they are written and ends with the report. Not a server action, because those buffer the body in
 * memory and are limited to 1 MB.
 */
export async function POST(request: Request): Promise<Response> {
  try {
    await requireOwnOrigin()
    const { searchParams } = new URL(request.url)
    const actor = await formActor(searchParams.get('contractorId') ?? '')
    const { body } = request
    if (!body) throw new ServiceError('bad_request', 'Send the file as the body, and its name as `file`.')
    const upload = { file: searchParams.get('file') ?? '', body, complete: completeOf(searchParams) }
    const lines = await linesOf((send) => load(actor, upload, send))
    return new Response(lines, { headers: { ...HEADERS, 'content-type': 'application/x-ndjson' } })
  } catch (thrown) {
    return refusal(thrown)
  }
}
