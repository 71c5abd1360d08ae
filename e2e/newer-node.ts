import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The current long-term release of Node, from npm's `node` package: some clients need a newer Node than the service does. */
export const NEWER_NODE = join(process.cwd(), 'e2e/clients/node_modules/node/bin/node')

/** Has that Node keep what it compiled: most of the time of the clients' short programs is loading their packages. */
export const COMPILED = { NODE_COMPILE_CACHE: join(tmpdir(), 'plumbline-compiled') }
