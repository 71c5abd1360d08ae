import { env } from '@/lib/core/env'

/** Returns where Intuit is asked: its published addresses, or a server on this machine that tests run. */
export function places() {
  const { testUrl, environment } = env().quickbooks
  const api =
    environment === 'sandbox' ? 'https://sandbox-quickbooks.api.intuit.com' : 'https://quickbooks.api.intuit.com'
  return {
    authorize: `${testUrl ?? 'https://appcenter.intuit.com'}/connect/oauth2`,
    token: `${testUrl ?? 'https://oauth.platform.intuit.com'}/oauth2/v1/tokens/bearer`,
    revoke: `${testUrl ?? 'https://developer.api.intuit.com'}/v2/oauth2/tokens/revoke`,
    api: testUrl ?? api,
  }
}

/** The app's credentials. @throws Error when they are not set; ask `missing` first */
export function credentials(): { clientId: string; clientSecret: string } {
  const { clientId, clientSecret } = env().quickbooks
  if (!clientId || !clientSecret) throw new Error('QUICKBOOKS_CLIENT_ID and QUICKBOOKS_CLIENT_SECRET are not set')
  return { clientId, clientSecret }
}
