/**
 * A function as Vercel starts it, in the folder of a built app: Next's server without its router, which the platform is. The launcher that the
 * platform packs does the same.
 */
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const dir = process.cwd()
const require = createRequire(join(dir, 'package.json'))
const { config: conf } = require('./.next/required-server-files.json')
const { default: NextServer } = require('next/dist/server/next-server')
// Where the platform says how work behind an answer is waited for.
globalThis[Symbol.for('@next/request-context')] = { get: () => ({ waitUntil: (work) => void work.catch(() => {}) }) }
const handle = new NextServer({ conf, dir, minimalMode: true, customServer: false }).getRequestHandler()
createServer((request, response) => void handle(request, response)).listen(Number(process.env.PORT), 'localhost')
