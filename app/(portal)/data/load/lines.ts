import { errorBody, isOurs, type ServiceError, toServiceError } from '@/lib/core/errors'
import { newRequestId } from '@/lib/core/ids'
import { logFault } from '@/lib/core/log'
import type { LoadEvent } from '@/lib/portal/load-events'

/** Returns an error in the form the browser gets, and logs it when it is the server's fault. */
function reported(thrown: unknown): { error: ServiceError; requestId: string } {
  const error = toServiceError(thrown)
  const requestId = newRequestId()
  if (isOurs(error)) logFault({ requestId, operation: 'upload' }, error.cause ?? error)
  return { error, requestId }
}

function failed(thrown: unknown): LoadEvent {
  const { error, requestId } = reported(thrown)
  return { step: 'failed', error: error.message, ...(isOurs(error) && { requestId }) }
}

/**
 * Streams the events of a load as JSON lines, starting with the first event; until then, an error can still set the status. If the
 * reader disconnects, the load continues, because the whole file is already here.
 */
export function linesOf(run: (send: (event: LoadEvent) => void) => Promise<void>): Promise<ReadableStream<Uint8Array>> {
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

export const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

/** The answer to what was refused before the first event. */
export function refusal(thrown: unknown): Response {
  const { error, requestId } = reported(thrown)
  return Response.json(errorBody(error, requestId), { status: error.status, headers: HEADERS })
}
