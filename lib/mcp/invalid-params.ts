/**
 * A call whose parameters name what is not there or are not what they must be: JSON-RPC -32602. The message is written for the
 * client. Which code a protocol revision wants is the engine's to know.
 */
export class InvalidParams extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'InvalidParams'
  }
}

/** No resource has this URI: -32002 up to protocol 2025-11-25, -32602 since; `uri` is what clients want in the error's data. */
export class UnknownResource extends InvalidParams {
  constructor(
    readonly uri: string,
    message: string,
  ) {
    super(message)
    this.name = 'UnknownResource'
  }
}
