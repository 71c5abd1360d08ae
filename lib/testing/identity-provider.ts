import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, request, type Server } from 'node:https'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import Provider from 'oidc-provider'
import { listenOnFreePort } from '@/lib/core/listen'
import { publicLookup } from '@/lib/core/public-address'
import type { Connecting } from '@/lib/core/public-request'
import { shared } from '@/lib/core/shared'
import { TEST_CERTIFICATE } from './private-keys'

/** The host of {@link TEST_CERTIFICATE}. */
const HOST = 'hook.example.com'

/** Reaches providers on this machine, as the internet would reach them. */
export const here = (): Connecting => ({
  ca: TEST_CERTIFICATE.cert,
  lookup: publicLookup(
    () => true,
    (_host, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
  ),
})

const connecting = shared<Connecting>('ssoConnecting', here)

/** Sets how providers are reached. */
export function reachProviders(how: Connecting = here()): void {
  Object.assign(connecting(), how)
}

type Answerer = (request: IncomingMessage, response: ServerResponse) => void

/** Starts an https server; its handler is set once its address is known. */
export async function startHttps() {
  let answer: Answerer = (_, response) => response.writeHead(503).end()
  const server: Server = createServer(TEST_CERTIFICATE, (asked, response) => answer(asked, response))
  const port = await listenOnFreePort(server)
  return {
    issuer: `https://${HOST}:${port}`,
    use: (next: Answerer) => {
      answer = next
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Follows a URL as a browser does, with its cookies, until it leaves the provider. @returns where it goes */
export async function follow(start: string, issuer: string): Promise<string> {
  const jar = new Map<string, string>()
  let url = start
  for (let step = 0; url.startsWith(issuer); step++) {
    if (step > 10) throw new Error(`still at ${url}`)
    const at = new URL(url)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const { lookup, ca } = here()
    url = await new Promise<string>((done, fail) => {
      const options = {
        host: at.hostname,
        port: at.port,
        path: at.pathname + at.search,
        headers: { cookie },
        agent: false,
        lookup,
        ca,
      }
      request(options, (answer) => {
        answer.resume()
        for (const line of answer.headers['set-cookie'] ?? []) {
          const [pair = ''] = line.split(';')
          jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
        }
        const to = answer.headers.location
        if (to) done(new URL(to, at).href)
        else fail(new Error(`${at.pathname} answered ${answer.statusCode}`))
      })
        .on('error', fail)
        .end()
    })
  }
  return url
}

/** The answers of a forging provider; a test changes them before it finishes a sign-in. */
export type Forged = {
  claims: JWTPayload & Record<string, unknown>
  /** The algorithm in the token's header; `none` leaves the signature out. */
  alg?: 'none'
  /** Signs with a key that the provider does not publish. */
  withOtherKey?: boolean
  /** Replaces the issuer in the discovery document. */
  discoveredIssuer?: string
  /** Replaces the whole answer of the token endpoint. */
  answer?: (response: ServerResponse) => void
}

/** A small provider that says whatever a test wants. `rotate` gives it another key. */
export async function startForger(clientId: string) {
  const { issuer, use, close } = await startHttps()
  let [key, other] = [await generateKeyPair('RS256'), await generateKeyPair('RS256')]
  let kid = 'first'
  const forged: Forged = { claims: {} }
  const codes: string[] = []

  async function idToken(): Promise<string> {
    const now = Math.floor(Date.now() / 1000)
    const claims = {
      iss: issuer,
      aud: clientId,
      sub: 'someone',
      iat: now,
      exp: now + 300,
      email_verified: true,
      ...forged.claims,
    }
    if (forged.alg === 'none') {
      const part64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
      return `${part64({ alg: 'none' })}.${part64(claims)}.`
    }
    const signer = forged.withOtherKey ? other : key
    return await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign(signer.privateKey)
  }

  const json = (response: ServerResponse, body: object) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
  use(async ({ url = '' }, response) => {
    if (url.startsWith('/.well-known/'))
      return json(response, {
        issuer: forged.discoveredIssuer ?? issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        id_token_signing_alg_values_supported: ['RS256'],
        authorization_response_iss_parameter_supported: true,
      })
    if (url === '/jwks') return json(response, { keys: [{ ...(await exportJWK(key.publicKey)), kid, use: 'sig' }] })
    if (url !== '/token') return response.writeHead(404).end()
    codes.push(url)
    if (forged.answer) return forged.answer(response)
    json(response, { access_token: 'a', token_type: 'Bearer', expires_in: 60, id_token: await idToken() })
  })
  return {
    issuer,
    forged,
    codes,
    close,
    rotate: async () => {
      ;[key, other, kid] = [await generateKeyPair('RS256'), key, 'second']
    },
  }
}

type Https = Awaited<ReturnType<typeof startHttps>>

/** A person who can sign in at the provider, and what it says of them; the address is verified. */
export type AtProvider = { sub: string; email: string; name: string } & Record<string, unknown>

/** Ends an interaction: as somebody, or with a refusal. */
type Finish = (who: AtProvider | 'refuse') => Promise<void>

/**
 * Runs a real provider on an https server, with one client.
 * @param interact answers where people sign in; it may show a page first, whose links lead back with a query
 */
export function startProvider(
  https: Https,
  { client, secret, redirectUri }: { client: string; secret: string; redirectUri: string },
  interact: (finish: Finish, request: IncomingMessage, response: ServerResponse) => unknown,
): void {
  const accounts = new Map<string, AtProvider>()
  const provider = new Provider(https.issuer, {
    clients: [
      // The provider takes plain http on loopback for native programs only.
      { client_id: client, client_secret: secret, application_type: 'native', redirect_uris: [redirectUri] },
    ],
    claims: { email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, accountId) => ({
      accountId,
      claims: () => ({ email_verified: true, ...accounts.get(accountId), sub: accountId }),
    }),
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({ clientId: client, accountId: oidc.session.accountId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
    cookies: { keys: ['a key for the cookies of a test'] },
  })
  const callback = provider.callback()
  https.use((request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void callback(request, response)
    const finish: Finish = async (who) => {
      if (who === 'refuse') return await provider.interactionFinished(request, response, { error: 'access_denied' })
      accounts.set(who.sub, who)
      await provider.interactionFinished(request, response, { login: { accountId: who.sub }, consent: {} })
    }
    void interact(finish, request, response)
  })
}
