import { isOAuthOffered, issuerOf, resourceMetadata } from '@/lib/auth/oauth/places'
import { oauthServer } from '@/lib/auth/oauth/server'
import { baseUrls, env } from '@/lib/core/env'
import type { Answer, Reply } from '../answer'
import type { Answerer } from '../endpoint'
import { limitDocument } from '../limit'
import { observed } from '../logged'
import { GET_METHODS, PUBLIC_CORS } from '../public'
import { requireMethod, type ServiceRequest } from '../request'
import { notThere } from './offered'

/** The parts of the library's metadata that hold here: the rest names endpoints and abilities that are not mounted. */
const KEPT = [
  'issuer',
  'authorization_endpoint',
  'token_endpoint',
  'registration_endpoint',
  'revocation_endpoint',
  'jwks_uri',
  'scopes_supported',
  'response_types_supported',
  'response_modes_supported',
  'grant_types_supported',
  'token_endpoint_auth_methods_supported',
  'token_endpoint_auth_signing_alg_values_supported',
  'revocation_endpoint_auth_methods_supported',
  'code_challenge_methods_supported',
  'authorization_response_iss_parameter_supported',
  'client_id_metadata_document_supported',
]

async function makeServerMetadata(): Promise<Record<string, unknown>> {
  const server = await oauthServer()
  const response = await server.handler(new Request(`${issuerOf()}/.well-known/oauth-authorization-server`))
  const all: object = await response.json()
  const kept = Object.entries(all).filter(([name, value]) => KEPT.includes(name) && value !== undefined)
  return {
    ...Object.fromEntries(kept),
    service_documentation: `${baseUrls(env()).portal}/developers/guides/agents`,
    // What clients that discover by OpenID Connect require to be there; no identity tokens are issued.
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['EdDSA'],
  }
}

const document = (name: string, make: () => Promise<object> | object): Answerer =>
  observed(name, async (request: ServiceRequest, answer: Answer): Promise<Reply> => {
    answer.add(PUBLIC_CORS)
    try {
      limitDocument(name, request)
      if (request.method === 'OPTIONS') {
        answer.add({ allow: GET_METHODS })
        return answer.empty(204)
      }
      if (!isOAuthOffered()) return notThere(answer)
      requireMethod(request, ['GET', 'HEAD'], GET_METHODS)
      const text = JSON.stringify(await make())
      answer.add({ 'cache-control': 'public, max-age=300' })
      return answer.json(text)
    } catch (error) {
      return answer.error(error)
    }
  })

/** The document `/.well-known/oauth-authorization-server` (RFC 8414), and the same for clients that look for OpenID Connect's. */
export const serverMetadata = document('oauth_metadata', makeServerMetadata)

/** The document `/.well-known/oauth-protected-resource` (RFC 9728) of each face. */
export const resourceMetadataOf = {
  mcp: document('oauth_resource', () => resourceMetadata('mcp')),
  api: document('oauth_resource', () => resourceMetadata('api')),
}
