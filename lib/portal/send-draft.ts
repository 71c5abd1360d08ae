import { UPLOAD } from '@/lib/core/uploads'
import { type DraftRequest, eventsIn, type LoadEvent } from './load-events'

/** A file that is held, or why it is not. */
export type Sent = { draft: string } | { error: string }

/** Reads the answer to an upload: the draft, our own error, or the status of a proxy. */
function sentIn({ status, responseText }: XMLHttpRequest): Sent {
  try {
    const { draft, error } = JSON.parse(responseText)
    return status === 200 ? { draft: String(draft) } : { error: String(error) }
  } catch {
    if (status === 0) return { error: 'The connection ended before the file was on the server. Drop it again.' }
    return { error: status === 413 ? 'The file is larger than this server accepts.' : `The server answered ${status}.` }
  }
}

/**
 * Sends a file to be held, and reports the share that is sent. It uses XMLHttpRequest because `fetch` does not report it.
 * @param draft where to add it; undefined begins a draft
 */
export function sendToDraft(
  contractorId: string,
  draft: string | undefined,
  file: File,
  onSent: (share: number) => void,
): Promise<Sent> {
  return new Promise((done) => {
    const request = new XMLHttpRequest()
    request.upload.onprogress = ({ loaded, total }) => onSent(total === 0 ? 1 : loaded / total)
    request.onloadend = () => done(sentIn(request))
    const asked = new URLSearchParams({ contractorId, file: file.name, draft: draft ?? 'new' })
    request.open('POST', `${UPLOAD.path}?${asked}`)
    request.setRequestHeader('content-type', 'application/octet-stream')
    request.send(file)
  })
}

const ENDED: LoadEvent = {
  step: 'failed',
  error:
    'The connection ended before the answer was there. Reload the page; “The last load” shows whether the files were loaded.',
}

const refusalOf = async (response: Response): Promise<LoadEvent> => {
  const { error, requestId } = Object(await response.json().catch(() => undefined))
  const text = typeof error === 'string' ? error : `The server answered ${response.status}.`
  return { step: 'failed', error: text, ...(response.status >= 500 && requestId && { requestId: String(requestId) }) }
}

/** Asks for a load of a draft, or a look at one, and hears its events; the last one says how it ended. */
export async function runDraft(
  contractorId: string,
  asked: DraftRequest,
  onEvent: (event: LoadEvent) => void,
): Promise<LoadEvent> {
  let last: LoadEvent = ENDED
  const hear = (event: LoadEvent) => {
    last = event
    onEvent(event)
  }
  try {
    const path = `/data/load/run?${new URLSearchParams({ contractorId })}`
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(asked) })
    if (!response.ok || !response.body) hear(await refusalOf(response))
    else await readLines(response.body, hear)
  } catch {
    last = ENDED
  }
  if (last.step === 'rows') last = ENDED
  if (last === ENDED) onEvent(ENDED)
  return last
}

/** Reads a stream of events. */
async function readLines(body: ReadableStream<Uint8Array>, onEvent: (event: LoadEvent) => void): Promise<void> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let text = ''
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += decoder.decode(part.value, { stream: true })
    const whole = text.lastIndexOf('\n') + 1
    for (const event of eventsIn(text.slice(0, whole))) onEvent(event)
    text = text.slice(whole)
  }
}
