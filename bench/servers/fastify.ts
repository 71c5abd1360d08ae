/** (b) A typical Fastify service: rows are read, mapped and serialized in Node, with the same key and limit checks. */
import Fastify from 'fastify'
import { openDatabase, shareDatabase } from '@/db/client'
import { authenticate } from '@/lib/auth/authenticate'
import { requireScopes } from '@/lib/auth/require-scope'
import { env } from '@/lib/core/env'
import { takeLocalLimit } from '@/lib/limits/limiter'
import { ROWS } from './sql'

type InvoiceRow = Record<
  'id' | 'project_id' | 'contractor_id' | 'customer_id' | 'number' | 'amount' | 'currency' | 'status',
  string
> &
  Record<'invoice_date' | 'due_date' | 'created_at' | 'updated_at', Date>

const db = await openDatabase(env())
shareDatabase(db)
const app = Fastify()
app.get('/api/v1/invoices', async (request, reply) => {
  const verdict = takeLocalLimit('dataApi', 'invoices', request.ip)
  reply.headers({
    'x-ratelimit-limit': verdict.limit,
    'x-ratelimit-remaining': verdict.remaining,
    'x-ratelimit-reset': Math.ceil(verdict.resetAt / 1000),
  })
  const actor = await authenticate(new Headers({ 'x-api-key': String(request.headers['x-api-key']) }))
  requireScopes(actor, ['read:invoices'], 'operation')
  const found = await db.run<InvoiceRow>({ name: 'rows', text: ROWS }, [actor.contractorId, 51])
  const items = found.slice(0, 50).map((row) => ({
    id: row.id,
    projectId: row.project_id,
    contractorId: row.contractor_id,
    customerId: row.customer_id,
    number: row.number,
    amount: Number(row.amount),
    currency: row.currency,
    date: row.invoice_date.toISOString(),
    dueDate: row.due_date.toISOString(),
    status: row.status,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }))
  return { apiVersion: 'v1', items, nextPageToken: null }
})
await app.listen({ port: env().port, host: '127.0.0.1' })
