import { vi } from 'vitest'
import type { Database } from '@/db/client'
import { findConnection, putConnection } from '@/db/queries/connectors'
import { runConnectors } from '@/lib/connectors/due'
import { CONNECTORS } from '@/lib/connectors/registry'
import { storedTokens } from '@/lib/connectors/tokens'
import { forgetRuntime } from '@/lib/testing/runtime'
import { TEST_APP } from './oauth'
import { TEST_VERIFIER, type TestQuickBooks } from './server'

const REDIRECT = 'https://portal.example.com/data/quickbooks/callback'

/** The settings under which people can connect to a server of the tests. */
const settingsFor = ({ url }: TestQuickBooks): Record<string, string> => ({
  QUICKBOOKS_CLIENT_ID: TEST_APP.clientId,
  QUICKBOOKS_CLIENT_SECRET: TEST_APP.clientSecret,
  QUICKBOOKS_WEBHOOK_VERIFIER: TEST_VERIFIER,
  QUICKBOOKS_TEST_URL: url,
})

/** Makes this process one where people can connect to a server of the tests. */
export function useServer(server: TestQuickBooks): void {
  for (const [name, value] of Object.entries(settingsFor(server))) vi.stubEnv(name, value)
  forgetRuntime()
}

/** A clock that tests set. */
export class TestClock {
  at = new Date('2026-11-20T12:00:00Z')
  now = () => new Date(this.at)
  pass(milliseconds: number) {
    this.at = new Date(this.at.getTime() + milliseconds)
  }
}

/** Connects a contractor to a company of the server, as the portal does. */
export async function connectTo(
  db: Database,
  server: TestQuickBooks,
  clock: TestClock,
  contractorId: string,
  realm: string,
) {
  server.company(realm)
  const connector = CONNECTORS.quickbooks
  const back = server.allow(connector.authorizeUrl({ state: 's', redirect: REDIRECT }), realm)
  const tokens = await connector.exchange({ code: back.searchParams.get('code') ?? '', redirect: REDIRECT })
  const now = clock.now()
  const key = { contractorId, connector: 'quickbooks' }
  await putConnection(db.orm, {
    ...key,
    ...storedTokens(tokens, now),
    company: realm,
    environment: 'production',
    state: 'connected',
    stateAt: now,
    mode: 'full',
    nextAt: now,
    connectedBy: 'Ana Ruiz',
    connectedAt: now,
  })
  const connection = async () => {
    const found = await findConnection(db.orm, key)
    if (!found) throw new Error('it was just made')
    return found
  }
  /** Runs what is due now. */
  const run = (options: { turnMs?: number; signal?: AbortSignal; budgetMs?: number } = {}) =>
    runConnectors({ clock: clock.now, ...options })
  /** Lets time pass until changes are asked for again, and asks. */
  const later = async (milliseconds = 16 * 60_000) => {
    clock.pass(milliseconds)
    return await run()
  }
  return { key, connection, run, later }
}
