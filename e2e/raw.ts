import { connect } from 'node:net'

/** What a raw HTTP exchange gave: status, headers in lower case, body. A connection closed without an answer has status 0. */
export type RawAnswer = { status: number; headers: Record<string, string>; body: string }

/** The content of a chunked body (RFC 9112, 7.1). */
function dechunk(body: string): string {
  const size = Number.parseInt(body, 16)
  if (!(size > 0)) return ''
  const from = body.indexOf('\r\n') + 2
  return body.slice(from, from + size) + dechunk(body.slice(from + size + 2))
}

function parseAnswer(bytes: Buffer): RawAnswer {
  // Latin-1 keeps one character per byte, so that chunk sizes count right.
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

/** How long an answer may take to begin on a busy machine. */
const PATIENCE_MS = 15_000

/** Sends bytes as they are, which no HTTP client would, and reads until the server closes or, having begun, is quiet for a while. */
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
