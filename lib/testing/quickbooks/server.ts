import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { TestCompany } from './company'
import { TEST_APP, TestTokens } from './oauth'
import { answerChanges, answerQuery, QueryFault } from './query'

export const TEST_VERIFIER = 'the-verifier-of-the-tests'

const escaped = (text: string) => text.replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`)
const fault = (Message: string, code: string, type = 'ValidationFault') => ({
  Fault: { Error: [{ Message, Detail: Message, code }], type },
})

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}

type Sent = { status: number; body: unknown; headers?: Record<string, string> | undefined }

const THROTTLED = fault('message=ThrottleExceeded; errorCode=003001; statusCode=429', '3001')
/** The gate before the API words it otherwise. */
const EXPIRED = {
  warnings: null,
  fault: {
    error: [
      {
        message: 'message=AuthenticationFailed; errorCode=003200; statusCode=401',
        detail: 'Token expired',
        code: '3200',
      },
    ],
    type: 'AUTHENTICATION',
  },
}

/** The answer that a test makes the server give to the next requests to the API. */
type Trouble = { status: number; retryAfter?: number; times: number }

/**
 * A server that speaks what Intuit publishes of QuickBooks Online: authorization, tokens that end and change, queries, changes, throttling,
 * faults and webhooks, for several companies.
 */
export class TestQuickBooks {
  readonly companies = new Map<string, TestCompany>()
  readonly tokens: TestTokens
  /** Paths of requests to the API, newest last. */
  readonly asked: string[] = []
  /** Receives each answer of the API before it leaves; what it returns leaves instead. */
  alter: ((path: string, body: Record<string, unknown>) => unknown) | undefined
  /** The next answers of the token endpoint are lost on the way. */
  loseTokens = 0
  trouble: Trouble | undefined

  private constructor(
    private readonly server: Server,
    readonly url: string,
    private readonly clock: () => Date,
  ) {
    this.tokens = new TestTokens(clock)
  }

  static async start(clock: () => Date = () => new Date()): Promise<TestQuickBooks> {
    const server = createServer()
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('it listens on a port')
    const made = new TestQuickBooks(server, `http://127.0.0.1:${address.port}`, clock)
    server.on('request', (request, response) => void made.handle(request, response).catch(() => response.destroy()))
    return made
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((done) => this.server.close(done))
  }

  company(realm: string, name = 'Whitfield Roofing'): TestCompany {
    const found = this.companies.get(realm) ?? new TestCompany(realm, name, this.clock)
    this.companies.set(realm, found)
    return found
  }

  /** Allows a connection, as a person at Intuit does. @returns where they are sent back to */
  allow(authorizeUrl: string, realm: string): URL {
    const { searchParams: asked } = new URL(authorizeUrl)
    if (asked.get('client_id') !== TEST_APP.clientId) throw new Error('an unknown app')
    const back = new URL(asked.get('redirect_uri') ?? '')
    back.searchParams.set('code', this.tokens.code(realm, back.href))
    back.searchParams.set('state', asked.get('state') ?? '')
    back.searchParams.set('realmId', realm)
    return back
  }

  /** A signed webhook: its body and headers, in the old form or as CloudEvents. */
  webhook(
    realm: string,
    {
      form = 'cloudevents',
      operation = 'updated',
      verifier = TEST_VERIFIER,
    }: { form?: 'cloudevents' | 'notifications'; operation?: string; verifier?: string } = {},
  ) {
    const at = this.clock().toISOString()
    const event = {
      specversion: '1.0',
      id: '88cd52aa-33b6-4351-9aa4-47572edbd068',
      source: 'intuit.tests',
      type: `qbo.invoice.${operation}.v1`,
      datacontenttype: 'application/json',
      time: at,
      intuitentityid: '95',
      intuitaccountid: realm,
      data: {},
    }
    const entity = {
      name: 'Invoice',
      id: '95',
      operation: operation === 'merged' ? 'Merge' : 'Update',
      lastUpdated: at,
    }
    const body = JSON.stringify(
      form === 'cloudevents'
        ? [event]
        : { eventNotifications: [{ realmId: realm, dataChangeEvent: { entities: [entity] } }] },
    )
    return {
      body,
      headers: {
        'content-type': 'application/json',
        'intuit-signature': createHmac('sha256', verifier).update(body).digest('base64'),
      },
    }
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url)
    const sent = await this.sentFor(request, url)
    if (sent === 'lost') response.destroy()
    else if (typeof sent === 'string') response.writeHead(200, { 'content-type': 'text/html' }).end(sent)
    else
      response
        .writeHead(sent.status, { 'content-type': 'application/json', ...sent.headers })
        .end(JSON.stringify(sent.body))
  }

  private async sentFor(request: IncomingMessage, url: URL): Promise<Sent | string> {
    if (url.pathname === '/connect/oauth2') return this.consent(url)
    if (url.pathname === '/oauth2/v1/tokens/bearer') return await this.token(request)
    if (url.pathname === '/v2/oauth2/tokens/revoke') return await this.revoke(request)
    return this.api(request, url)
  }

  /** Returns Intuit's page on which a person chooses a company. */
  private consent(url: URL): string {
    const links = [...this.companies.values()].map(
      ({ realm, name }) => `<p><a href="${escaped(this.allow(url.href, realm).href)}">Connect ${escaped(name)}</a></p>`,
    )
    const back = new URL(url.searchParams.get('redirect_uri') ?? '')
    back.search = new URLSearchParams({ error: 'access_denied', state: url.searchParams.get('state') ?? '' }).toString()
    // Whole browsers ask for an icon, which is none of the API's.
    return `<!doctype html><title>Choose a company</title><link rel="icon" href="data:,">${links.join('')}<p><a href="${escaped(back.href)}">Cancel</a></p>`
  }

  private isApp({ headers }: IncomingMessage): boolean {
    const { clientId, clientSecret } = TEST_APP
    return headers.authorization === `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
  }

  private async token(request: IncomingMessage): Promise<Sent | 'lost'> {
    const form = new URLSearchParams(await textOf(request))
    if (!this.isApp(request)) return { status: 401, body: { error: 'invalid_client' } }
    const body = this.tokens.answer(form)
    if (this.loseTokens > 0) {
      this.loseTokens--
      return 'lost'
    }
    if (body) return { status: 200, body }
    return { status: 400, body: { error: 'invalid_grant', error_description: 'Token invalid' } }
  }

  private async revoke(request: IncomingMessage): Promise<Sent> {
    const { token } = JSON.parse(await textOf(request))
    const realm = this.tokens.realmOfRefresh(String(token))
    if (!this.isApp(request)) return { status: 401, body: {} }
    if (realm) this.tokens.revoke(realm)
    return { status: realm ? 200 : 400, body: {} }
  }

  /** Returns what stands in the way of a request to the API: a trouble that a test made, or a token that is over. */
  private refusal({ headers: { authorization } }: IncomingMessage, realm: string): Sent | undefined {
    const { trouble } = this
    if (trouble && trouble.times-- > 0) {
      const headers = trouble.retryAfter === undefined ? undefined : { 'retry-after': String(trouble.retryAfter) }
      return { status: trouble.status, body: trouble.status === 429 ? THROTTLED : {}, headers }
    }
    if (this.tokens.realmOf(authorization) !== realm) return { status: 401, body: EXPIRED }
    return this.companies.has(realm)
      ? undefined
      : { status: 403, body: fault('ApplicationAuthorizationFailed', '3100', 'AuthorizationFault') }
  }

  private api(request: IncomingMessage, url: URL): Sent {
    const [, , , realm = '', what = ''] = url.pathname.split('/')
    this.asked.push(`${what} ${url.searchParams.get('query') ?? url.searchParams.get('changedSince') ?? ''}`.trim())
    const refused = this.refusal(request, realm)
    if (refused) return refused
    try {
      const body = { ...this.answer(this.company(realm), what, url.searchParams), time: this.clock().toISOString() }
      return { status: 200, body: this.alter ? this.alter(this.asked.at(-1) ?? '', body) : body }
    } catch (error) {
      if (!(error instanceof QueryFault)) throw error
      return { status: 400, body: fault(error.message, '4000') }
    }
  }

  private answer(company: TestCompany, what: string, query: URLSearchParams): Record<string, unknown> {
    if (what === 'companyinfo') return { CompanyInfo: { CompanyName: company.name, Id: '1' } }
    if (what === 'query') return { QueryResponse: answerQuery(company, query.get('query') ?? '') }
    if (what !== 'cdc') throw new QueryFault(`Unsupported operation ${what}`)
    const entities = (query.get('entities') ?? '').split(',')
    return {
      CDCResponse: [
        { QueryResponse: answerChanges(company, entities, new Date(query.get('changedSince') ?? ''), this.clock()) },
      ],
    }
  }
}
