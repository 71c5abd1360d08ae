// A part of `npm run build`, after Next's: Next leaves the excluded files of its configuration out of what pages and routes pack, but not out of what
// the instrumentation and the middleware do, and every function packs the instrumentation's too.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { root } from './ready.mjs'

const picomatch = createRequire(import.meta.url)('next/dist/compiled/picomatch')
const next = join(root, '.next')
const read = (path) => JSON.parse(readFileSync(path, 'utf8'))

const { outputFileTracingExcludes } = read(join(next, 'required-server-files.json')).config
const isExcluded = picomatch(
  outputFileTracingExcludes['/*'].map((pattern) => join(root, pattern)),
  { dot: true },
)
for (const name of ['instrumentation', 'middleware']) {
  const path = join(next, 'server', `${name}.js.nft.json`)
  if (!existsSync(path)) continue
  const trace = read(path)
  const files = trace.files.filter((file) => !isExcluded(resolve(dirname(path), file)))
  writeFileSync(path, JSON.stringify({ ...trace, files }))
}
