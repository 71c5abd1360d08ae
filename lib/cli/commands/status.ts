import type { Command } from 'commander'
import { serviceOperator } from '@/lib/auth/actor'
import type { DatabaseDriver } from '@/lib/core/database-settings'
import { env } from '@/lib/core/env'
import { ServiceError } from '@/lib/core/errors'
import { sourcesFolderFault } from '@/lib/core/sources-folder'
import { listContractors } from '@/lib/operations/contractors/contractors'
import { execute } from '@/lib/operations/execute'
import { demoUrls, readDemoFile } from '../demo-file'
import { type Io, writeJson } from '../io'

async function isUp(url: string): Promise<string> {
  try {
    const { status }: { status?: string } = await (
      await fetch(`${url}/health`, { signal: AbortSignal.timeout(2_000) })
    ).json()
    return status ?? 'answers, but not as Plumbline'
  } catch {
    return 'does not answer'
  }
}

const DATABASES = {
  pglite: (dataDir: string) => `embedded, ${dataDir}`,
  pg: () => 'Postgres',
  vercel: () => 'Postgres through @vercel/postgres',
} satisfies Record<DatabaseDriver, (dataDir: string) => string>

async function status(io: Io, options: { json?: boolean }): Promise<void> {
  const settings = env()
  const demo = readDemoFile(settings.dataDir)
  if (options.json) {
    if (!demo)
      throw new ServiceError('not_found', 'There is no demonstration in this data directory. `npm run demo` makes it.')
    return writeJson(io, demo)
  }
  const urls = demo ?? demoUrls(settings)
  const { items } = await execute(listContractors, { actor: serviceOperator(), now: new Date() }, {})
  io.out(`server      ${urls.portalUrl}  ${await isUp(urls.portalUrl)}\n`)
  io.out(`database    ${DATABASES[settings.databaseDriver](settings.dataDir)}\n`)
  io.out(`contractors ${items.map(({ slug }) => slug).join(', ') || 'none; `contractors create` makes one'}\n`)
  const folder = sourcesFolderFault(settings)
  if (folder) io.out(`sources     ${folder}\n`)
}

/** Adds `status [--json]`. */
export function statusCommand(program: Command, io: Io): void {
  program
    .command('status')
    .description('whether the server is up, and what it serves')
    .option('--json', 'what the demonstration printed, as JSON')
    .action((options) => status(io, options))
}
