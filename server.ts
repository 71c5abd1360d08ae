import { existsSync } from 'node:fs'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { closeDatabase, DirectoryLocked } from '@/db/client'
import { bootDatabase, claimEntry } from '@/lib/boot'
import { demoWelcome, prepareDemo } from '@/lib/cli/demo'
import { provideSecrets } from '@/lib/cli/demo-file'
import { type Env, EnvError, env, loadEnv } from '@/lib/core/env'
import { DeploymentRefused } from '@/lib/deployment/check'
import { endpoints } from '@/lib/endpoints'
import { createPlumblineServer, refuseUpgrades } from '@/lib/http/server'
import { requestsLogged } from '@/lib/telemetry/request-log'

const DEV = process.argv.includes('--dev')
const DEMO = process.argv.includes('--demo')

/** How long requests in flight may take to end once the server is told to stop. */
const DRAIN_MS = 8_000
const LAST_WRITE_MS = 1_500

/** An end the operator can mend: told in one sentence, without a stack. */
class StartError extends Error {}

function listen(server: Server, { port, host }: Env): Promise<void> {
  return new Promise((done, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = `Port ${port} is in use by another program. Stop it, or choose another port: PORT=${port + 1} npm ${DEMO ? 'run demo' : 'start'}`
      const reasons: Record<string, string> = {
        EADDRINUSE: taken,
        EACCES: `Port ${port} needs rights this user does not have. Choose one above 1023 with PORT.`,
        EADDRNOTAVAIL: `This machine has no address ${host}. Set HOST to one it has, such as 127.0.0.1.`,
      }
      fail(new StartError(reasons[error.code ?? ''] ?? error.message))
    })
    server.listen(port, host, done)
  })
}

async function startPages({ port, host }: Env, server: Server) {
  if (!DEV && !existsSync('.next/BUILD_ID')) throw new StartError('There is no build yet. Run `npm run build` first.')
  const { default: next } = await import('next')
  const app = next({ dev: DEV, hostname: host, port })
  await app.prepare()
  if (DEV) server.on('upgrade', app.getUpgradeHandler())
  return app.getRequestHandler()
}

/** What the request log still holds is written before the end, unless the database does not take it. */
async function writeOutLog(): Promise<void> {
  const tooLate = new Promise<void>((done) => setTimeout(done, LAST_WRITE_MS).unref())
  await Promise.race([requestsLogged(), tooLate])
}

function stopOn(server: Server): void {
  let stopping = false
  const stop = () => {
    if (stopping) process.exit(1)
    stopping = true
    const forced = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
    server.close(async () => {
      clearTimeout(forced)
      await writeOutLog()
      await closeDatabase()
      process.exit(0)
    })
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

async function main(): Promise<void> {
  Object.assign(process.env, { NODE_ENV: DEV ? 'development' : (process.env.NODE_ENV ?? 'production') })
  if (DEMO) provideSecrets(loadEnv().dataDir)
  const settings = env()
  claimEntry()
  let pages: (request: IncomingMessage, response: ServerResponse) => unknown
  let isReady = () => {}
  const ready = new Promise<void>((done) => {
    isReady = done
  })
  const server = createPlumblineServer(
    endpoints,
    async (request, response) => {
      await ready
      return pages(request, response)
    },
    settings,
  )
  if (!DEV) refuseUpgrades(server)
  await listen(server, settings)
  stopOn(server)
  await bootDatabase({ demonstration: DEMO })
  const welcome = DEMO
    ? demoWelcome(await prepareDemo(settings), settings.dataDir)
    : `Plumbline answers at ${settings.publicUrl}\n`
  pages = await startPages(settings, server)
  isReady()
  process.stdout.write(welcome)
}

main().catch((error) => {
  const known = [StartError, EnvError, DirectoryLocked, DeploymentRefused].some((kind) => error instanceof kind)
  console.error(known ? error.message : error)
  process.exit(1)
})
