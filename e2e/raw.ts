import { connect } from 'node:net'
import type { Browser } from '@playwright/test'
import { expect, type Service } from './fixtures'
import { ANA, INBOUND } from './lead'
import { makePerson } from './people'

/**
 * Sends half of a lead's body and resolves once the server has read its head. `finish` sends the rest and resolves with the
 * response's status line.
 */
export async function beginLead(port: number, leadKey: string, externalId: string): Promise<() => Promise<string>> {
  const body = JSON.stringify({ ...ANA, externalId })
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  const closed = new Promise<void>((done) => socket.once('close', () => done()))
  // A server that has read the head asks for the body (RFC 9110, 10.1.1); only then is the request in progress.
  const isRead = new Promise<void>((done) => {
    socket
      .once('data', () => done())
      .on('data', (chunk) => {
        answer += chunk
      })
  })
  // A broken connection gets no response, which the test checks.
  socket.on('error', () => {})
  socket.write(
    `POST ${INBOUND} HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${leadKey}\r\ncontent-type: application/json\r\nexpect: 100-continue\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body.slice(0, 10)}`,
  )
  await Promise.race([isRead, closed])
  return async () => {
    socket.write(body.slice(10))
    await closed
    return answer.replace(/^HTTP\/1\.1 100 .*\r\n\r\n/, '').split('\r\n')[0] ?? ''
  }
}

/** Reports whether a port accepts new connections. */
export const takesConnections = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => done(true)).once('error', () => done(false))
    socket.once('connect', () => socket.destroy())
  })

/** A signed-in administrator's page without script, at a path. */
export async function openPlain(browser: Browser, service: Service, contractorId: string, path: string) {
  const made = await makePerson(service, contractorId, 'admin')
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(service.url + path)
  await page.getByLabel('Email address').fill(made.email)
  await page.getByLabel('Password').fill(made.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page).toHaveURL(service.url + path)
  return { page, close: () => context.close() }
}

/** The result of a raw HTTP exchange: status, lower-case headers, body. A connection closed without a response has status 0. */
export type RawAnswer = { status: number; headers: Record<string, string>; body: string }

/** Decodes a chunked body (RFC 9112, 7.1). */
function dechunk(body: string): string {
  const size = Number.parseInt(body, 16)
  if (!(size > 0)) return ''
  const from = body.indexOf('\r\n') + 2
  return body.slice(from, from + size) + dechunk(body.slice(from + size + 2))
}

function parseAnswer(bytes: Buffer): RawAnswer {
  // Latin-1 keeps one character per byte, so that chunk sizes are right.
  const text = bytes.toString('latin1')
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const body = rest.join('\r\n\r\n')
  const content = headers['transfer-encoding'] === 'chunked' ? dechunk(body) : body
  return { status: Number(first.split(' ')[1] ?? 0), headers, body: Buffer.from(content, 'latin1').toString() }
}

/** The time that a response may take to begin on a busy machine. */
const PATIENCE_MS = 15_000

/** Sends raw bytes that no HTTP client would send, and reads until the server closes the connection or stops sending. */
export function sendRaw(
  port: number,
  bytes: string,
  { quietMs = 1_500, beginsWithin = PATIENCE_MS } = {},
): Promise<RawAnswer> {
  return new Promise((done) => {
    const chunks: Buffer[] = []
    const socket = connect(port, 'localhost', () => socket.write(bytes))
    const end = () => {
      socket.destroy()
      done(parseAnswer(Buffer.concat(chunks)))
    }
    socket.setTimeout(beginsWithin, end)
    socket.on('data', (chunk: Buffer) => {
      socket.setTimeout(quietMs)
      chunks.push(chunk)
    })
    socket.on('error', end).on('close', end)
  })
}
