import { baseUrls, env } from '@/lib/core/env'
import type { Answerer } from '@/lib/http/endpoint'
import { limitDocument } from '@/lib/http/limit'
import { logged } from '@/lib/http/logged'
import { RPC, rpcErrorText } from './fault'

/** Answers `/mcp/sse`: the transport of 2024-11-05 had a stream here; clients are directed to its replacement. */
export const formerSse: Answerer = logged('mcp', async (request, answer) => {
  try {
    limitDocument('sse', request)
  } catch (error) {
    return answer.error(error)
  }
  const url = baseUrls(env()).mcp
  return answer.json(
    rpcErrorText(null, RPC.invalidRequest, 'Invalid Request', {
      reason: `The SSE transport is gone. Connect by streamable HTTP at ${url}.`,
      url,
    }),
    410,
  )
})
