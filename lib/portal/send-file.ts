import { UPLOAD } from '@/lib/core/uploads'
import { type Declared, eventsIn, type LoadEvent } from './load-events'

type Followed = {
  declared?: Declared
  /** The share of the file that is uploaded, 0 to 1. */
  onSent: (share: number) => void
  onEvent: (event: LoadEvent) => void
}

const ENDED: LoadEvent = {
  step: 'failed',
  error:
    'The connection ended before the load was done. Reload the page, sign in again if asked, and load the file again: rows that are already loaded stay as they are.',
}

/** Reads a refusal: our own error as JSON, or the status of a proxy. */
function refusalOf({ status, responseText }: XMLHttpRequest): LoadEvent {
  try {
    const { error, requestId } = JSON.parse(responseText)
    return { step: 'failed', error: String(error), ...(status >= 500 && { requestId: String(requestId) }) }
  } catch {
    const why = status === 413 ? 'The file is larger than this server accepts.' : `The server answered ${status}.`
    return { step: 'failed', error: `${why} Nothing of this file was loaded.` }
  }
}

/**
 * Uploads a file to load, and reports its progress: first the upload, then the rows. Resolves when the load ends; the last event says
 * how. It uses XMLHttpRequest because `fetch` does not report upload progress.
 */
export function sendFile(
  contractorId: string,
  name: string,
  file: Blob,
  { declared, onSent, onEvent }: Followed,
): Promise<void> {
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
    request.open('POST', `${UPLOAD.path}?${new URLSearchParams({ contractorId, file: name, ...declared })}`)
    request.setRequestHeader('content-type', 'text/csv')
    request.send(file)
  })
}
