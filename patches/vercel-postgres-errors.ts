import type { EventEmitter } from 'node:events'
import { VercelClient } from '@vercel/postgres'
import type { Patch } from './patch'

export const PATCH: Patch = {
  package: '@vercel/postgres',
  version: '0.10.0',
  what: 'The socket of a client, reached as its neonConfig. A WebSocket that fails passes an event on as if it were an Error, and whoever reads its message or stack finds none.',
  upstream: 'https://github.com/neondatabase/serverless/issues/126',
  removeWhen: 'The client fails with an Error; or with the package, which Vercel no longer develops.',
}

type Config = ConstructorParameters<typeof VercelClient>[0]

/** The event of a WebSocket carries an Error, or at least a message. */
function asError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown
  const { error, message } = Object(thrown)
  return error instanceof Error
    ? error
    : new Error(`the WebSocket to the database failed: ${message ?? 'no reason given'}`)
}

/** A client whose failures are Errors. All of them come from its socket, an EventEmitter. */
export class ClearClient extends VercelClient {
  constructor(config: Config) {
    super(config)
    const socket: EventEmitter = Object(this.neonConfig)
    const emit = socket.emit.bind(socket)
    socket.emit = (name, ...values) => emit(name, ...(name === 'error' ? values.map(asError) : values))
  }
}
