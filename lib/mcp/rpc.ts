import type { Answer, Reply } from '@/lib/http/answer'
import type { Answerer } from '@/lib/http/endpoint'
import { limitDocument } from '@/lib/http/limit'
import { logged } from '@/lib/http/logged'
import type { ServiceRequest } from '@/lib/http/request'
import { calledTool } from './called-tool'
import type { Caller } from './caller'
import { faultReply, invalidRequest, RPC, RpcFault, rpcErrorText } from './fault'
import { admit, type Message, readMessage } from './gate'
import { findMethod, requireParams } from './methods'
import { failedOf, noteMessage } from './note'
import { requireOwnOrigin } from './own-origin'
import { resultText } from './result-text'
import { toldError } from './rpc-error'
import { consumeToolLimit } from './tool-limit'
import { clientNameIn, toolNamesFor } from './tool-names'

const METHODS = 'POST, OPTIONS'

function run(caller: Caller, message: Message): unknown {
  const method = findMethod(message.method)
  if (method?.rpc) {
    requireParams(message)
    return method.handle(caller, Object(message.params))
  }
  throw new RpcFault(200, RPC.methodNotFound, 'Method not found', {
    data: { reason: 'Here are only tools/list and tools/call; for the rest of the protocol use /mcp.' },
  })
}

async function post(request: ServiceRequest, answer: Answer): Promise<Reply> {
  const actor = await admit(request, answer)
  const message = await readMessage(request)
  const tool = await calledTool(message)
  noteMessage(answer, message, tool)
  const { id } = message
  if (id === undefined || id === null)
    throw invalidRequest('id must be a text or a number: every request here is answered under it.')
  // 429 with an ErrorResponse here (specification 4.4).
  const refused = await consumeToolLimit(tool, actor, answer)
  if (refused) throw refused
  answer.timed.gone = () => request.gone()
  const names = toolNamesFor(request, clientNameIn(message.params))
  const caller = { actor, names, requestId: answer.requestId, failed: failedOf(answer) }
  try {
    return answer.json(resultText(id, await run(caller, message)))
  } catch (thrown) {
    const { code, message: text, data } = toldError(thrown, 'sessions', caller)
    const status = answer.faultStatus ?? (code === RPC.internal ? 500 : 200)
    return answer.json(rpcErrorText(id, code, text, data), status)
  }
}

/** Answers `/mcp/rpc`: one JSON-RPC request without a session (specification 4.4, JsonRpcRequest in 2.8). */
export const compatibilityRpc: Answerer = logged('mcp', async (request, answer) => {
  try {
    requireOwnOrigin(request)
    if (request.method === 'POST') return await post(request, answer)
    limitDocument('mcp_rpc', request)
    if (request.method === 'OPTIONS') {
      answer.add({ allow: METHODS })
      return answer.empty(204)
    }
    throw new RpcFault(405, RPC.invalidRequest, 'Invalid Request', {
      data: { reason: `${request.method} is not taken here. Use POST.` },
      headers: { allow: METHODS },
    })
  } catch (error) {
    return faultReply(answer, error)
  }
})
