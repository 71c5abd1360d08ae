import { connect } from 'node:net'
import { type Home, kindOf, makeHome } from './running'
import { stockOf } from './stock'

/** What answers at a port of this machine, until it is ended. */
export type Listener = { port: number; end(): unknown }

const DRIVER = process.env.PLUMBLINE_WITHOUT_POSTGRES === '1' ? 'pglite' : 'pg'
const KEY = 'KEY'
const LEAD_KEY = 'LEAD-KEY'

type Asked = { line: string; headers?: Record<string, string>; body?: string }
const json = { 'content-type': 'application/json' }
const keyed = { 'x-api-key': KEY }
const agent = { ...keyed, ...json, accept: 'application/json, text/event-stream' }
const rpc = (method: string, params: object = {}) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
const initialize = rpc('initialize', {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'contract', version: '1' },
})
const lead = { firstName: 'Ana', lastName: 'Lopez', phone: '(615) 555-0142', leadSource: 'Google Ads' }

/** The requests sent to both listeners, in this order. */
export const REQUESTS: Record<string, Asked> = {
  'a list': { line: 'GET /api/v1/invoices?limit=2', headers: keyed },
  'a list by its root-relative name': { line: 'GET /invoices?limit=2', headers: keyed },
  'a list with a filter': { line: 'GET /api/v1/invoices?status=overdue&limit=1', headers: keyed },
  'a list as HEAD': { line: 'HEAD /api/v1/customers?limit=1', headers: keyed },
  'a list by Bearer': { line: 'GET /api/v1/projects?limit=1', headers: { authorization: `Bearer ${KEY}` } },
  'a list with a bad limit': { line: 'GET /api/v1/payments?limit=0', headers: keyed },
  'a list with a parameter of another': { line: 'GET /api/v1/metadata?limit=2', headers: keyed },
  'a list with a forged page token': { line: 'GET /api/v1/invoices?pageToken=abc', headers: keyed },
  'a list of another contractor': {
    line: 'GET /api/v1/invoices?contractorId=ctr_01ARZ3NDEKTSV4RRFFQ69G5FAV',
    headers: keyed,
  },
  'a record that is not there': { line: 'GET /api/v1/invoices/inv_none_1', headers: keyed },
  'a checksum': { line: 'GET /api/v1/estimates/checksum', headers: keyed },
  'an export': { line: 'GET /api/v1/export/payments', headers: keyed },
  'the changes': { line: 'GET /api/v1/changes?limit=1', headers: keyed },
  metadata: { line: 'GET /api/v1/metadata', headers: keyed },
  'the description': { line: 'GET /api/v1/openapi' },
  'the description by its root-relative name': { line: 'GET /openapi' },
  'no key': { line: 'GET /api/v1/invoices' },
  'a misshapen key': { line: 'GET /api/v1/invoices', headers: { 'x-api-key': 'plb_live_x' } },
  'two keys': { line: 'GET /api/v1/invoices', headers: { ...keyed, authorization: `Bearer ${LEAD_KEY}` } },
  'a key without the scope': { line: 'GET /api/v1/invoices', headers: { 'x-api-key': LEAD_KEY } },
  'a wrong method': { line: 'DELETE /api/v1/invoices', headers: keyed },
  'the methods of a path': { line: 'OPTIONS /api/v1/invoices', headers: keyed },
  'a method that overrides': {
    line: 'GET /api/v1/invoices?limit=1',
    headers: { ...keyed, 'x-http-method-override': 'DELETE' },
  },
  'an unknown path': { line: 'GET /api/v1/nothing', headers: keyed },
  'an unknown path without a key': { line: 'POST /api/v2/invoices' },
  'a resource that is not there': { line: 'GET /api/v1/orders/1', headers: keyed },
  'an export of nothing': { line: 'GET /api/v1/export/orders', headers: keyed },
  'a slash at the end': { line: 'GET /api/v1/invoices/', headers: keyed },
  'a path in capitals': { line: 'GET /API/v1/invoices', headers: keyed },
  'a path with a dot': { line: 'GET /api/v1/invoices.json', headers: keyed },
  'a path for the router': { line: 'GET /api/v1/invoices.rsc', headers: { ...keyed, rsc: '1' } },
  'headers of the framework': {
    line: 'GET /api/v1/invoices',
    headers: {
      'x-middleware-subrequest': 'middleware:middleware:middleware:middleware:middleware',
      'x-invoke-path': '/health',
      'x-matched-path': '/health',
      'next-action': 'x',
    },
  },
  'a lead': {
    line: 'POST /api/webhooks/leads/inbound',
    headers: { ...json, 'x-api-key': LEAD_KEY },
    body: JSON.stringify({ ...lead, externalId: 'same' }),
  },
  'a lead once more': {
    line: 'POST /api/webhooks/leads/inbound',
    headers: { ...json, 'x-api-key': LEAD_KEY },
    body: JSON.stringify({ ...lead, externalId: 'same' }),
  },
  'a lead without a name': {
    line: 'POST /api/webhooks/leads/inbound',
    headers: { ...json, 'x-api-key': LEAD_KEY },
    body: JSON.stringify({ phone: lead.phone }),
  },
  'a lead with a key that only reads': {
    line: 'POST /api/webhooks/leads/inbound',
    headers: { ...json, ...keyed },
    body: JSON.stringify(lead),
  },
  'a lead that is no JSON': {
    line: 'POST /api/webhooks/leads/inbound',
    headers: { ...json, 'x-api-key': LEAD_KEY },
    body: '{"firstName":',
  },
  'a lead as text': {
    line: 'POST /api/webhooks/leads/inbound',
    headers: { 'content-type': 'text/plain', 'x-api-key': LEAD_KEY },
    body: 'Ana',
  },
  'a lead too large': {
    line: 'POST /api/webhooks/leads/inbound',
    headers: { ...json, 'x-api-key': LEAD_KEY },
    body: JSON.stringify({ ...lead, notes: 'x'.repeat(70_000) }),
  },
  'a lead without a key': { line: 'POST /api/webhooks/leads/inbound', headers: json, body: JSON.stringify(lead) },
  'a lead of a sender that is not known': {
    line: 'POST /api/webhooks/leads/nobody',
    headers: { ...json, 'x-api-key': LEAD_KEY },
    body: '{}',
  },
  'a session without a key': { line: 'POST /mcp', headers: { ...json, accept: agent.accept }, body: initialize },
  'a session': { line: 'POST /mcp', headers: agent, body: initialize },
  'a session for JSON alone': {
    line: 'POST /mcp',
    headers: { ...agent, accept: 'application/json' },
    body: initialize,
  },
  'a message without its session': { line: 'POST /mcp', headers: agent, body: rpc('tools/list') },
  'a session that is not there': {
    line: 'POST /mcp',
    headers: { ...agent, 'mcp-session-id': 'none', 'mcp-protocol-version': '2025-06-18' },
    body: rpc('tools/list'),
  },
  'a session ended that is not there': {
    line: 'DELETE /mcp',
    headers: { ...keyed, 'mcp-session-id': 'none', 'mcp-protocol-version': '2025-06-18' },
  },
  'a page of another site': {
    line: 'POST /mcp',
    headers: { ...agent, origin: 'https://evil.example' },
    body: initialize,
  },
  'the tools, without a session': { line: 'POST /mcp/rpc', headers: { ...keyed, ...json }, body: rpc('tools/list') },
  'a call, without a session': {
    line: 'POST /mcp/rpc',
    headers: { ...keyed, ...json },
    body: rpc('tools/call', { name: 'list_customers', arguments: { limit: 1 } }),
  },
  'a call of nothing': {
    line: 'POST /mcp/rpc',
    headers: { ...keyed, ...json },
    body: rpc('tools/call', { name: 'nothing', arguments: {} }),
  },
  'no JSON-RPC': { line: 'POST /mcp/rpc', headers: { ...keyed, ...json }, body: '[]' },
  'the former transport': { line: 'GET /mcp/sse' },
  'the server’s information': { line: 'GET /', headers: { accept: 'application/json' } },
  'the catalog of tools': { line: 'GET /mcp/tools.json' },
  discovery: { line: 'GET /mcp/.well-known/mcp-server.json' },
  'the crawlers’ rules': { line: 'GET /robots.txt' },
  'the site map': { line: 'GET /sitemap.xml' },
  'a guide as Markdown': { line: 'GET /developers/guides/quick-start.md' },
  'a guide that is not there': { line: 'GET /developers/guides/nothing.md' },
  'metrics without a token': { line: 'GET /metrics' },
  'a scheduler’s call without its secret': { line: 'GET /api/internal/retention' },
  'a token of nobody': {
    line: 'POST /oauth2/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=authorization_code&code=x&client_id=nobody',
  },
  'two slashes': { line: 'GET //api/v1/invoices', headers: keyed },
  'an encoded path': { line: 'GET /%61pi/v1/invoices', headers: keyed },
  'an encoded slash': { line: 'GET /api%2fv1/invoices', headers: keyed },
  'a NUL in the path': { line: 'GET /api/v1/invoices/%00', headers: keyed },
  'a method that is none of ours': { line: 'TRACE /api/v1/invoices', headers: keyed },
}

