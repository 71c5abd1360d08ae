import { baseUrls, env } from '@/lib/core/env'
import type { Answerer } from '@/lib/http/endpoint'
import { observed } from '@/lib/http/logged'
import { PUBLIC_CORS } from '@/lib/http/public'

/**
 * Where MCP clients look for an authorization server (RFC 8414, RFC 9728, RFC 7591): 404 in JSON, because there is none, with what to do
 * instead. A page in HTML would be shown to people as a parse error. `error_description` is where OAuth libraries look for a sentence.
 */
export const noOAuth: Answerer = observed('oauth', async (_, answer) => {
  const sentence = `There is no OAuth here. Send an API key with every request to ${baseUrls(env()).mcp} in the header X-API-Key; the contractor’s administrator issues it.`
  answer.add(PUBLIC_CORS)
  answer.failed('not_found', sentence)
  return answer.json(
    JSON.stringify({ error: sentence, code: 'not_found', requestId: answer.requestId, error_description: sentence }),
    404,
  )
})
