import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Bytes that come or go at least in a time. */
export type Pace = { everyMs: number; bytes: number }

/**
 * The minimum pace of a reader: this many bytes in this time, as long as data waits for it. It is 240 bytes a second, the minimum that Kestrel
 * (MinResponseDataRate) and IIS (minBytesPerSecond) require of a reader, over the time after which nginx cuts one that takes nothing
 * (send_timeout, 60 s). Apache's mod_reqtimeout knows a MinRate only for requests. The slowest honest links, of 9.6 kbit/s, take five times as
 * much.
 */
const PACE: Pace = { everyMs: 60_000, bytes: 240 * 60 }

/** The number of parts in which that time is measured, so that a reader is cut at most one part later. */
const CHECKS = 6

/** The bytes that the system has taken of all that was written to a socket, and those that wait because it takes no more. */
type Flow = { taken: number; waiting: number }

/**
 * Reads the flow of a socket. Node itself tells by these two of its handle whether a socket's timeout begins again; public properties count
 * a write only once all of it was taken. What waits is the socket's own: the queue of its handle can be empty while a write has not come to
 * its end.
 */
function flowOf(socket: Socket): Flow {
  const { bytesWritten = 0, writeQueueSize = 0 } = Object(Reflect.get(socket, '_handle'))
  return { taken: bytesWritten - writeQueueSize, waiting: socket.writableLength }
}

/**
 * Cuts every connection of a server whose reader keeps data waiting and takes less of it than the pace asks for, whatever it was sent: a page, a
 * file, a document or a stream. One that itself waits for something keeps no data waiting, so that it may be silent as long as it likes.
 * @returns what watches a connection that was open before
 */
export function cutStalled(server: Server, { everyMs, bytes }: Pace = PACE): (socket: Socket) => void {
  // What had been taken at each check since data began to wait.
  const watched = new Map<Socket, number[]>()
  const check = (socket: Socket, taken: number[]) => {
    const flow = flowOf(socket)
    if (!flow.waiting) {
      taken.length = 0
      return
    }
    taken.push(flow.taken)
    const before = taken.length > CHECKS ? taken.shift() : undefined
    if (before !== undefined && flow.taken - before < bytes) socket.destroy()
  }
  const checks = setInterval(() => {
    for (const [socket, taken] of watched) check(socket, taken)
  }, everyMs / CHECKS)
  checks.unref()
  server.once('close', () => clearInterval(checks))
  const watch = (socket: Socket) => {
    watched.set(socket, [])
    socket.once('close', () => watched.delete(socket))
  }
  server.on('connection', watch)
  return watch
}
