import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { UPLOAD } from '@/lib/core/uploads'
import { linger } from './linger'

/** Whether a request brings a file to be loaded. */
export const isUpload = ({ method, url }: IncomingMessage) => method === 'POST' && url?.split('?')[0] === UPLOAD.path

/** Sockets whose request may take longer than others: a file on its way. */
const unhurried = new WeakSet<Socket>()

/** Gives an upload its time, until it is answered: who was refused does not go on sending. */
export function allowTime(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request
  unhurried.add(socket)
  const end = setTimeout(() => socket.destroy(), UPLOAD.maxMs)
  request.once('close', () => {
    clearTimeout(end)
    unhurried.delete(socket)
  })
  response.once('finish', () => request.complete || linger(socket))
}

/** Whether a socket's request may take longer than others. */
export const mayTakeLong = (socket: Socket): boolean => unhurried.has(socket)
