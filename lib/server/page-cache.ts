import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { newNonce } from '@/lib/http/page-policy'
import { LANGUAGE_COOKIE, languageOf } from '@/lib/portal/language'
import { THEME_COOKIE, themeOf } from '@/lib/portal/theme'
import { part } from '@/lib/runtime/runtime'

/** A page as it was made once: its headers, and its text cut where the nonce of its scripts stood. */
export type KeptPage = { headers: OutgoingHttpHeaders; policy: string[]; text: string[] }

const cache = part('pages', () => new LRUCache({ max: 200, ttl: 60_000 }))

/** Pages that everybody who is not signed in sees alike. Only what is there (200) is kept, so that names cannot fill the memory. */
const PUBLIC = /^\/(sign-in|status|mcp\/console|developers\/api(\/[a-z_]{1,40})?|developers\/guides(\/[\w-]{1,80})?)?$/

/** Next serves crawlers another document (its metadata is in the head); each kind is made for one name. */
const CRAWLER =
  /bot|google|lighthouse|slurp|spider|yandex|sogou|preview|facebook|whatsapp|yeti|archiver|tumblr|share|skype/i
const AGENTS = { crawler: 'Bingbot', reader: '' }

/** Headers by which a request asks Next for something else than the page. */
const OTHERWISE = ['rsc', 'next-action', 'next-router-state-tree', 'next-router-prefetch', 'next-url', 'range']

/** Of a connection or of one answer, not of the page. */
const OF_THE_ANSWER = ['date', 'connection', 'keep-alive', 'transfer-encoding', 'content-length', 'content-encoding']

const compress = promisify(gzip)

/** Under what the page that a request asks for is kept; undefined where it is made for this one visitor. */
export function pageKey({ method, url = '/', headers }: IncomingMessage): string | undefined {
  if ((method !== 'GET' && method !== 'HEAD') || !PUBLIC.test(url)) return undefined
  if (OTHERWISE.some((name) => headers[name] !== undefined)) return undefined
  const looks = looksOf(headers.cookie)
  if (!looks) return undefined
  return [url, ...looks, CRAWLER.test(headers['user-agent'] ?? '') ? 'crawler' : 'reader'].join(' ')
}

/** The theme and the language a visitor's cookies choose; undefined where they say anything else, such as who it is. */
function looksOf(cookie = ''): string[] | undefined {
  const given = new Map<string, string>()
  for (const pair of cookie.split(';').filter((part) => part.trim() !== '')) {
    const [name = '', value = ''] = pair.trim().split('=')
    given.set(name, value)
  }
  const theme = themeOf(given.get(THEME_COOKIE))
  const language = languageOf(given.get(LANGUAGE_COOKIE)) ?? ''
  given.delete(THEME_COOKIE)
  given.delete(LANGUAGE_COOKIE)
  return given.size === 0 ? [theme, language] : undefined
}

/** The nonce of a page's policy. */
const nonceOf = (policy: unknown) => (typeof policy === 'string' ? /'nonce-([^']+)'/.exec(policy)?.[1] : undefined)

function keep(key: string, response: ServerResponse, text: string): void {
  const headers = response.getHeaders()
  const nonce = nonceOf(headers['content-security-policy'])
  const isPage = response.statusCode === 200 && String(headers['content-type']).startsWith('text/html')
  if (!isPage || !nonce || headers['set-cookie'] || headers['content-encoding']) return
  for (const name of OF_THE_ANSWER) delete headers[name]
  const policy = String(headers['content-security-policy']).split(nonce)
  cache().set(key, { headers: { ...headers }, policy, text: text.split(nonce) })
}

/** Lets a page be made so that it is everybody's, and keeps it once it was answered whole. */
export function keepPage(key: string, request: IncomingMessage, response: ServerResponse): void {
  if (request.method !== 'GET') return
  request.headers['user-agent'] = key.endsWith('crawler') ? AGENTS.crawler : AGENTS.reader
  // Kept as text; whoever is given it later has it compressed for them.
  delete request.headers['accept-encoding']
  const parts: Buffer[] = []
  const take = (chunk: unknown) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) parts.push(Buffer.from(chunk))
  }
  const { write, end } = response
  response.write = (...given: unknown[]) => {
    take(given[0])
    return Reflect.apply(write, response, given)
  }
  response.end = (...given: unknown[]) => {
    take(given[0])
    keep(key, response, Buffer.concat(parts).toString())
    return Reflect.apply(end, response, given)
  }
}

async function answer(request: IncomingMessage, response: ServerResponse, { headers, policy, text }: KeptPage) {
  // Scripts run by the nonce of this answer, which nobody could know before.
  const nonce = newNonce()
  const page = Buffer.from(text.join(nonce))
  const zips = /\bgzip\b/.test(String(request.headers['accept-encoding']))
  const body = zips ? await compress(page, { level: constants.Z_BEST_SPEED }) : page
  response.writeHead(200, {
    ...headers,
    'content-security-policy': policy.join(nonce),
    ...(zips ? { 'content-encoding': 'gzip' } : {}),
    'content-length': body.length,
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}

/** Answers with the page that is kept under a key; false when there is none. */
export function answerKept(key: string | undefined, request: IncomingMessage, response: ServerResponse): boolean {
  const kept = key === undefined ? undefined : cache().get(key)
  if (!kept) return false
  answer(request, response, kept).catch(() => response.destroy())
  return true
}
