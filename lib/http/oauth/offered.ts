import { isOAuthOffered } from '@/lib/auth/oauth/places'
import { baseUrls, env } from '@/lib/core/env'
import type { Answer, Reply } from '../answer'

/** An OAuth error (RFC 6749, 5.2), with a sentence. */
export function oauthError(answer: Answer, status: number, error: string, description: string): Reply {
  answer.failed(error, description)
  return answer.json(JSON.stringify({ error, error_description: description }), status)
}

/**
 * Answers 404 in JSON where there is no authorization server, with what to do instead. A page in HTML would be shown to people as a parse
 * error. `error_description` is where OAuth libraries look for a sentence.
 */
export function notThere(answer: Answer): Reply {
  const { mcp, portal } = baseUrls(env())
  const sentence = isOAuthOffered()
    ? `This address is not part of the authorization server, which is ${portal}. Its metadata names every address.`
    : `There is no OAuth here. Send an API key with every request to ${mcp} in the header X-API-Key; the contractor’s administrator issues it.`
  answer.failed('not_found', sentence)
  return answer.json(
    JSON.stringify({ error: sentence, code: 'not_found', requestId: answer.requestId, error_description: sentence }),
    404,
  )
}
