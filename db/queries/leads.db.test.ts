import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId, newRecordId } from '@/lib/core/ids'
import { openTestDatabase } from '@/lib/testing/database'
import { leadRow } from '@/lib/testing/lead-row'
import { makeTenant } from '@/lib/testing/tenant'
import { type Database, rows, shareDatabase } from '../client'
import { findOccurringWords } from './find'
import { type LeadRow, leadsText, receiveLeads } from './leads'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

type Sent = { key: number; name: string; email?: number; phone?: number; street?: number }

const rowOf = (contractorId: string, { key, name, email, phone, street }: Sent): LeadRow =>
  leadRow({
    lead_name: name,
    dedupe_key: `${contractorId}:inbound:${key}`,
    external_id: String(key),
    project_name: `Inquiry – ${name}`,
    customer_name: name,
    first_name: name,
    email: email === undefined ? undefined : `p${email}@example.com`,
    phone: phone === undefined ? undefined : `+1615555000${phone}`,
    phone_raw: phone === undefined ? undefined : `615 555-000${phone}`,
    address: street === undefined ? undefined : `${street} Oak Street`,
  })

/** Returns what a contractor has after some groups of leads: answers, and projects with their customers, by job number. */
async function storedAfter(groups: Sent[][]) {
  const { contractor } = await makeTenant(db)
  const answers = []
  for (const group of groups)
    for (const { jobNumber, created } of await receiveLeads(
      db,
      contractor.id,
      group.map((sent) => rowOf(contractor.id, sent)),
    ))
      answers.push({ jobNumber, created })
  const projects = await rows(
    db.orm,
    sql`select p.job_number, p.name as project, u.name, u.email, u.phone, u.phone_raw, u.address,
        min(p.job_number) over (partition by u.id)::int as first_of_customer
      from projects p join users u on u.id = p.customer_id where p.contractor_id = ${contractor.id} order by 1`,
  )
  const queued = await rows(
    db.orm,
    sql`select resource, change, count(*)::int as n from change_queue
      where contractor_id = ${contractor.id} and change = 'created' group by 1, 2 order by 1`,
  )
  return { contractorId: contractor.id, stored: { answers, projects, queued } }
}

const Lead = fc.record(
  {
    key: fc.nat(9),
    name: fc.constantFrom('Ana', 'Bo'),
    email: fc.nat(2),
    phone: fc.nat(2),
    street: fc.nat(2),
  },
  { requiredKeys: ['key', 'name'] },
)

test('leads that are stored together give the same as one after the other', { retry: 0 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(Lead, { minLength: 2, maxLength: 12 }), async (sent) => {
      const [together, apart] = [await storedAfter([sent]), await storedAfter(sent.map((each) => [each]))]
      expect(together.stored).toEqual(apart.stored)
    }),
    { numRuns: 25 },
  )
})

test('a later lead of a group fills what is blank at the customer of an earlier one', async () => {
  const { stored } = await storedAfter([
    [
      { key: 1, name: 'Ana', email: 1 },
      { key: 2, name: 'Bo', email: 1, phone: 2, street: 3 },
      { key: 3, name: 'Cy', phone: 2 },
    ],
  ])
  const ana = {
    name: 'Ana',
    email: 'p1@example.com',
    phone: '+16155550002',
    address: '3 Oak Street',
    first_of_customer: 1,
  }
  expect(stored.projects).toEqual([1, 2, 3].map((job_number) => expect.objectContaining({ ...ana, job_number })))
})

test('in the feed a group’s customers come before their projects, and each project once', async () => {
  const { contractorId } = await storedAfter([Array.from({ length: 5 }, (_, key) => ({ key, name: 'Ana' }))])
  const queued = await rows<{ resource: string }>(
    db.orm,
    sql`select resource from change_queue where contractor_id = ${contractorId} order by id`,
  )
  expect(queued.map(({ resource }) => resource)).toEqual([...Array(5).fill('customers'), ...Array(5).fill('projects')])
})