/** Headers of a connection, of one answer, of the platform's own compression, and the one by which Next tells itself where it was led. */
const OF_ONE =
  /^(x-middleware-rewrite|date|connection|keep-alive|transfer-encoding|content-length|vary|x-request-id|x-ratelimit-.*|ratelimit.*|mcp-session-id|content-encoding)$/

export type ContractAnswer = { status: number; headers: Record<string, string>; body: string }

/** Sends a request as bytes, so that nothing on the way corrects it, and reads the answer to the connection's end. */
function send(
  running: Listener,
  { line, headers = {}, body }: Asked,
  keys: Record<string, string>,
): Promise<ContractAnswer> {
  const all = {
    host: `localhost:${running.port}`,
    connection: 'close',
    ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
    ...headers,
  }
  const text = [`${line} HTTP/1.1`, ...Object.entries(all).map(([name, value]) => `${name}: ${value}`), '', body ?? '']
    .join('\r\n')
    .replaceAll(new RegExp(`\\b(${LEAD_KEY}|${KEY})\\b`, 'g'), (name) => keys[name] ?? name)
  return new Promise((done, fail) => {
    const parts: Buffer[] = []
    const socket = connect(running.port, 'localhost', () => socket.write(text))
    socket.on('data', (part) => parts.push(part)).on('error', fail)
    socket.on('close', () => done(answerOf(Buffer.concat(parts))))
  })
}

