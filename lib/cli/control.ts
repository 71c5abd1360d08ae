import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import type { Database } from '@/db/client'
import { listenOnFreePort } from '@/lib/core/listen'
import { stopping } from '@/lib/core/stopping'
import type { Io, Style } from './io'

/**
 * The address where the holder of the embedded database takes commands: a loopback port, and a token that only the directory's owner can
 * read.
 */
export type Control = { port: number; token: string }

/**
 * Messages to the terminal, one JSON line each: output, a question, and finally the exit code. Messages to the server are JSON
 * lines too: the command, the answer to each question, and `{"stop":true}` to end the command.
 */
type Line =
  | { out: string; style?: Style }
  | { err: string; style?: Style }
  | { progress: string }
  | { ask: string }
  | { exit: number }
  | { stoppable: true }

/** A command, and what the terminal that calls it can do. */
type Asked = { argv: string[]; cwd: string; asks: boolean; shows: boolean; width?: number | undefined }

const sameToken = (given: string, token: string) =>
  given.length === token.length && timingSafeEqual(Buffer.from(given), Buffer.from(token))

/** The other side's messages in order; a request to stop is noticed even while nobody waits for a message. */
function messages(incoming: IncomingMessage, onStop: () => void): AsyncIterator<ReturnType<typeof JSON.parse>> {
  const through = new PassThrough({ objectMode: true })
  createInterface({ input: incoming })
    .on('line', (line) => {
      const message = JSON.parse(line)
      if (Object(message).stop === true) onStop()
      else through.write({ message })
    })
    .on('close', () => through.end())
  return (async function* () {
    for await (const { message } of through) yield message
  })()
}

async function serve(incoming: IncomingMessage, response: ServerResponse, token: string): Promise<void> {
  if (!sameToken(incoming.headers.authorization ?? '', `Bearer ${token}`)) return void response.writeHead(401).end()
  const stop = new AbortController()
  const lines = messages(incoming, () => stop.abort())
  const next = async () => (await lines.next()).value ?? null
  const { argv, cwd, asks, shows, width }: Asked = await next()
  const send = (line: Line) => void response.write(`${JSON.stringify(line)}\n`)
  const reader = new AbortController()
  response.once('close', () => reader.abort())
  // Loaded here, so that a server without commands and a process that only forwards one need not load it.
  const { runCommand } = await import('./run')
  const ask = async (question: string): Promise<string> => {
    send({ ask: question })
    return (await next()) ?? ''
  }
  const io: Io = {
    out: (out, style) => send({ out, ...(style && { style }) }),
    err: (err, style) => send({ err, ...(style && { style }) }),
    cwd,
    width,
    gone: reader.signal,
    stop: () => {
      send({ stoppable: true })
      return AbortSignal.any([stop.signal, reader.signal, stopping()])
    },
    ...(shows ? { progress: (progress) => send({ progress }) } : {}),
    ...(asks ? { ask } : {}),
  }
  send({ exit: await runCommand(argv, io) })
  response.end()
}

/**
 * Takes commands from this machine's command line while this process holds the embedded database; the directory's lock file says
 * where.
 */
export async function serveControl(db: Database): Promise<void> {
  const token = randomBytes(32).toString('base64url')
  const server = createServer((incoming, response) => {
    serve(incoming, response, token).catch(() => response.destroy())
  })
  // A command's request stays open until the command is done, however long that takes.
  server.requestTimeout = 0
  const port = await listenOnFreePort(server)
  server.unref()
  db.publishControl?.({ port, token })
}

/** Handles one line; returns the exit code when the line has it. */
async function take(line: Line, io: Io, answer: (text: string) => void, stop: () => void): Promise<number | undefined> {
  if ('out' in line) io.out(line.out, line.style)
  else if ('err' in line) io.err(line.err, line.style)
  else if ('progress' in line) io.progress?.(line.progress)
  else if ('stoppable' in line) io.stop?.().addEventListener('abort', stop)
  else if ('ask' in line) answer((await io.ask?.(line.ask)) ?? '')
  else return line.exit
  return undefined
}

/** The lines of a stream as they arrive, without their ends. */
async function* linesOf(stream: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of stream) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}

/** Runs a command in the process that holds the embedded database; its output appears here. Resolves with the exit code. */
export function forwardCommand(control: Control, argv: string[], io: Io): Promise<number> {
  return new Promise((done, fail) => {
    const headers = { authorization: `Bearer ${control.token}`, 'content-type': 'application/json' }
    const outgoing = request({ host: '127.0.0.1', port: control.port, method: 'POST', headers }, async (incoming) => {
      let exit: number | undefined
      try {
        for await (const line of linesOf(incoming.setEncoding('utf8'))) {
          exit = (await take(JSON.parse(line), io, say, () => say({ stop: true }))) ?? exit
          if (exit !== undefined) outgoing.end()
        }
      } catch (error) {
        return fail(error)
      }
      if (exit === undefined) fail(new Error('The server stopped before the command was done. Run it again.'))
      else done(exit)
    })
    const say = (value: unknown) => void outgoing.write(`${JSON.stringify(value)}\n`)
    outgoing.on('error', fail)
    say({ argv, cwd: io.cwd, asks: io.ask !== undefined, shows: io.progress !== undefined, width: io.width })
  })
}
