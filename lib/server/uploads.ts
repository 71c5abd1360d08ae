import type { IncomingMessage, ServerResponse } from 'node:http'
import { ServiceError } from '@/lib/core/errors'
import { UPLOAD } from '@/lib/core/uploads'
import { refuse } from './refuse'

/** Whether a request brings a file to be loaded. */
export const isUpload = ({ method, url }: IncomingMessage) => method === 'POST' && url?.split('?')[0] === UPLOAD.path

/** How much of a file must come in how long, where nobody here keeps it waiting. */
const PACE = { everyMs: 30_000, bytes: 64 * 1024 }

/**
 * Gives an upload its time, as long as it comes at a pace: longer than other requests, but nobody holds a connection by sending a
 * byte now and then.
 * @returns whether it may go on; one that is too large by what it declares was refused
 */
export function allowTime(request: IncomingMessage, response: ServerResponse): boolean {
  if (Number(request.headers['content-length'] ?? 0) > UPLOAD.maxBytes) {
    refuse(
      request,
      response,
      new ServiceError('payload_too_large', `The file is larger than ${UPLOAD.maxBytes} bytes.`),
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
  const end = setTimeout(() => socket.destroy(), UPLOAD.maxMs)
  const pace = setInterval(() => {
    const isOurs = request.complete || request.readableLength >= request.readableHighWaterMark
    if (come < PACE.bytes && !isOurs) socket.destroy()
    come = 0
  }, PACE.everyMs)
  const stop = () => {
    clearTimeout(end)
    clearInterval(pace)
  }
  request.once('close', stop)
  response.once('close', stop)
  return true
}
