#!/usr/bin/env node
// The command line as `next build` compiled it. Paths that a command is given are meant from where it was typed.
import { existsSync } from 'node:fs'
import module, { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const built = join(root, '.next')

if (!existsSync(join(built, 'BUILD_ID'))) {
  console.error('There is no build yet. Run `npm run build` first.')
  process.exit(1)
}
process.env.PLUMBLINE_CWD = process.cwd()
process.chdir(root)
process.env.NODE_ENV ||= 'production'
// Node 22 and later keep compiled code for the next command.
module.enableCompileCache?.(join(built, 'compiled'))
const { command } = createRequire(import.meta.url)(join(built, 'server', 'instrumentation.js'))
await command()
