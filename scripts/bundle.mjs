// `npm run build:server`, also a part of `npm run build`: bundles the server and the command line into JavaScript with source maps,
// in dist/.
import { createHash } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { build } from 'esbuild'
import { tsImport } from 'tsx/esm/api'
import { root } from './ready.mjs'

/**
 * Packages that Next and the server share in one process, that need their own files (native, WASM), or that patch other packages.
 */
const FROM_NODE_MODULES = [
  'next',
  'react',
  'react-dom',
  '@electric-sql/pglite',
  '@vercel/postgres',
  'pg',
  'pino',
  'prom-client',
  'ssh2',
  '@opentelemetry/*',
  '@vercel/otel',
]

/** Some packages are CommonJS and ask for Node's own modules by `require`, which an ES module does not have. */
const REQUIRE = `import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);`

const TARGET = 'node20.19'

/** Zod's messages in fifty languages, a quarter of a megabyte that each start would read. Nothing asks for them: errors are ours, in English. */
const ZOD_IN_ENGLISH = {
  name: 'zod-in-english',
  setup: (own) =>
    own.onLoad({ filter: /zod\/v4\/(core\/index|(classic|mini)\/external)\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      const contents = text.replace(/export \* as locales from .*/, '')
      if (contents === text) throw new Error(`${path} has no line of its languages`)
      return { contents, loader: 'js' }
    }),
}

const THREAD = 'lib/knowledge/retrieval/readers/thread.ts'

const { writePlaces } = await tsImport('./places.ts', import.meta.url)
const { buildViews } = await tsImport('./views.ts', import.meta.url)
const outdir = join(root, 'dist')
rmSync(outdir, { recursive: true, force: true })
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: {
    server: 'server.ts',
    cli: 'lib/cli/main.ts',
    next: 'lib/server/next-early.ts',
    thread: THREAD,
  },
  outdir,
  bundle: true,
  // Each import() becomes its own file, loaded on first use.
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  format: 'esm',
  platform: 'node',
  target: TARGET,
  minifyWhitespace: true,
  minifySyntax: true,
  sourcemap: true,
  sourcesContent: false,
  banner: { js: REQUIRE },
  external: FROM_NODE_MODULES,
  plugins: [ZOD_IN_ENGLISH],
  // Somebody who does ask.
  logOverride: { 'import-is-undefined': 'error' },
  metafile: true,
  logLevel: 'warning',
})

/** The files that an entry loads when it begins: its own and all that they import. */
function loadedBy(source) {
  const entry = Object.keys(metafile.outputs).find((path) => metafile.outputs[path].entryPoint === source)
  const found = new Set([entry])
  for (const path of found)
    for (const { path: other, kind, external } of metafile.outputs[path].imports)
      if (kind === 'import-statement' && !external) found.add(other)
  return [...found]
}

/**
 * Makes one file of the chunks that a start loads, because Node takes longer to find and link 74 files than to read them. What other
 * chunks import from them stays where it was, exported once more.
 */
async function joinChunks(paths) {
  const folder = join(outdir, 'chunks')
  const names = paths.map((path) => `./${basename(path)}`)
  const exported = paths.map((path, i) => metafile.outputs[path].exports.map((name) => [name, `of${i}_${name}`]))
  const again = (pairs, from) => `export {${pairs.map(([name, as]) => `${name} as ${as}`).join(',')}} from '${from}'\n`
  const stays = ({ path, kind }) =>
    kind === 'dynamic-import' || !names.includes(path) ? { path, external: true } : undefined
  await build({
    stdin: { contents: names.map((name, i) => again(exported[i], name)).join(''), resolveDir: folder },
    outfile: join(folder, 'start.js'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: TARGET,
    minifyWhitespace: true,
    minifySyntax: true,
    sourcemap: true,
    sourcesContent: false,
    packages: 'external',
    plugins: [{ name: 'stays', setup: (own) => own.onResolve({ filter: /^\./ }, stays) }],
    logLevel: 'warning',
  })
  for (const [i, path] of paths.entries()) {
    rmSync(`${join(root, path)}.map`)
    const swapped = exported[i].map(([name, as]) => [as, name])
    writeFileSync(join(root, path), again(swapped, './start.js'))
  }
}

// A thread that reads a document would load the server with them.
const ofThread = loadedBy(THREAD)
const joined = loadedBy('lib/server/serve.ts').filter((path) => !ofThread.includes(path))
await joinChunks(joined)
const written = Object.keys(metafile.outputs).filter((path) => path.endsWith('.js') && !joined.includes(path))
for (const path of [...written, 'dist/chunks/start.js']) writePlaces(join(root, path))

/** The bundled sources with their hashes, so that bin/built.mjs can check whether the bundle is current. */
const ours = Object.keys(metafile.inputs).filter((path) => !path.includes('node_modules'))
const sources = new Set([...ours, ...(await buildViews())])
const hashes = [...sources].map((path) => [
  path,
  createHash('sha256')
    .update(readFileSync(join(root, path)))
    .digest('hex'),
])
writeFileSync(join(outdir, 'sources.json'), JSON.stringify(Object.fromEntries(hashes)))
