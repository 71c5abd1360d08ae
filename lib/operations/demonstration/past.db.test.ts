import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, shareDatabase } from '@/db/client'
import { operatorFor, serviceOperator } from '@/lib/auth/actor'
import { createContractor } from '@/lib/operations/contractors/contractors'
import { openTestDatabase } from '@/lib/testing/database'
import { makeTenant } from '@/lib/testing/tenant'
import { execute } from '../execute'
import { createKey } from '../keys/create-key'
import { getUsage } from '../requests/usage'
import { writeDemoPast } from './past'
import { pastChecks, pastRequests } from './past-requests'

const NOW = new Date('2026-11-24T15:30:00.000Z')
const DAY_MS = 86_400_000

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const keys = { integration: 'key_a', leadSource: 'key_b', agent: 'key_c' }

test('a month of requests: each hour a sync, in office hours tools, now and then a fault, in the order of their ids', () => {
  const { kinds, lines } = pastRequests({ contractorId: 'con_1', keys, now: NOW })
  expect(lines.length).toBeGreaterThan(30 * 24 * 5)
  const ids = lines.toSorted((a, b) => a.at - b.at).map(({ id }) => id.slice(0, 13))
  expect(ids).toEqual(ids.toSorted())
  expect(Math.min(...lines.map(({ at }) => at))).toBeGreaterThanOrEqual(NOW.getTime() - 31 * DAY_MS)
  expect(Math.max(...lines.map(({ at }) => at))).toBeLessThan(NOW.getTime())
  expect(new Set(kinds.map(({ status }) => status))).toEqual(new Set([200, 201, 400, 404, 429]))
  for (const { user_agent } of kinds) expect(user_agent).toContain('(demonstration)')
})

test('a month of checks has one hour with a fault', () => {
  const faulty = pastChecks(NOW).filter(({ faults }) => faults > 0)
  expect(faulty.map(({ part }) => part)).toEqual(['service', 'database'])
})

test('only a demonstration has a past', async () => {
  const { operator } = await makeTenant(db)
  await expect(execute(writeDemoPast, { actor: operator, now: NOW }, keys)).rejects.toThrow('demonstration')
  const made = { name: 'Past Roofing', demo: true, timezone: 'America/Chicago', currency: 'USD' }
  const { id } = await execute(createContractor, { actor: serviceOperator(), now: NOW }, made)
  const actor = operatorFor(id)
  const key = async () => (await execute(createKey, { actor, now: NOW }, { name: 'k', preset: 'agent' })).id
  const own = { integration: await key(), leadSource: await key(), agent: await key() }
  const { requests } = await execute(writeDemoPast, { actor, now: NOW }, own)
  const from = new Date(NOW.getTime() - 31 * DAY_MS).toISOString()
  const { total } = await execute(getUsage, { actor, now: NOW }, { from })
  expect(total.requests).toBe(requests)
})
