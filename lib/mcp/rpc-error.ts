import { isOurs, Overloaded, toServiceError } from '@/lib/core/errors'
import { logFault } from '@/lib/core/log'
import type { Caller } from './caller'
import { RPC, RpcFault, reasonOf, wordOf } from './fault'
import { InvalidParams, UnknownResource } from './invalid-params'

/** Converts an error that a handler threw to the code, message and data of a JSON-RPC error; our own faults show nothing but a request id. */
export function rpcErrorOf(
  thrown: unknown,
  requestId: string,
  mode: 'sessions' | 'stateless' = 'sessions',
): { code: number; message: string; data?: unknown } {
  if (thrown instanceof UnknownResource)
    return {
      code: mode === 'sessions' ? RPC.resourceNotFound : RPC.invalidParams,
      message: thrown.message,
      data: { uri: thrown.uri },
    }
  if (thrown instanceof InvalidParams) return { code: RPC.invalidParams, message: thrown.message }
  if (thrown instanceof RpcFault) return { code: thrown.code, message: thrown.message, data: thrown.details.data }
  const error = toServiceError(thrown)
  if (!isOurs(error)) return { code: RPC.invalidParams, message: error.message, data: { code: error.code } }
  logFault({ requestId, operation: 'mcp' }, thrown)
  if (error instanceof Overloaded)
    return {
      code: RPC.internal,
      message: 'Internal error',
      data: { requestId, code: error.code, reason: error.message },
    }
  return {
    code: RPC.internal,
    message: 'Internal error',
    data: { requestId, reason: 'Something went wrong on our side; it is safe to try again.' },
  }
}

/** The same, told to the request log. */
export function toldError(thrown: unknown, mode: 'sessions' | 'stateless', { requestId, failed }: Caller) {
  const error = rpcErrorOf(thrown, requestId, mode)
  const message = reasonOf(error.message, error.data)
  const told = toServiceError(thrown)
  if (told instanceof Overloaded) failed?.(told.code, told.status, { message, headers: told.headers })
  else {
    const { status, details } = thrown instanceof RpcFault ? thrown : {}
    failed?.(wordOf(error.code), status, { message, headers: details?.headers })
  }
  return error
}

/** The same as an error that the stateless SDK passes on with its code, message and data as they are. */
export function protocolErrorOf(thrown: unknown, caller: Caller): Error {
  const { message, ...rest } = toldError(thrown, 'stateless', caller)
  return Object.assign(new Error(message), rest)
}
