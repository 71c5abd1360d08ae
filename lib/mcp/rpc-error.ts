import { ServiceError } from '@/lib/core/errors'
import { logFault } from '@/lib/core/log'
import type { Caller } from './caller'
import { RPC, RpcFault, reasonOf, wordOf } from './fault'
import { InvalidParams, UnknownResource } from './invalid-params'

/** What a handler threw, as the code, message and data of a JSON-RPC error; our own faults show nothing but a request id. */
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
  if (thrown instanceof ServiceError && thrown.code !== 'internal')
    return { code: RPC.invalidParams, message: thrown.message, data: { code: thrown.code } }
  logFault({ requestId, operation: 'mcp' }, thrown)
  return {
    code: RPC.internal,
    message: 'Internal error',
    data: { requestId, reason: 'Something went wrong on our side; it is safe to try again.' },
  }
}

/** The same, told to the request log. */
export function toldError(thrown: unknown, mode: 'sessions' | 'stateless', { requestId, failed }: Caller) {
  const error = rpcErrorOf(thrown, requestId, mode)
  failed?.(wordOf(error.code), thrown instanceof RpcFault ? thrown.status : undefined, {
    message: reasonOf(error.message, error.data),
    headers: thrown instanceof RpcFault ? thrown.details.headers : undefined,
  })
  return error
}

/** The same as an error that the stateless SDK passes on with its code, message and data as they are. */
export function protocolErrorOf(thrown: unknown, caller: Caller): Error {
  const { message, ...rest } = toldError(thrown, 'stateless', caller)
  return Object.assign(new Error(message), rest)
}
