// A part of `npm run build` and `npm run dev`, before Next's: makes what Next cannot, in dist/. A thread that reads documents, and the views of MCP
// Apps.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { tsImport } from 'tsx/esm/api'
import { root } from './ready.mjs'

/** The definition of `require`, which an ES module does not have, for CommonJS packages that ask for Node's own modules by it. */
const REQUIRE = `import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);`

const { writePlaces } = await tsImport('./places.ts', import.meta.url)
const { buildViews } = await tsImport('./views.ts', import.meta.url)
const outdir = join(root, 'dist')
rmSync(outdir, { recursive: true, force: true })
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: { thread: 'lib/knowledge/retrieval/readers/thread.ts' },
  outdir,
  bundle: true,
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
  external: ['pino'],
  // Somebody asks for a name that is not there.
  logOverride: { 'import-is-undefined': 'error' },
  metafile: true,
  logLevel: 'warning',
})
for (const path of Object.keys(metafile.outputs)) if (path.endsWith('.js')) writePlaces(join(root, path))
await buildViews()
