/** Runs (b) a typical Fastify service with Drizzle: rows are read, mapped and serialized in Node, with the same key and limit checks. */
import Fastify from 'fastify'
import { openDatabase, shareDatabase } from '@/db/client'
import { authenticate } from '@/lib/auth/authenticate'
import { requireScopes } from '@/lib/auth/require'
import { env } from '@/lib/core/env'
import { consumeLocalLimit } from '@/lib/limits/limiter'
import { firstPage } from './invoices'

const db = await openDatabase(env())
shareDatabase(db)
const app = Fastify()
app.get('/api/v1/invoices', async (request, reply) => {
  const verdict = consumeLocalLimit('dataApi', 'invoices', request.ip)
  reply.headers({
    'x-ratelimit-limit': verdict.limit,
    'x-ratelimit-remaining': verdict.remaining,
    'x-ratelimit-reset': Math.ceil(verdict.resetAt / 1000),
  })
  const actor = await authenticate(new Headers({ 'x-api-key': String(request.headers['x-api-key']) }))
  requireScopes(actor, ['read:invoices'], 'operation')
  return { apiVersion: 'v1', items: await firstPage(db, actor.contractorId, 50), nextPageToken: null }
})
await app.listen({ port: env().port, host: '127.0.0.1' })
