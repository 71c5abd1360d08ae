import { createHash } from 'node:crypto'
import type { Database } from '@/db/client'
import { findDemonstration, markProduction, productionMark } from '@/db/queries/deployment'
import type { Env } from '@/lib/core/env'

/** Who administers the demonstration contractors; the domain is reserved for examples (RFC 2606). */
export const DEMO_ADMIN = 'admin@plumbline.example'

/** This process must not serve what it was given; the message says what to do. */
export class DeploymentRefused extends Error {
  override name = 'DeploymentRefused'
}

const LOOPBACK = /^(localhost|.*\.localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/

type Reach = Pick<Env, 'production' | 'vercel' | 'host' | 'hosts' | 'publicUrl'>

/** How others than this machine reach a server, in words; undefined when nobody else does. A development server has no public name. */
export function publicBy({ production, vercel, host, hosts, publicUrl }: Reach): string | undefined {
  if (vercel !== undefined && vercel !== 'production') return undefined
  if (!LOOPBACK.test(host) && vercel === undefined) return `it listens on ${host}, not on loopback alone`
  if (!production) return undefined
  if (vercel === 'production') return 'it is a production deployment on Vercel'
  const named = [hosts.api, hosts.mcp, hosts.portal].find((name) => name !== undefined && !LOOPBACK.test(name))
  if (named) return `it is reached as ${named}`
  const { hostname } = new URL(publicUrl)
  return LOOPBACK.test(hostname) ? undefined : `PUBLIC_URL is ${publicUrl}`
}

/** @throws DeploymentRefused when the demonstration's own command would show it to the network */
export function requireLoopback({ host }: Pick<Env, 'host'>): void {
  if (LOOPBACK.test(host)) return
  throw new DeploymentRefused(
    `The demonstration is served on loopback alone, and HOST is ${host}: its keys and password were made to be shown around. Leave HOST ` +
      'out. To show it to others, put a proxy with a sign-in of its own in front.',
  )
}

const FIX =
  'Give it a database of its own (DATABASE_URL, or another PLUMBLINE_DATA_DIR) and make your contractors there with ' +
  '`npm run plumbline -- contractors create`. To look at the demonstration, use `npm run demo`; under `next start` name the address with -H localhost.'

/** @throws DeploymentRefused when a public server would serve the demonstration's data, keys, account or secrets */
async function refuseDemonstration(db: Database, settings: Env, demoSecrets: (string | undefined)[]): Promise<void> {
  const reason = publicBy(settings)
  if (reason === undefined) return
  const held = await findDemonstration(db.orm, DEMO_ADMIN)
  if (held.length > 0)
    throw new DeploymentRefused(
      `This server is public (${reason}) and its database holds the demonstration or keys for tests: ${held.join(', ')}. ` +
        `Their keys and password were made to be shown around. ${FIX}`,
    )
  const used = [settings.authSecret, ...settings.tokenSecrets].filter((secret) => secret !== undefined)
  if (used.some((secret) => demoSecrets.includes(secret)))
    throw new DeploymentRefused(
      `This server is public (${reason}) and signs with the demonstration's secrets. Make new ones with \`openssl rand -base64 48\` ` +
        'and set EXTERNAL_API_TOKEN_SECRET and BETTER_AUTH_SECRET to them.',
    )
}

/** Identifies a database however it is reached: Neon's pooled and direct hosts lead to the same one. */
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
async function keepPreviewsApart(db: Database, { vercel, databaseUrl }: Env): Promise<void> {
  if (databaseUrl === undefined || (vercel !== 'production' && vercel !== 'preview')) return
  const address = databaseAddress(databaseUrl)
  const isMarked = (await productionMark(db.orm)) === address
  if (vercel === 'production' && !isMarked) await markProduction(db.orm, address)
  if (vercel === 'preview' && isMarked)
    throw new DeploymentRefused(
      'This is a preview, and it was given the production database. Set the database of the Preview environment in the settings of the ' +
        'project on Vercel to another one: a branch of the database for each preview, or an empty one.',
    )
}

/**
 * What must hold before a database is served.
 * @param demoSecrets those that the demonstration made on this machine
 * @throws DeploymentRefused with the reason and what to do
 */
export async function requireDeployable(
  db: Database,
  settings: Env,
  demoSecrets: (string | undefined)[],
): Promise<void> {
  await keepPreviewsApart(db, settings)
  await refuseDemonstration(db, settings, demoSecrets)
}
