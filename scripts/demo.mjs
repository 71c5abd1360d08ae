// `npm run demo`: from a fresh clone to a running service with data and keys.
import { spawn } from 'node:child_process'
import { requireBuild, requireDependencies, requireNode, root } from './ready.mjs'

requireNode()
requireDependencies()
requireBuild()

const server = spawn(
  process.execPath,
  ['--max-semi-space-size=32', '--min-semi-space-size=32', '--import', 'tsx', 'server.ts', '--demo'],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'production' },
  },
)
// Ctrl-C reaches both processes by itself; SIGTERM is passed on, and the end of the server is the end of this.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => server.kill('SIGTERM'))
server.on('exit', (code) => process.exit(code ?? 1))
