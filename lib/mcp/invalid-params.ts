/**
 * A call whose parameters refer to something missing or are invalid: JSON-RPC -32602. The message is written for the client. The
 * engine knows which code its protocol revision requires.
 */
export class InvalidParams extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'InvalidParams'
  }
}

/** The error for a URI that no resource has: -32002 up to protocol 2025-11-25, -32602 since. Clients expect `uri` in the error's data. */
export class UnknownResource extends InvalidParams {
  constructor(
    readonly uri: string,
    message: string,
  ) {
    super(message)
    this.name = 'UnknownResource'
  }
}
