#!/usr/bin/env node
// The one-machine server: Node's HTTP server with our limits, over what `next build` made. Its route files answer the API, Next its pages;
// `--demo` serves the demonstration.
import { existsSync, readFileSync } from 'node:fs'
import module, { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'

const root = dirname(fileURLToPath(import.meta.url))
const built = join(root, '.next')
const require = createRequire(import.meta.url)
const read = (...path) => JSON.parse(readFileSync(join(built, ...path), 'utf8'))

if (!existsSync(join(built, 'BUILD_ID'))) {
  console.error('There is no build yet. Run `npm run build` first.')
  process.exit(1)
}
process.chdir(root)
// V8 places what it once saw survive directly in old memory: requests that came while the process was busy teach it so of all later ones. Each
// then keeps everything it refers to until a full collection (docs/performance/agents.md).
setFlagsFromString('--no-allocation-site-pretenuring')
process.env.NODE_ENV ||= 'production'
// Node 22 and later keep compiled code for the next start. Beside the build and not in a folder for everybody, where others could write it.
module.enableCompileCache?.(join(built, 'compiled'))
// What Next's compiled files expect of the process.
require('next/dist/server/node-environment')

const userland = (file) => async () => require(join(built, 'server', file)).routeModule.userland
const routes = Object.entries(read('server', 'app-paths-manifest.json')).map(([page, file]) => [page, userland(file)])

/**
 * Starts Next's own server, for pages. It reads the settings that the build stored, as a standalone build does, instead of compiling them
 * again.
 */
async function pages(hostname, port) {
  process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(read('required-server-files.json').config)
  const app = require('next')({ dev: false, hostname, port, dir: root })
  await app.prepare()
  return app.getRequestHandler()
}

const { serve } = require(join(built, 'server', 'instrumentation.js'))
await serve({ routes: Object.fromEntries(routes), pages })
