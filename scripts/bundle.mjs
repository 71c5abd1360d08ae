// `npm run build:server`, also a part of `npm run build`: bundles the server and the command line into JavaScript with source maps,
// in dist/.
import { createHash } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
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

const { writePlaces } = await tsImport('./places.ts', import.meta.url)
const { buildViews } = await tsImport('./views.ts', import.meta.url)
const outdir = join(root, 'dist')
rmSync(outdir, { recursive: true, force: true })
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: {
    server: 'server.ts',
    cli: 'lib/cli/main.ts',
    thread: 'lib/knowledge/retrieval/readers/thread.ts',
  },
  outdir,
  bundle: true,
  // Each import() becomes its own file, loaded on first use.
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  minifyWhitespace: true,
  minifySyntax: true,
  sourcemap: true,
  sourcesContent: false,
  banner: { js: REQUIRE },
  external: FROM_NODE_MODULES,
  metafile: true,
  logLevel: 'warning',
})

for (const path of Object.keys(metafile.outputs)) if (path.endsWith('.js')) writePlaces(join(root, path))

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
