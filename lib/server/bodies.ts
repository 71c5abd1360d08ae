import type { IncomingMessage, ServerResponse } from 'node:http'
import { ServiceError } from '@/lib/core/errors'
import { shared } from '@/lib/core/shared'
import { subjectOf } from './address'
import { refuse } from './refuse'
import { dropBody } from './unread-body'

/** Limits of request bodies in this process; on Vercel the platform applies its own caps. */
export const BODIES = {
  /** Bytes of one body; an upload has its own cap. */
  maxBytes: 1024 * 1024,
  /** Bytes held at once, over all requests until they are answered. */
  maxHeld: 64 * 1024 * 1024,
  /** Bodies still arriving that did not come in one packet with their headers: in total, and from one address. */
  maxArriving: 512,
  maxArrivingPerAddress: 32,
  /** The time a body may take to arrive. */
  maxMs: 20_000,
} as const

export type BodyUsage = { held: number; arriving: number; perAddress: Map<string, number> }
const usage = shared<BodyUsage>('bodies', () => ({ held: 0, arriving: 0, perAddress: new Map() }))

/** Reports whether a request says that a body follows. */
export const declaresBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

const RETRY_SOON = { headers: { 'retry-after': '1' } }
const tooLarge = () =>
  new ServiceError('payload_too_large', `The body is larger than ${BODIES.maxBytes} bytes. Send less.`)
const tooSlow = () =>
  new ServiceError(
    'too_slow',
    `The body did not arrive within ${BODIES.maxMs / 1000} seconds. Send it without pauses, or send less.`,
  )
const tooManyFromAddress = () =>
  new ServiceError(
    'rate_limited',
    `More than ${BODIES.maxArrivingPerAddress} request bodies are still arriving from this address. Wait until some are complete, then try again.`,
    RETRY_SOON,
  )
const busy = () =>
  new ServiceError('busy', 'The server is receiving as much data as it can hold. Try again in a moment.', RETRY_SOON)

/** Takes a slot for an arriving body. Returns a function that frees the slot, or an error when none is free. */
function takeSlot(subject: string): (() => void) | ServiceError {
  const now = usage()
  const fromHere = now.perAddress.get(subject) ?? 0
  if (fromHere >= BODIES.maxArrivingPerAddress) return tooManyFromAddress()
  if (now.arriving >= BODIES.maxArriving) return busy()
  now.arriving++
  now.perAddress.set(subject, fromHere + 1)
  return () => {
    now.arriving--
    const left = (now.perAddress.get(subject) ?? 1) - 1
    if (left > 0) now.perAddress.set(subject, left)
    else now.perAddress.delete(subject)
  }
}

/** Collects bytes in one growing buffer: a list of one-byte chunks would use a hundred times their size. */
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

/** Receives a whole body. Until it is complete, the request's `push`, through which Node delivers chunks, leads here. */
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
    // A body in one packet with its headers has arrived before the next turn of the event loop, and needs no slot.
    setImmediate(() => this.isOver || response.closed || this.wait())
  }

  private wait(): void {
    const place = takeSlot(subjectOf(this.request))
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
    // The reader sees more bytes than its own cap, then the end of the body. The rest is discarded with the connection.
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
 * Refuses a body whose declared length is too large, on paths that read no body.
 * @throws ServiceError `payload_too_large`
 */
export function checkLength(request: IncomingMessage): void {
  if (Number(request.headers['content-length'] ?? 0) > BODIES.maxBytes) throw tooLarge()
}
