/** An error whose message is written for the operator: what is wrong, and which setting or command changes it. It is shown without a stack. */
export class OperatorError extends Error {
  override name = 'OperatorError'
}
