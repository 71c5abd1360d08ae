import { createHash, randomBytes } from 'node:crypto'
import * as z from 'zod'
import { database, type Orm, withinContractor } from '@/db/client'
import { forgetOthers, recordsOfOthers } from '@/db/queries/connector-links'
import {
  type Connection,
  consumeConnectAttempt,
  findConnection,
  putAttempt,
  putConnection,
} from '@/db/queries/connectors'
import { signedInOf } from '@/lib/auth/actor'
import { audit } from '@/lib/auth/audit'
import { type Connector, ConnectorFault, callbackOf, type Session } from '@/lib/connectors/connector'
import { kickConnectors } from '@/lib/connectors/driver'
import { CONNECTORS, isOffered } from '@/lib/connectors/registry'
import { storedTokens } from '@/lib/connectors/tokens'
import { ServiceError } from '@/lib/core/errors'
import { stopping } from '@/lib/core/stopping'
import { RESOURCES } from '@/lib/resources/registry'
import { defineOperation } from '../define'
import { ConnectorInput } from './fields'

/** The time that a person may take at the vendor. */
const ATTEMPT_MS = 15 * 60_000

const hashOf = (state: string, browser: string) =>
  createHash('sha256')
    .update(JSON.stringify([state, browser]))
    .digest('hex')

/** @throws ServiceError `conflict` while settings are missing */
function requireOffered(connector: Connector): void {
  if (isOffered(connector)) return
  throw new ServiceError(
    'conflict',
    `${connector.title} cannot be connected here yet: whoever runs this service must set ${connector.missing().join(', ')}.`,
  )
}

/** Begins to connect: what comes back is for this person, this contractor and this browser, once. */
export const beginConnector = defineOperation({
  name: 'begin_connector',
  title: 'Begin to connect other software',
  description:
    'Returns where a person allows the connection at the vendor. It works once, for fifteen minutes, in the same browser.',
  access: 'admin',
  effect: 'write',
  proof: 'recent',
  input: z.object({ connector: ConnectorInput }).strict(),
  output: z.object({ url: z.string(), browser: z.string().describe('Kept in a cookie of the browser that began') }),
  example: { url: 'https://appcenter.intuit.com/connect/oauth2', browser: 'a secret' },
  run: async ({ actor, now }, { connector: name }) => {
    const connector = CONNECTORS[name]
    requireOffered(connector)
    const { personId, contractorId } = signedInOf(actor)
    const [state, browser] = [randomBytes(24).toString('base64url'), randomBytes(24).toString('base64url')]
    const expiresAt = new Date(now.getTime() + ATTEMPT_MS)
    await withinContractor((await database()).orm, contractorId, (orm) =>
      putAttempt(orm, { hash: hashOf(state, browser), contractorId, connector: name, personId, expiresAt }),
    )
    return { url: connector.authorizeUrl({ state, redirect: callbackOf(name) }), browser }
  },
})

const STALE =
  'This link is over: it works once, for fifteen minutes, and in the browser in which connecting began. Nothing was connected. Begin again.'

/** Returns where a new connection begins to read: where the one before stopped, if it was to the same books. */
function startOf(before: Connection | undefined, company: string, environment: string, now: Date): Partial<Connection> {
  if (before && before.company === company && before.environment === environment)
    return {
      mode: before.mode,
      cursor: before.cursor,
      since: before.since,
      generation: before.generation,
      syncedAt: before.syncedAt,
    }
  return {
    mode: 'full',
    cursor: null,
    since: null,
    syncedAt: null,
    generation: (before?.generation ?? 0) + 1,
    nextAt: now,
  }
}

/**
 * Refuses the books of another company while records of the first are here: two companies' sums would be one.
 * @throws ServiceError `conflict` that names both
 */
