import { baseUrls, env } from '@/lib/core/env'
import type { Answerer } from '@/lib/http/endpoint'
import { logged } from '@/lib/http/logged'
import { RPC, rpcErrorText } from './fault'

/** `/mcp/sse`: the transport of 2024-11-05 had a stream here; clients are directed to its replacement. */
export const formerSse: Answerer = logged('mcp', async (_, answer) => {
  const url = baseUrls(env()).mcp
  return answer.json(
    rpcErrorText(null, RPC.invalidRequest, 'Invalid Request', {
      reason: `The SSE transport is gone. Connect by streamable HTTP at ${url}.`,
      url,
    }),
    410,
  )
})
