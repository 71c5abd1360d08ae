// A part of `npm run build`, after Next's: Next leaves the excluded files of its configuration out of what pages and routes pack, but not out of what
// the instrumentation and the middleware do, and every function packs the instrumentation's too.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { tsImport } from 'tsx/esm/api'
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

// A path that only the running program knows makes the tracer pack the whole project into each function.
const packsAll = readdirSync(join(next, 'server/app'), { recursive: true })
  .filter((name) => name.endsWith('.nft.json'))
  .find((name) => readFileSync(join(next, 'server/app', name), 'utf8').includes('.spec.ts"'))
if (packsAll)
  console.error(
    `The function of ${packsAll.replace(/\.js\.nft\.json$/, '')} contains the whole project, tests too: a file is opened by a path that the build cannot know. The build's warning above names it; put /* turbopackIgnore: true */ before the path.`,
  )

// A fault is logged with the line of its source, from tables beside the compiled files of our own modules.
const { writePlaces } = await tsImport('./places.ts', import.meta.url)
for (const name of readdirSync(join(next, 'server/chunks'), { recursive: true })) {
  if (!name.endsWith('.js.map')) continue
  const map = join(next, 'server/chunks', name)
  if (/"(?:\.\.\/)+(?:app|db|lib|patches)\//.test(readFileSync(map, 'utf8'))) writePlaces(map.slice(0, -4))
}
