import { UPLOAD } from '@/lib/core/uploads'
import { eventsIn, type LoadEvent } from './load-events'

type Followed = {
  /** How much of the file is on the server, 0 to 1. */
  onSent: (share: number) => void
  onEvent: (event: LoadEvent) => void
}

const ENDED: LoadEvent = {
  step: 'failed',
  error:
    'The connection ended before the load was done. Reload the page, sign in again if asked, and load the file once more: rows that are already loaded stay as they are.',
}

/** What a refusal says: an error of ours as JSON, or of something in between. */
function refusalOf({ status, responseText }: XMLHttpRequest): LoadEvent {
  try {
    const { error, requestId } = JSON.parse(responseText)
    return { step: 'failed', error: String(error), ...(status >= 500 && { requestId: String(requestId) }) }
  } catch {
    const why = status === 413 ? 'The file is larger than this server takes.' : `The server answered ${status}.`
    return { step: 'failed', error: `${why} Nothing of this file was loaded.` }
  }
}

/**
 * Sends a file to be loaded and follows it: on its way, then row by row. Resolves when it is over, however it ended; the last event
 * says how. `fetch` does not tell how much of a body is sent, so this is an XMLHttpRequest.
 */
export function sendFile(contractorId: string, name: string, file: Blob, { onSent, onEvent }: Followed): Promise<void> {
  return new Promise((done) => {
    const request = new XMLHttpRequest()
    let read = 0
    let last: LoadEvent | undefined
    const hear = () => {
      if (request.status !== 200) return
      const whole = request.responseText.lastIndexOf('\n') + 1
      for (const event of eventsIn(request.responseText.slice(read, whole))) {
        last = event
        onEvent(event)
      }
      read = whole
    }
    const end = () => {
      if (request.status !== 0 && request.status !== 200) onEvent(refusalOf(request))
      else if (last === undefined || last.step === 'rows') onEvent(ENDED)
      done()
    }
    request.upload.onprogress = ({ loaded, total }) => onSent(total === 0 ? 1 : loaded / total)
    request.onprogress = hear
    request.onload = () => {
      hear()
      end()
    }
    request.onerror = end
    request.onabort = end
    request.open('POST', `${UPLOAD.path}?${new URLSearchParams({ contractorId, file: name })}`)
    request.setRequestHeader('content-type', 'text/csv')
    request.send(file)
  })
}
