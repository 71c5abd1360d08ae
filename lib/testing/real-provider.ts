import type { IncomingMessage, ServerResponse } from 'node:http'
import Provider from 'oidc-provider'
import type { startHttps } from './identity-provider'

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