test('a group that meets a known person or lead numbers on from the last one', async () => {
  const { stored } = await storedAfter([
    [{ key: 1, name: 'Ana', email: 1 }],
    [
      { key: 2, name: 'Ana', email: 1 },
      { key: 3, name: 'Bo', phone: 1 },
      { key: 4, name: 'Cy' },
    ],
    [
      { key: 3, name: 'Bo', phone: 1 },
      { key: 5, name: 'Di' },
      { key: 6, name: 'Ed' },
    ],
    [7, 8, 9].map((key) => ({ key, name: 'Flo' })),
  ])
  expect(stored.answers.map(({ jobNumber, created }) => `${jobNumber} ${created}`)).toEqual([
    '1 true',
    '2 true',
    '3 true',
    '4 true',
    '3 false',
    ...[5, 6, 7, 8, 9].map((number) => `${number} true`),
  ])
})

test('what else a transaction stores after a group gets its own moment', async () => {
  const { contractor } = await makeTenant(db)
  await db.orm.transaction(async (tx) => {
    const group = [1, 2, 3].map((key) => rowOf(contractor.id, { key, name: 'Ana' }))
    await tx.execute(sql`select receive_leads(${contractor.id}, ${leadsText(group)}::lead_row[])`)
    await tx.execute(sql`insert into users (id, contractor_id, name, owns_project, updated_at)
      values (${newRecordId('cus')}, ${contractor.id}, 'Bo', true, '2001-01-01')`)
  })
  const [latest] = await rows<{ name: string; recent: boolean }>(
    db.orm,
    sql`select name, updated_at > now() - interval '1 hour' as recent from users where contractor_id = ${contractor.id}
      order by updated_at desc limit 1`,
  )
  expect(latest).toEqual({ name: 'Bo', recent: true })
})

test('the words of a new lead are found as soon as it is stored', async () => {
  const { contractorId } = await storedAfter([[{ key: 1, name: 'Zoë Čapek-O’Hara', street: 7 }]])
  const asked = ['zoe', 'capek', 'ohara', 'oak', 'inquiry', '7', 'o', 'hara']
  expect(await findOccurringWords(db, contractorId, asked)).toEqual(['zoe', 'capek', 'ohara', 'oak', 'inquiry', '7'])
})

test('every column of a lead arrives as it was sent, whatever signs its texts have', async () => {
  const odd = fc.string({ unit: fc.constantFrom('"', '\\', ',', '(', ')', '{', '}', ' ', '\n', 'n', 'é', '😀', "'") })
  const text = (name: string) => odd.map((signs) => `${name}${signs}`)
  const texts = Object.keys(rowOf('con_x', { key: 1, name: 'Ana' })).filter(
    (name) => !['bytes', 'created_status', 'received_at', 'mapping'].includes(name),
  )
  const row = fc.tuple(...texts.map((name) => fc.option(text(name), { nil: undefined }))).map(
    (values): LeadRow => ({
      ...rowOf('con_x', { key: 1, name: 'Ana' }),
      ...Object.fromEntries(texts.map((name, i) => [name, values[i]])),
      mapping: JSON.stringify({ name: values[0] ?? null }),
    }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 3 }), async (leads) => {
      const arrived = await rows<{ lead: object }>(
        db.orm,
        sql`select to_jsonb(r) as lead from unnest(${leadsText(leads)}::lead_row[]) r order by r.n`,
      )
      expect(arrived.map(({ lead }) => lead)).toEqual(
        leads.map((lead, i) => ({
          ...Object.fromEntries(Object.entries(lead).map(([name, value]) => [name, value ?? null])),
          n: i + 1,
          received_at: expect.stringMatching(/^2026-02-03T/),
          mapping: JSON.parse(lead.mapping ?? 'null'),
        })),
      )
    }),
    { numRuns: 60 },
  )
})

test('a version that serves meanwhile sends leads as JSON', async () => {
  const { contractor } = await makeTenant(db)
  const lead = { ...rowOf(contractor.id, { key: 1, name: 'Ana' }), n: 1, mapping: {} }
  const ask = (batch: object[]) =>
    rows<{ number: number; created: boolean }>(
      db.orm,
      sql`select job_number as number, created from receive_fenced_leads(${contractor.id}, ${JSON.stringify(batch)}::jsonb)`,
    )
  expect(await ask([lead])).toEqual([{ number: 1, created: true }])
  expect(await ask([{ ...lead, delivery_id: newId('delivery') }])).toEqual([{ number: 1, created: false }])
})
