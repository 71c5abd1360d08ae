import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Patch } from './patch'

export const PATCH: Patch = {
  package: 'next',
  version: '16.4.6',
  what: 'How a production server finds its configuration: Next compiles next.config.ts again at every start, with a compiler of 35 MB that nothing else needs. The build stored the result, and a standalone build reads it from this variable.',
  upstream: 'https://github.com/vercel/next.js/pull/83982',
  removeWhen: 'Next starts from the configuration it built with, or takes one through an option of its function.',
}

/** Lets Next start from the configuration that the last build in `root` stored; without one Next reads next.config.ts. */
export function startFromBuiltConfig(root: string): void {
  const stored = join(root, '.next', 'required-server-files.json')
  if (!existsSync(stored)) return
  const { config } = JSON.parse(readFileSync(stored, 'utf8'))
  process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(config)
}
