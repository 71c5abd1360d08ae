import type { ServerResponse } from 'node:http'
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

/** In how many parts that time is measured, so that a reader is cut at most one part later. */
const CHECKS = 6

/** What the system has taken of all that was written to a socket, and what waits because it takes no more. */
type Flow = { taken: number; waiting: number }

/** Node itself tells by these two whether a socket's timeout begins again; public properties count a write only once all of it was taken. */
function flowOf(socket: Socket): Flow {
  const { bytesWritten = 0, writeQueueSize = 0 } = Object(Reflect.get(socket, '_handle'))
  return { taken: bytesWritten - writeQueueSize, waiting: writeQueueSize }
}

/**
 * Cuts a response whose reader keeps data waiting and takes less of it than the pace asks for, because its stream holds a place among others.
 * A stream that itself waits for something keeps no data waiting, so that it may be silent as long as it likes.
 */
export function cutStalled(response: ServerResponse, { everyMs, bytes }: Pace = PACE): void {
  // What had been taken at each check since data began to wait.
  const taken: number[] = []
  const check = setInterval(() => {
    const flow = response.socket && flowOf(response.socket)
    if (!flow?.waiting) {
      taken.length = 0
      return
    }
    taken.push(flow.taken)
    const before = taken.length > CHECKS ? taken.shift() : undefined
    if (before !== undefined && flow.taken - before < bytes) response.destroy()
  }, everyMs / CHECKS)
  check.unref()
  response.once('close', () => clearInterval(check))
}
