import { connect } from 'node:net'

/** A Redis for tests, which use only keys with their own prefix. */
export const TEST_REDIS_URL = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379'

/** The values that Redis answers, in the protocol's own kinds (RESP2). */
export type RedisValue = string | number | null | RedisValue[]

/** An error Redis answered, in its words. */
class RedisError extends Error {}

const MORE = Symbol('more to come')

/** Reads one value at a position of the text; MORE while it is not there whole. */
function read(text: string, at: number): { value: RedisValue | RedisError; next: number } | typeof MORE {
  const end = text.indexOf('\r\n', at)
  if (end < 0) return MORE
  const line = text.slice(at + 1, end)
  const next = end + 2
  switch (text[at]) {
    case '+':
      return { value: line, next }
    case '-':
      return { value: new RedisError(line), next }
    case ':':
      return { value: Number(line), next }
    case '$': {
      const length = Number(line)
      if (length < 0) return { value: null, next }
      return text.length < next + length + 2
        ? MORE
        : { value: text.slice(next, next + length), next: next + length + 2 }
    }
    default:
      return readArray(text, Number(line), next)
  }
}

function readArray(text: string, count: number, start: number): ReturnType<typeof read> {
  const values: RedisValue[] = []
  let next = start
  for (let i = 0; i < count; i++) {
    const element = read(text, next)
    if (element === MORE) return MORE
    values.push(element.value instanceof RedisError ? element.value.message : element.value)
    next = element.next
  }
  return { value: values, next }
}

/** A connection to Redis at `redis://host:port`. Texts go and come byte by byte as Latin-1, so that lengths are counts of characters. */
export function connectRedis(url: string) {
  const { hostname, port } = new URL(url)
  const waiting: { done(value: RedisValue): void; fail(error: Error): void }[] = []
  let received = ''
  const socket = connect(Number(port || 6379), hostname)
  socket.setEncoding('latin1')
  socket.on('data', (chunk) => {
    received += chunk
    for (let one = read(received, 0); one !== MORE && received !== ''; one = read(received, 0)) {
      received = received.slice(one.next)
      const asked = waiting.shift()
      if (one.value instanceof RedisError) asked?.fail(one.value)
      else asked?.done(one.value)
    }
  })
  const lost = (error: Error) => {
    for (const { fail } of waiting.splice(0)) fail(error)
  }
  socket.on('error', lost)
  socket.on('close', () => lost(new Error('the connection to Redis is closed')))
  const send = (...args: (string | number)[]) =>
    new Promise<RedisValue>((done, fail) => {
      if (socket.destroyed) return fail(new Error('the connection to Redis is closed'))
      waiting.push({ done, fail })
      const parts = args.map((arg) => Buffer.from(String(arg)).toString('latin1'))
      socket.write(`*${parts.length}\r\n${parts.map((part) => `$${part.length}\r\n${part}\r\n`).join('')}`, 'latin1')
    })
  return { send, close: () => socket.destroy() }
}
export type RedisConnection = ReturnType<typeof connectRedis>
