import type { IncomingMessage, ServerResponse } from 'node:http'
import { ServiceError } from '@/lib/core/errors'
import { INGEST, MAIL, UPLOAD } from '@/lib/core/uploads'
import { refuse } from './refuse'
import type { Pace } from './stalled'

/** Reports whether a request uploads a file to load. */
export const isUpload = ({ method, url }: IncomingMessage) => method === 'POST' && url?.split('?')[0] === UPLOAD.path

/** Reports whether a request puts a file over the API, by its path after routing. */
const isIngest = ({ method }: IncomingMessage, path: string) => method === 'PUT' && path.startsWith(INGEST.path)

/** The caps of a body that its endpoint reads as it arrives, by the path after routing; undefined for every other request. */
export function streamedCaps(request: IncomingMessage, path: string): { maxBytes: number; maxMs: number } | undefined {
  if (isIngest(request, path)) return INGEST
  return request.method === 'POST' && path.startsWith(MAIL.path) ? MAIL : undefined
}

/** The minimum pace of an upload: this many bytes in this time, unless our side keeps it waiting. */
const PACE: Pace = { everyMs: 30_000, bytes: 64 * 1024 }

/**
 * Gives an upload more time than other requests as long as it keeps its pace, so that nobody holds a connection with a byte now and
 * then.
 * @returns whether it may go on; false after refusing a declared length that is too large
 */
export function allowTime(
  request: IncomingMessage,
  response: ServerResponse,
  { maxBytes, maxMs }: { maxBytes: number; maxMs: number },
  { everyMs, bytes }: Pace = PACE,
): boolean {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
    refuse(
      request,
      response,
      new ServiceError(
        'payload_too_large',
        `The file is larger than ${maxBytes} bytes. Split it by rows, and send one after the other.`,
      ),
    )
    return false
  }
  const { socket } = request
  const pushOn = request.push.bind(request)
  let come = 0
  request.push = (chunk) => {
    come += chunk?.length ?? 0
    return pushOn(chunk)
  }
  const end = setTimeout(() => socket.destroy(), maxMs)
  // A part of the time in which our side kept the sender waiting, at its beginning or its end, says nothing of the sender.
  let wasOurs = false
  const pace = setInterval(() => {
    const isOurs = request.complete || request.readableLength >= request.readableHighWaterMark
    if (come < bytes && !isOurs && !wasOurs) socket.destroy()
    wasOurs = isOurs
    come = 0
  }, everyMs)
  const stop = () => {
    clearTimeout(end)
    clearInterval(pace)
  }
  request.once('close', stop)
  response.once('close', stop)
  return true
}
