import * as z from 'zod'
import type { ReplyStream } from '@/lib/http/answer'

/** The levels of RFC 5424 that MCP uses, the least severe first. */
export const LOG_LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

const Level = z.enum(LOG_LEVELS).optional().catch(undefined)
const Token = z.union([z.string(), z.number()]).optional().catch(undefined)

/** The interval at which a long call reports progress; a shorter one reports nothing. */
const BEAT_MS = 1_000

/** The `_meta` key with which a message of the stateless revision names the log messages its sender wants. */
const LOG_LEVEL_META = 'io.modelcontextprotocol/logLevel'

const eventOf = (json: string) => `event: message\ndata: ${json}\n\n`

/**
 * Sends a client messages before the answer to its message: progress, when the message has a token for it, log messages of the level it
 * wants, and questions to its person. When there are none, the answer stays plain JSON; the first of them turns it into a stream of events
 * that ends with the answer.
 */
export class Conversation {
  private readonly token: string | number | undefined
  private readonly from: number
  private waiting: string[] = []
  private wake: () => void = () => {}
  private open: () => void = () => {}
  /** Resolves with the first notification. */
  readonly opened = new Promise<'opened'>((resolve) => {
    this.open = () => resolve('opened')
  })

  /** Resolves when the client no longer wants the answer. */
  readonly ended: Promise<'cancelled'>

  /**
   * @param level the level a session has set; a message of the stateless revision carries its own
   * @param cancelled the signal that the client no longer wants the answer
   */
  constructor(
    params: unknown,
    level: string | null,
    readonly cancelled: AbortSignal = new AbortController().signal,
  ) {
    this.ended = new Promise((resolve) => {
      cancelled.addEventListener('abort', () => resolve('cancelled'), { once: true })
    })
    const meta = Object(Object(params)._meta)
    this.token = Token.parse(meta.progressToken)
    const wanted = Level.parse(meta[LOG_LEVEL_META] ?? level ?? undefined)
    this.from = wanted === undefined ? LOG_LEVELS.length : LOG_LEVELS.indexOf(wanted)
  }

  private send(event: string): void {
    this.waiting.push(event)
    this.open()
    this.wake()
  }

  private notify(method: string, params: object): void {
    this.send(eventOf(JSON.stringify({ jsonrpc: '2.0', method, params })))
  }

  /** Sends a request to the client, which answers it by a message of its own. */
  request(id: string, method: string, params: object): void {
    this.send(eventOf(JSON.stringify({ jsonrpc: '2.0', id, method, params })))
  }

  /** Sends a comment, which clients skip, so that nothing between closes a stream that waits for a person. */
  keepOpen(): void {
    this.send(': waiting\n\n')
  }

  /** Sends a log message, when the client wants its level. `data` holds our own words and numbers, never a record's text. */
  log(level: LogLevel, logger: string, data: Record<string, string | number>): void {
    if (LOG_LEVELS.indexOf(level) >= this.from) this.notify('notifications/message', { level, logger, data })
  }

  /** Tells how far a call is, when the client gave a token for progress. */
  progress(progress: number, more: { total?: number; message?: string }): void {
    if (this.token !== undefined)
      this.notify('notifications/progress', { progressToken: this.token, progress, ...more })
  }

  /** Runs work, and tells each second how long it has been running, when the client gave a token for progress. */
  async during<T>(name: string, work: () => Promise<T>): Promise<T> {
    const { token } = this
    const began = performance.now()
    let beats = 0
    const timer =
      token === undefined
        ? undefined
        : setInterval(() => {
            beats++
            this.progress(beats, { message: `${name} has been running for ${beats} s.` })
          }, BEAT_MS)
    const stop = () => clearInterval(timer)
    this.cancelled.addEventListener('abort', stop, { once: true })
    try {
      return await work()
    } finally {
      stop()
      this.log('debug', name, { durationMs: Math.round(performance.now() - began) })
    }
  }

  /** Yields the messages sent so far and until the answer, as events, and the answer as the last one. */
  async *events(answer: Promise<string | null>): AsyncGenerator<string> {
    let last: { text: string | null } | undefined
    const ended = answer.then((text) => {
      last = { text }
      this.wake()
    })
    while (last === undefined || this.waiting.length > 0) {
      const next = this.waiting.shift()
      if (next !== undefined) yield next
      else
        await new Promise<void>((resolve) => {
          this.wake = resolve
          if (last !== undefined || this.waiting.length > 0) resolve()
        })
    }
    await ended
    if (last.text !== null) yield eventOf(last.text)
  }

  /** The stream of a reply, which has ended when the answer is known, whether or not anyone still reads. */
  streamOf(answer: Promise<string | null>): ReplyStream {
    return { chunks: this.events(answer), ended: answer.then(() => {}) }
  }
}
