/**
 * The kinds of end that a request to a vendor can come to. `reconnect`: the grant is over, and only a person can renew it. `throttled`: too
 * many requests. `unreachable`: no answer, or one of a server that is down. `refused`: the vendor refuses, and says why. `shape`: an answer
 * that is not what the vendor publishes.
 */
export type FaultKind = 'reconnect' | 'throttled' | 'unreachable' | 'refused' | 'shape'

/** The error thrown when a vendor did not give what was asked for. The message is for administrators: what happened, and what to do. */
export class ConnectorFault extends Error {
  override name = 'ConnectorFault'

  constructor(
    readonly kind: FaultKind,
    message: string,
    /** Milliseconds after which the vendor may be asked again, where it says so. */
    readonly waitMs?: number,
  ) {
    super(message)
  }
}
