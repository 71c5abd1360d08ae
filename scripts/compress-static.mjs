// A part of `npm run build`, after Next's: compresses what `.next/static` holds once, so that the server (lib/server/static-files.ts) never does
// for a request. Files of `public/` are pictures, or texts that fit into a packet as they are.
import { readdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { root } from './ready.mjs'

/** The least size; shorter texts fit one packet as they are. */
const LEAST_BYTES = 1_400

const CODINGS = [
  ['.br', promisify(brotliCompress), { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }],
  ['.gz', promisify(gzip), { level: constants.Z_BEST_COMPRESSION }],
]

async function compress(file) {
  const bytes = await readFile(file)
  if (bytes.length < LEAST_BYTES) return
  for (const [ending, work, options] of CODINGS) {
    const smaller = await work(bytes, options)
    if (smaller.length < bytes.length) await writeFile(file + ending, smaller)
  }
}

// Vercel serves these files itself, and compresses them.
if (!process.env.VERCEL) {
  const folder = join(root, '.next', 'static')
  const texts = readdirSync(folder, { recursive: true }).filter((name) => /\.(css|js|json|map|svg|txt)$/.test(name))
  await Promise.all(texts.map((name) => compress(join(folder, name))))
}
