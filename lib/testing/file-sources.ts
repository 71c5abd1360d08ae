import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { sql } from 'drizzle-orm'
import type { Database } from '@/db/client'
import { listenOnFreePort } from '@/lib/core/listen'
import { publicLookup } from '@/lib/core/public-address'
import { execute } from '@/lib/operations/execute'
import { createSource } from '@/lib/operations/sources/create-source'
import { listSourceRuns } from '@/lib/operations/sources/list-sources'
import type { Reaching } from '@/lib/operations/sources/runs/runners'
import { runSources } from '@/lib/operations/sources/runs/worker'
import { makeMember } from '@/lib/testing/people'
import { call, makeTenant } from '@/lib/testing/tenant'
import { TEST_CERTIFICATE } from './private-keys'

/** Resolves every name to this machine, as the internet would to another; private names stay refused. */
export const here = (): Reaching => ({
  stillMs: 50,
  connecting: {
    ca: TEST_CERTIFICATE.cert,
    lookup: publicLookup(
      () => true,
      (_host, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
    ),
  },
})

/** Resolves every name to this machine, where the service itself finds out that it is private. */
export const inside = (): Reaching => ({
  connecting: {
    lookup: publicLookup(undefined, (_host, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }])),
  },
})

/** A contractor with an administrator, and what they do with sources. */
export async function makeOffice(db: Database) {
  const { contractor, key } = await makeTenant(db)
  const actor = await makeMember(db, contractor.id)
  const { text } = await key()
  // What earlier tests left does not run in between.
  await db.orm.execute(sql`update scheduled_sources set state = 'paused', paused_at = now() where state = 'active'`)
  const ctx = () => ({ actor, now: new Date() })
  return {
    contractor,
    actor,
    ctx,
    key: text,
    items: async (list: string) => (await call(`/api/v1/${list}?limit=100`, { key: text })).body.items,
    create: (
      given: Omit<Parameters<typeof execute<typeof createSource.input, typeof createSource.output>>[2], never>,
    ) => execute(createSource, ctx(), given),
    runs: async (id: string) => (await execute(listSourceRuns, ctx(), { id })).items,
    /** Runs what is due at a moment. */
    run: (reaching: Reaching = here(), now = new Date()) => runSources({ reaching, clock: () => now }),
  }
}

/** A server of files behind `https://hook.example.com`. */
export async function serveFiles(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(TEST_CERTIFICATE, answer)
  const port = await listenOnFreePort(server)
  return { url: (path: string) => `https://hook.example.com:${port}${path}`, close: () => server.close() }
}
