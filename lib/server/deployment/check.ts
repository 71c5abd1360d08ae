import { createHash } from 'node:crypto'
import type { Database } from '@/db/client'
import { findDemonstration, markProduction, productionMark } from '@/db/queries/deployment'
import type { Env } from '@/lib/core/env'
import { OperatorError } from '@/lib/core/errors'
import { DEMO_ADMIN } from '@/lib/core/service'

/** The error thrown when this process must not serve its database; the message says what to do. */
export class DeploymentRefused extends OperatorError {
  override name = 'DeploymentRefused'
}

const LOOPBACK = /^(localhost|.*\.localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/

type Reach = Pick<Env, 'production' | 'vercel' | 'host' | 'hosts' | 'publicUrl'>

/** Says why a server counts as public; undefined when only this machine reaches it, or in development. */
export function publicReason({ production, vercel, host, hosts, publicUrl }: Reach): string | undefined {
  if (vercel !== undefined && vercel !== 'production') return undefined
  if (!LOOPBACK.test(host) && vercel === undefined) return `it listens on ${host}, not only on loopback`
  if (!production) return undefined
  if (vercel === 'production') return 'it is a production deployment on Vercel'
  const named = [hosts.api, hosts.mcp, hosts.portal].find((name) => name !== undefined && !LOOPBACK.test(name))
  if (named) return `it has the public host name ${named}`
  const { hostname } = new URL(publicUrl)
  return LOOPBACK.test(hostname) ? undefined : `PUBLIC_URL is ${publicUrl}`
}

/** @throws DeploymentRefused when `npm run demo` would be reachable from the network */
export function requireLoopback({ host }: Pick<Env, 'host'>): void {
  if (LOOPBACK.test(host)) return
  throw new DeploymentRefused(
    `The demonstration is served on loopback only, but HOST is ${host}. Its keys and password are public examples. Leave HOST ` +
      'unset. To show it to others, put a proxy with its own sign-in in front of it.',
  )
}

const FIX =
  'Use a separate database (DATABASE_URL, or another PLUMBLINE_DATA_DIR) and create your contractors there with ' +
  '`npm run plumbline -- contractors create`. To look at the demonstration, use `npm run demo`; with `next start`, add -H localhost.'

/** @throws DeploymentRefused when a public server would serve the demonstration's data, keys, account or secrets */
async function refuseDemonstration(db: Database, settings: Env, demoSecrets: (string | undefined)[]): Promise<void> {
  const reason = publicReason(settings)
  if (reason === undefined) return
  const held = await findDemonstration(db, DEMO_ADMIN)
  if (held.length > 0)
    throw new DeploymentRefused(
      `This server is public (${reason}) and its database has demonstration data or test keys: ${held.join(', ')}. ` +
        `The demonstration's keys and password are public examples. ${FIX}`,
    )
  const used = [settings.authSecret, ...settings.tokenSecrets].filter((secret) => secret !== undefined)
  if (used.some((secret) => demoSecrets.includes(secret)))
    throw new DeploymentRefused(
      `This server is public (${reason}) and uses the demonstration's secrets. Create new ones with \`openssl rand -base64 48\` ` +
        'and set EXTERNAL_API_TOKEN_SECRET and BETTER_AUTH_SECRET to them.',
    )
}

/** Returns the same text for every way to reach a database: Neon's pooled and direct hosts lead to the same one. */
export function databaseAddress(databaseUrl: string): string {
  const { hostname, pathname } = new URL(databaseUrl)
  return createHash('sha256')
    .update(`${hostname.toLowerCase().replace('-pooler.', '.')}${pathname}`)
    .digest('hex')
}

/**
 * A production deployment on Vercel stores its database's address in the database. A preview that finds its own address there is
 * sharing it. A branch of the database has another address, and passes.
 * @throws DeploymentRefused when a preview was given the production database
 */
async function refuseSharedDatabase(db: Database, { vercel, databaseUrl }: Env): Promise<void> {
  if (databaseUrl === undefined || (vercel !== 'production' && vercel !== 'preview')) return
  const address = databaseAddress(databaseUrl)
  const isMarked = (await productionMark(db)) === address
  if (vercel === 'production' && !isMarked) await markProduction(db, address)
  if (vercel === 'preview' && isMarked)
    throw new DeploymentRefused(
      'This is a preview that uses the production database. In the settings of the Vercel project, give the Preview environment another ' +
        'database: a branch of the database for each preview, or an empty one.',
    )
}

/**
 * Checks that this process may serve a database.
 * @param demoSecrets the secrets that the demonstration created on this machine
 * @throws DeploymentRefused with the reason and what to do
 */
export async function requireDeployable(
  db: Database,
  settings: Env,
  demoSecrets: (string | undefined)[],
): Promise<void> {
  await refuseSharedDatabase(db, settings)
  await refuseDemonstration(db, settings, demoSecrets)
}
