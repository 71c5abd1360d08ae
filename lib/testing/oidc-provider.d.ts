/** The part that the tests use of the package, which has no types of its own. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  type Grant = { addOIDCScope(scopes: string): void; save(): Promise<string> }
  type Context = {
    oidc: {
      session: { accountId: string }
      provider: { Grant: new (of: { clientId: string; accountId: string }) => Grant }
    }
  }
  type Configuration = {
    clients: Record<string, unknown>[]
    claims: Record<string, string[]>
    features: Record<string, { enabled: boolean }>
    interactions: { url(ctx: Context, interaction: { uid: string }): string }
    findAccount(ctx: Context, id: string): { accountId: string; claims(): Record<string, unknown> }
    loadExistingGrant(ctx: Context): Promise<Grant>
    cookies: { keys: string[] }
  }

  export default class Provider {
    constructor(issuer: string, configuration: Configuration)
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>
  }
}
