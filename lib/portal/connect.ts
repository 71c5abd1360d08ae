import type { Connection, ProtocolMode } from './connection'
import { type Exchange, Recorder } from './exchange'

/** The error thrown when connecting or calling fails, with the cause and the response, if there was one. */
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
 * Connects in a protocol mode. Each mode's client loads when it is first chosen, so a visitor loads only what is used.
 * @throws ConnectionFault when the server cannot be reached or refuses
 */
export async function connect(
  mode: ProtocolMode,
  url: string,
  key: string,
  token?: () => Promise<string>,
): Promise<{ connection: Connection; recorder: Recorder }> {
  const recorder = new Recorder(token)
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
