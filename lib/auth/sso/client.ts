import {
  type ClientMetadata,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  type CustomFetch,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
} from 'openid-client'
import type { SsoProvider } from '@/db/queries/sso'
import { env } from '@/lib/core/env'
import { ServiceError } from '@/lib/core/errors'
import { urlFault } from '@/lib/core/public-address'
import { publicGet } from '@/lib/core/public-get'
import type { Connecting } from '@/lib/core/public-request'
import { seal, unseal } from '@/lib/core/seal'
import { shared } from '@/lib/core/shared'
import { SsoRefusal } from './refusal'

const PURPOSE = 'single sign-on secrets'
/** The most of a provider's answer that is read. */
const MOST_BYTES = 256 * 1024
/** The time by which a provider's clock may be off, in seconds. */
export const CLOCK_SECONDS = 60

const connecting = shared<Connecting>('ssoConnecting', () => ({}))

/** Seals a client's secret for storage. @throws ServiceError `bad_request` on a server that can keep none */
export function sealClientSecret(text: string): string {
  const [secret] = env().tokenSecrets
  if (secret !== undefined) return seal(secret, PURPOSE, text)
  throw new ServiceError(
    'bad_request',
    'This server cannot keep the client secret: it has no EXTERNAL_API_TOKEN_SECRET, which protects it. Ask its operator to set one.',
  )
}

/** Asks a provider: over https, on the public internet only, without following redirects, within four seconds. */
const guardedFetch: CustomFetch = async (url, { method, headers, body }) => {
  const sent = body === null || body === undefined ? undefined : String(body)
  const asked = {
    method: method === 'POST' ? ('POST' as const) : ('GET' as const),
    headers: { ...headers, ...(sent !== undefined && { 'content-length': String(Buffer.byteLength(sent)) }) },
    body: sent,
    most: MOST_BYTES,
  }
  const got = await publicGet(url, asked, connecting())
  const hasBody = got.status >= 200 && ![204, 205, 304].includes(got.status)
  return new Response(hasBody ? got.bytes : null, { status: got.status, headers: got.headers })
}

/**
 * Reads a provider's discovery document, and returns the client for it. Nothing is kept: keys that the provider has changed count at once.
 * @throws Error of the library, or of the connection
 */
export async function ssoClient(
  { issuer, clientId }: Pick<SsoProvider, 'issuer' | 'clientId'>,
  secret: string,
): Promise<Configuration> {
  const found = await discovery(new URL(issuer), clientId, undefined, undefined, { [customFetch]: guardedFetch })
  const server = found.serverMetadata()
  if (server.issuer !== issuer) throw new Error('the discovery document is of another issuer')
  // The browser is sent there, so it must not be inside anybody's network either.
  const fault = urlFault(server.authorization_endpoint ?? '')
  if (fault) throw new Error(`its authorization_endpoint ${fault}`)
  const ways = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  const metadata: Partial<ClientMetadata> = { client_secret: secret, [clockTolerance]: CLOCK_SECONDS }
  const proof = ways.includes('client_secret_basic') ? ClientSecretBasic(secret) : ClientSecretPost(secret)
  const client = new Configuration(server, clientId, metadata, proof)
  client[customFetch] = guardedFetch
  // The signature is checked too, although the token comes over TLS from its issuer.
  enableNonRepudiationChecks(client)
  return client
}

/** The same for a contractor's stored provider. @throws SsoRefusal when it cannot be reached, or its secret cannot be read */
export async function clientOf(provider: SsoProvider): Promise<Configuration> {
  const secret = unseal(env().tokenSecrets, PURPOSE, provider.sealedSecret)
  if (secret === undefined) throw new SsoRefusal('secret')
  try {
    return await ssoClient(provider, secret)
  } catch (error) {
    throw new SsoRefusal('unreachable', error)
  }
}
