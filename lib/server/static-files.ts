import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join, sep } from 'node:path'
import { env } from '@/lib/core/env'
import { later } from '@/lib/core/later'
import { shared } from '@/lib/core/shared'
import { Answer } from '@/lib/http/answer'
import { takesCoding, VARIES } from '@/lib/http/compress'
import { isHeld } from '@/lib/http/etag'
import { headerOf } from './address'
import { send } from './refuse'

/** The compressions of the build (scripts/compress-static.mjs), the best first, and what a file in each is called. */
const CODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.ico': 'image/x-icon',
  '.iif': 'text/plain; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}

/** The bytes of a file as it is sent, with their ETag. */
type Bytes = { bytes: Buffer<ArrayBuffer>; etag: string }
type Variant = { coding: (typeof CODINGS)[number][0] | undefined; read(): Promise<Bytes> }
/** A file that never changes under its name may be kept for ever; the name of the other is the same after each build. */
export type StaticFile = { type: string; cacheControl: string; variants: Variant[] }

const KEPT = { forever: 'public, max-age=31536000, immutable', shortly: 'public, max-age=300' }

/** Reads a file once; all of them together are a few megabytes, and every reader is sent the same bytes. */
const reader = (file: string) =>
  later(async (): Promise<Bytes> => {
    const bytes = await readFile(/* turbopackIgnore: true */ file)
    return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"` }
  })

const isCompressed = (name: string) => CODINGS.some(([, ending]) => name.endsWith(ending))

/** The files below a folder by the path that they are asked for. */
function* filesIn(folder: string, at: string, cacheControl: string): Generator<[string, StaticFile]> {
  if (!existsSync(folder)) return
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
  const all = new Set(names)
  for (const name of names) {
    const type = TYPES[extname(name)]
    if (isCompressed(name) || type === undefined) continue
    const compressed = CODINGS.filter(([, ending]) => all.has(name + ending))
    const variants = [
      ...compressed.map(([coding, ending]) => ({ coding, read: reader(name + ending) })),
      { coding: undefined, read: reader(name) },
    ]
    yield [at + name.slice(folder.length).split(sep).join('/'), { type, cacheControl, variants }]
  }
}

/** Returns every file of a build and of `public/`; none in development, where they come and go. */
export function staticFiles(root: string): Map<string, StaticFile> {
  return new Map([
    ...filesIn(join(root, '.next', 'static'), '/_next/static', KEPT.forever),
    ...filesIn(join(root, 'public'), '', KEPT.shortly),
  ])
}

const found = shared<Map<string, StaticFile>>('staticFiles', () =>
  env().production ? staticFiles(/* turbopackIgnore: true */ process.cwd()) : new Map(),
)

async function answer(file: StaticFile, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const accepted = headerOf(request, 'accept-encoding')
  const variant = file.variants.find(({ coding }) => coding === undefined || takesCoding(accepted, coding))
  if (!variant) throw new Error('a file is there as it is')
  const { bytes, etag } = await variant.read()
  const answer = new Answer(request.method ?? 'GET')
  answer.add({ 'content-type': file.type, 'cache-control': file.cacheControl, vary: VARIES, etag })
  if (variant.coding !== undefined) answer.add({ 'content-encoding': variant.coding })
  if (isHeld(headerOf(request, 'if-none-match'), etag)) return send(response, answer.empty(304))
  answer.add({ 'content-length': String(bytes.length) })
  const body = request.method === 'HEAD' ? null : bytes
  send(response, { status: 200, headers: answer.headers, body })
}

/** Answers with a file of the build or of `public/`, as it was compressed by the build; returns false when the path is none. */
export function serveStatic(path: string, request: IncomingMessage, response: ServerResponse): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  const file = found().get(path)
  if (!file) return false
  answer(file, request, response).catch(() => response.destroy())
  return true
}
