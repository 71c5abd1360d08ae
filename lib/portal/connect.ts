import type { Connection, ProtocolMode } from './connection'
import { type Exchange, Recorder } from './exchange'

/** Thrown where connecting or calling failed: the cause, and the answer it shows in, if there was one. */
export class ConnectionFault extends Error {
  constructor(
    cause: unknown,
    readonly exchange: Exchange | undefined,
  ) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.name = 'ConnectionFault'
  }
}

/**
 * Connects in a protocol mode. Each mode's client is loaded when it is first chosen, so that a visitor loads only what is used.
 * @throws ConnectionFault when the server cannot be reached or refuses
 */
export async function connect(
  mode: ProtocolMode,
  url: string,
  key: string,
): Promise<{ connection: Connection; recorder: Recorder }> {
  const recorder = new Recorder()
  const target = { url, key, recorder }
  try {
    const connection =
      mode === 'sessions'
        ? await (await import('./connect-sessions')).connectSessions(target)
        : await (await import('./connect-stateless')).connectStateless(target)
    return { connection, recorder }
  } catch (cause) {
    throw new ConnectionFault(cause, recorder.last())
  }
}
