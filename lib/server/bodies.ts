import type { IncomingMessage, ServerResponse } from 'node:http'
import { ServiceError } from '@/lib/core/errors'
import { part } from '@/lib/runtime/runtime'
import { subjectOf } from './address'
import { refuse } from './refuse'
import { dropBody } from './unread-body'

/** How much of this process bodies may use; on Vercel the platform applies its own caps. */
export const BODIES = {
  /** Bytes of one body; an upload has its own cap. */
  maxBytes: 1024 * 1024,
  /** Bytes held at once, over all requests until they are answered. */
  maxHeld: 64 * 1024 * 1024,
  /** Bodies still on their way that did not come with their head, in all and from one address. */
  maxComing: 512,
  maxComingPerAddress: 32,
  /** How long a body may take to come. */
  maxMs: 20_000,
} as const

export type BodyUsage = { held: number; coming: number; perAddress: Map<string, number> }
const usage = part('bodies', () => ({ held: 0, coming: 0, perAddress: new Map() }))

/** Whether a request says that a body follows. */
export const declaresBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

const RETRY_SOON = { headers: { 'retry-after': '1' } }
const tooLarge = () =>
  new ServiceError('payload_too_large', `The body is larger than ${BODIES.maxBytes} bytes. Send less.`)
const tooSlow = () =>
  new ServiceError(
    'too_slow',
    `The body did not arrive within ${BODIES.maxMs / 1000} seconds. Send it in one go, or send less.`,
  )
const tooManyHere = () =>
  new ServiceError(
    'rate_limited',
    `More than ${BODIES.maxComingPerAddress} bodies are on their way from this address. Let some of them end, then try again.`,
    RETRY_SOON,
  )
const busy = () =>
  new ServiceError('busy', 'The server is receiving as much as it can hold. Try again in a moment.', RETRY_SOON)

/** Takes a place among the bodies on their way; what it returns gives it back. */
function takePlace(subject: string): (() => void) | ServiceError {
  const now = usage()
  const fromHere = now.perAddress.get(subject) ?? 0
  if (fromHere >= BODIES.maxComingPerAddress) return tooManyHere()
  if (now.coming >= BODIES.maxComing) return busy()
  now.coming++
  now.perAddress.set(subject, fromHere + 1)
  return () => {
    now.coming--
    const left = (now.perAddress.get(subject) ?? 1) - 1
    if (left > 0) now.perAddress.set(subject, left)
    else now.perAddress.delete(subject)
  }
}

/** Bytes in one buffer that grows: a chunk each would cost a hundred times its size where chunks are of one byte. */
class Bytes {
  private buffer = Buffer.alloc(0)
  size = 0

  add(chunk: Uint8Array): void {
    if (this.size + chunk.length > this.buffer.length) {
      const grown = Buffer.allocUnsafe(Math.max(1024, this.buffer.length * 2, this.size + chunk.length))
      this.buffer.copy(grown, 0, 0, this.size)
      this.buffer = grown
    }
    this.buffer.set(chunk, this.size)
    this.size += chunk.length
  }

  get all(): Buffer {
    return this.buffer.subarray(0, this.size)
  }
}

/** Receives one body whole. Its request's `push`, through which Node hands in what comes, leads here until then. */
class Receiver {
  private readonly bytes = new Bytes()
  private readonly pushOn: IncomingMessage['push']
  private isOver = false
  private timer: NodeJS.Timeout | undefined
  private leave = () => {}

  constructor(
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
    private readonly pass: 'whole' | 'cut',
    private readonly go: () => void,
  ) {
    this.pushOn = request.push.bind(request)
    request.push = (chunk) => this.take(chunk)
    response.once('close', () => {
      this.stopWaiting()
      usage().held -= this.bytes.size
    })
    // What comes with its head is here before the next turn, and never waits for a place.
    setImmediate(() => this.isOver || response.closed || this.wait())
  }

  private wait(): void {
    const place = takePlace(subjectOf(this.request))
    if (place instanceof ServiceError) this.refuse(place)
    else {
      this.leave = place
      this.timer = setTimeout(() => this.refuse(tooSlow()), BODIES.maxMs)
    }
  }

  private stopWaiting(): void {
    clearTimeout(this.timer)
    this.leave()
    this.leave = () => {}
  }

  private refuse(error: ServiceError): void {
    this.isOver = true
    this.stopWaiting()
    refuse(this.request, this.response, error)
  }

  private take(chunk: Uint8Array | null): boolean {
    if (this.isOver) return true
    if (chunk === null) this.handOn()
    else if (usage().held + chunk.length > BODIES.maxHeld) this.refuse(busy())
    else this.count(chunk)
    return true
  }

  private count(chunk: Uint8Array): void {
    usage().held += chunk.length
    this.bytes.add(chunk)
    if (this.bytes.size <= BODIES.maxBytes) return
    if (this.pass === 'whole') {
      this.refuse(tooLarge())
      return
    }
    // The reader finds more than its own cap, and the body at its end; what still comes is thrown away with the connection.
    this.request.complete = true
    dropBody(this.request, this.response)
    this.handOn()
  }

  private handOn(): void {
    this.isOver = true
    this.stopWaiting()
    if (this.bytes.size > 0) this.pushOn(this.bytes.all)
    this.pushOn(null)
    this.go()
  }
}

/**
 * Continues once a request's body has arrived. The bytes are counted, and the declared length is not trusted: too large is 413, too
 * slow 408, too many at once 429 (from one address) or 503. Nothing after this ever waits for a sender.
 * @param pass `cut` passes the beginning of a body that is too large to a reader with its own cap, which refuses it with its own
 * message
 */
export function withBody(
  request: IncomingMessage,
  response: ServerResponse,
  pass: 'whole' | 'cut',
  go: () => void,
): void {
  if (!declaresBody(request)) go()
  else if (pass === 'whole' && Number(request.headers['content-length'] ?? 0) > BODIES.maxBytes)
    refuse(request, response, tooLarge())
  else new Receiver(request, response, pass, go)
}

/**
 * Refuses a body that is too large by what it declares, where nobody reads it.
 * @throws ServiceError `payload_too_large`
 */
export function checkLength(request: IncomingMessage): void {
  if (Number(request.headers['content-length'] ?? 0) > BODIES.maxBytes) throw tooLarge()
}
