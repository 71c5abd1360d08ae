import { connect } from 'node:net'

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
