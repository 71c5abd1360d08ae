import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { env } from '@/lib/core/env'
import { shared } from '@/lib/core/shared'
import { newNonce } from '@/lib/http/page-policy'
import { LANGUAGE_COOKIE, languageOf } from '@/lib/portal/language'
import { THEME_COOKIE, themeOf } from '@/lib/portal/theme'

/** The first segments of all paths that Next knows: of its routes, as its build lists them, and of `public`. Undefined without a build. */
function firstSegments(root: string): Set<string> | undefined {
  const manifest = join(root, '.next', 'routes-manifest.json')
  if (!existsSync(manifest)) return undefined
  const { staticRoutes, dynamicRoutes }: Record<string, { page: string }[]> = JSON.parse(readFileSync(manifest, 'utf8'))
  const routes = [...(staticRoutes ?? []), ...(dynamicRoutes ?? [])].map(({ page }) => page.split('/')[1] ?? '')
  // A route whose first segment is a parameter matches anything.
  return routes.some((segment) => segment.startsWith('['))
    ? undefined
    : new Set([...routes, ...readdirSync(join(root, 'public'))])
}

/** Returns a function that tells whether a path surely has no page, which is true for most of what scanners ask for. */
export function unknownPages(root: string): (path: string) => boolean {
  const known = firstSegments(root)
  return (path) => {
    const first = /^\/([\w.~-]+)(?:[/?]|$)/.exec(path)?.[1]
    return known !== undefined && first !== undefined && !known.has(first)
  }
}

/** Tells whether a path surely has no page in this build. In development pages come and go. */
const isUnknownPage = shared<(path: string) => boolean>('unknownPage', () =>
  env().production ? unknownPages(/* turbopackIgnore: true */ process.cwd()) : () => false,
)

/** A rendered page: its status and headers, and its text and policy split where the script nonce stood. */
export type CachedPage = { status: number; headers: OutgoingHttpHeaders; policy: string[]; text: string[] }

const cache = shared<LRUCache<string, CachedPage>>('pages', () => new LRUCache({ max: 200, ttl: 60_000 }))

/** Pages that look the same to everyone who is not signed in. */
const PUBLIC = /^\/(sign-in|status|mcp\/console|developers\/api(\/[a-z_]{1,40})?|developers\/guides(\/[\w-]{1,80})?)?$/

/** Stands for all paths without a page, so that scanners make Next render one page and not one for each path. */
const MISSING = '/page-not-found'

/**
 * The pattern of crawlers. Next serves them another document (its metadata is in the head), so a page is rendered once for crawlers and
 * once for readers.
 */
const CRAWLER =
  /bot|google|lighthouse|slurp|spider|yandex|sogou|preview|facebook|whatsapp|yeti|archiver|tumblr|share|skype/i
const AGENTS = { crawler: 'Bingbot', reader: '' }

/** Headers that ask Next for something other than the page. */
const UNCACHED_HEADERS = ['rsc', 'next-action', 'next-router-state-tree', 'next-router-prefetch', 'next-url', 'range']

/** Headers that belong to a connection or to one response, not to the page. */
const PER_RESPONSE = ['date', 'connection', 'keep-alive', 'transfer-encoding', 'content-length', 'content-encoding']

const compress = promisify(gzip)

/** Returns the cache key of the page that a request asks for; undefined when the page is rendered for this visitor only. */
export function pageKey({ method, url = '/', headers }: IncomingMessage): string | undefined {
  const page = PUBLIC.test(url) ? url : isUnknownPage()(url) ? MISSING : undefined
  if ((method !== 'GET' && method !== 'HEAD') || page === undefined) return undefined
  if (UNCACHED_HEADERS.some((name) => headers[name] !== undefined)) return undefined
  const looks = looksOf(headers.cookie)
  if (!looks) return undefined
  return [page, ...looks, CRAWLER.test(headers['user-agent'] ?? '') ? 'crawler' : 'reader'].join(' ')
}

/** Returns the theme and language from a visitor's cookies; undefined when there are other cookies, such as a session. */
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

/** Returns the nonce in a page's content security policy. */
const nonceOf = (policy: unknown) => (typeof policy === 'string' ? /'nonce-([^']+)'/.exec(policy)?.[1] : undefined)

function keep(key: string, response: ServerResponse, text: string): void {
  const headers = response.getHeaders()
  const nonce = nonceOf(headers['content-security-policy'])
  // Other answers than these are not kept, so made-up paths cannot fill the memory.
  const isExpected = response.statusCode === (key.startsWith(MISSING) ? 404 : 200)
  const isPage = isExpected && String(headers['content-type']).startsWith('text/html')
  if (!isPage || !nonce || headers['set-cookie'] || headers['content-encoding']) return
  for (const name of PER_RESPONSE) delete headers[name]
  const policy = String(headers['content-security-policy']).split(nonce)
  cache().set(key, { status: response.statusCode, headers: { ...headers }, policy, text: text.split(nonce) })
}

/** Renders a page in a form that every visitor may get, and caches it once it was sent completely. */
export function cachePage(key: string, request: IncomingMessage, response: ServerResponse): void {
  if (request.method !== 'GET') return
  if (key.startsWith(MISSING)) request.url = MISSING
  request.headers['user-agent'] = key.endsWith('crawler') ? AGENTS.crawler : AGENTS.reader
  // The cache holds text; each response is compressed if its client accepts that.
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

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, policy, text }: CachedPage,
) {
  // Each response gets a fresh nonce, which nobody can guess.
  const nonce = newNonce()
  const page = Buffer.from(text.join(nonce))
  const zips = /\bgzip\b/.test(String(request.headers['accept-encoding']))
  const body = zips ? await compress(page, { level: constants.Z_BEST_SPEED }) : page
  response.writeHead(status, {
    ...headers,
    'content-security-policy': policy.join(nonce),
    ...(zips ? { 'content-encoding': 'gzip' } : {}),
    'content-length': body.length,
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}

/** Answers with the cached page of a key; returns false when there is none. */
export function answerCached(key: string | undefined, request: IncomingMessage, response: ServerResponse): boolean {
  const kept = key === undefined ? undefined : cache().get(key)
  if (!kept) return false
  answer(request, response, kept).catch(() => response.destroy())
  return true
}
