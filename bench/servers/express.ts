/**
 * Runs (c) a typical Express service with Drizzle and `express-rate-limit`: rows are read, mapped and serialized in Node, with the same key
 * check.
 */
import express from 'express'
import { rateLimit } from 'express-rate-limit'
import { openDatabase, shareDatabase } from '@/db/client'
import { authenticate } from '@/lib/auth/authenticate'
import { requireScopes } from '@/lib/auth/require'
import { env } from '@/lib/core/env'
import { firstPage } from './invoices'

const db = await openDatabase(env())
shareDatabase(db)
const app = express()
app.use(rateLimit({ windowMs: 60_000, limit: env().limits.dataApi, standardHeaders: false, legacyHeaders: true }))
app.get('/api/v1/invoices', async (request, response) => {
  const actor = await authenticate(new Headers({ 'x-api-key': request.get('x-api-key') ?? '' }))
  requireScopes(actor, ['read:invoices'], 'operation')
  response.json({ apiVersion: 'v1', items: await firstPage(db, actor.contractorId, 50), nextPageToken: null })
})
app.listen(env().port, '127.0.0.1')
