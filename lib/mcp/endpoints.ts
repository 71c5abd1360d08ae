import type { Endpoint } from '@/lib/http/endpoint'
import { compatibilityRpc } from './rpc'
import { formerSse } from './sse'
import { streamableHttp } from './streamable-http'

/** What agents talk to. */
export const mcpEndpoints: Endpoint[] = [
  { path: '/mcp', answer: streamableHttp, takesBody: true },
  { path: '/mcp/rpc', answer: compatibilityRpc, takesBody: true },
  { path: '/mcp/sse', answer: formerSse, takesBody: false },
]