async function requireOwnBooks(
  orm: Orm,
  { title }: Connector,
  before: Connection | undefined,
  granted: { contractorId: string; connector: string; company: string; companyName: string | null },
): Promise<void> {
  if (!before || before.company === granted.company) return
  const others = await recordsOfOthers(
    orm,
    granted,
    RESOURCES.map(({ name, source: { table } }) => [name, table] as const),
  )
  if (others.length === 0) return await forgetOthers(orm, granted)
  const nameOf = (company: string) => (company === before.company && before.companyName) || `company ${company}`
  const [wanted, stored] = [
    granted.companyName ?? `company ${granted.company}`,
    others.map(({ company }) => nameOf(company)),
  ]
  const n = others.reduce((sum, each) => sum + each.n, 0).toLocaleString('en-US')
  throw new ServiceError(
    'conflict',
    `${wanted} was not connected, because ${n} records here come from ${stored.join(' and ')} and two companies’ books are not mixed. ` +
      `Connect ${title} again and choose ${stored[0]}; or remove its records on this page first; or create another contractor for ${wanted}. ` +
      'Nothing was changed.',
  )
}

/** @throws ServiceError in the words of a connector's fault */
const inWords = (fault: unknown): never => {
  if (fault instanceof ConnectorFault) throw new ServiceError('conflict', `${fault.message} Nothing was connected.`)
  throw fault
}

/** Ends connecting: takes what the vendor sent back, and begins to read. */
export const finishConnector = defineOperation({
  name: 'finish_connector',
  title: 'Connect other software',
  description: 'Takes what the vendor sent back with the person, stores the tokens sealed, and begins to read.',
  access: 'admin',
  effect: 'write',
  input: z
    .object({
      connector: ConnectorInput,
      query: z.string().max(4_000).describe('The query that the vendor sent'),
      browser: z.string().max(200).describe('From the cookie of the browser that began'),
    })
    .strict(),
  output: z.object({ company: z.string(), companyName: z.string().nullable() }),
  example: { company: '4620816365', companyName: 'Whitfield Roofing' },
  run: async ({ actor, now }, { connector: name, query, browser }) => {
    const connector = CONNECTORS[name]
    requireOffered(connector)
    const person = signedInOf(actor)
    const { personId, contractorId } = person
    const { orm } = await database()
    const sent = new URLSearchParams(query)
    const attempt = await consumeConnectAttempt(orm, hashOf(sent.get('state') ?? '', browser), now)
    if (attempt?.contractorId !== contractorId || attempt.personId !== personId || attempt.connector !== name)
      throw new ServiceError('conflict', STALE)
    const granted = connector.granted(sent)
    if (!granted)
      throw new ServiceError(
        'conflict',
        `${connector.title} was not connected, because it was not allowed there. Nothing was changed.`,
      )
    const { code, company } = granted
    const tokens = await connector.exchange({ code, redirect: callbackOf(name) }).catch(inWords)
    const session: Session = { company, signal: stopping(), token: async () => tokens.access, names: new Map() }
    const companyName = await connector.companyName(session).catch(inWords)
    const key = { contractorId, connector: name }
    const environment = connector.environment()
    await withinContractor(orm, contractorId, async (tx) => {
      const before = await findConnection(tx, key)
      await requireOwnBooks(tx, connector, before, { ...key, company, companyName })
      await putConnection(tx, {
        mode: 'full',
        ...key,
        ...startOf(before, company, environment, now),
        ...storedTokens(tokens, now),
        tokenVersion: (before?.tokenVersion ?? 0) + 1,
        refreshingUntil: null,
        company,
        companyName,
        environment,
        state: 'connected',
        stateAt: now,
        nextAt: now,
        throttledUntil: null,
        failures: 0,
        failingAt: null,
        error: null,
        runId: null,
        leaseId: null,
        leaseUntil: null,
        connectedBy: person.name,
        connectedAt: now,
      })
      await audit(tx, person, {
        event: 'connector_connected',
        subject: connector.title,
        detail: { company, companyName },
        told: `${companyName ?? company} in ${connector.title}`,
      })
    })
    kickConnectors()
    return { company, companyName }
  },
})
