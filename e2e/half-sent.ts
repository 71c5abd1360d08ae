import { connect } from 'node:net'
import { ANA, INBOUND } from './lead'

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