/** Joins the parts of a chunked body. */
function unchunked(body: string): string {
  let [rest, whole] = [body, '']
  for (;;) {
    const at = rest.indexOf('\r\n')
    const size = Number.parseInt(rest.slice(0, at), 16)
    if (!(size > 0)) return whole
    whole += rest.slice(at + 2, at + 2 + size)
    rest = rest.slice(at + 4 + size)
  }
}

function answerOf(bytes: Buffer): ContractAnswer {
  // One character a byte, so that the sizes of chunks count.
  const [head = '', ...rest] = bytes.toString('latin1').split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const body = rest.join('\r\n\r\n')
  return {
    status: Number(first.split(' ')[1] ?? 0),
    headers,
    body: headers['transfer-encoding'] === 'chunked' ? unchunked(body) : body,
  }
}

/** An answer without what is new in each: ids, moments, the day of the build, positions, tokens, and the address of the server. */
function alike({ status, headers, body }: ContractAnswer, { port }: Listener): ContractAnswer {
  const kept = Object.entries(headers).filter(([name]) => !OF_ONE.test(name))
  const steady = (text: string) =>
    text
      .replaceAll(`localhost:${port}`, 'localhost:PORT')
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UUID')
      .replaceAll(/eyJ[\w-]{20,}\.[\w-]{20,}/g, 'TOKEN')
      .replaceAll(/"(nextCursor|updated_at|updatedAt|timestamp|asOf|dataAsOf)":\s*"[^"]*"/g, '"$1":"…"')
      .replaceAll(/(<lastmod>)[\d-]{10}/g, '$1…')
      .replaceAll(/"(uptime_seconds|active_sessions)":\s*\d+/g, '"$1":0')
      .replaceAll(/(W\/)?"[\w-]{20,}"/g, 'ETAG')
  const tidy = Object.fromEntries(kept.map(([name, value]) => [name, steady(value)]).sort())
  return { status, headers: tidy, body: steady(body) }
}

/**
 * Returns the answers of a listener, over a copy of the same data, with the same secrets, to everything in the same order.
 * @param start starts it on a home
 */
export async function answersOf(
  start: (home: Home, limits: Record<string, string>) => Promise<Listener>,
): Promise<Record<string, ContractAnswer>> {
  const home = await makeHome(DRIVER, 'stocked')
  const { key, leadKey } = stockOf(kindOf(DRIVER))
  const limits = Object.fromEntries(
    ['DATA_API', 'LEADS', 'MCP', 'OAUTH'].map((name) => [`RATE_LIMIT_${name}`, '100000']),
  )
  const running = await start(home, limits)
  const answers: Record<string, ContractAnswer> = {}
  for (const [title, asked] of Object.entries(REQUESTS))
    answers[title] = alike(await send(running, asked, { [KEY]: key, [LEAD_KEY]: leadKey }), running)
  await running.end()
  await home.remove()
  return answers
}
