import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { listAudit } from '@/db/queries/audit'
import { dayIn } from '@/lib/core/time'
import { openTestDatabase } from '@/lib/testing/database'
import { personActor } from '@/lib/testing/people'
import { call, makeTenant } from '@/lib/testing/tenant'
import { joinCustomers, separateCustomers } from './customers'
import { listLeadDeliveries } from './deliveries'
import { setLeadFollowUp } from './entries/set-lead-follow-up'
import { execute } from './execute'
import { getLead, separateLead, updateCustomerFromLead } from './lead-person'
import { listLeads } from './list-leads'
import { getBusinessOverview } from './overview/get-business-overview'
import { getProjectOverview } from './reports/project-overview'

let db: Database
beforeAll(async () => {
  process.env.RATE_LIMIT_LEADS = '1000000'
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const BRIANNA = {
  name: 'Brianna García',
  email: 'brianna@example.com',
  phone: '615-555-0142',
  address: '1 Elm St',
  city: 'Nashville',
}

async function office() {
  const tenant = await makeTenant(db)
  const { text: key } = await tenant.key([
    'write:leads',
    'read:projects',
    'read:customers',
    'read:invoices',
    'read:payments',
  ])
  const admin = personActor({ id: 'psn_a', email: 'office@example.com' }, tenant.contractor.id)
  const ctx = { actor: admin, now: new Date() }
  const post = async (body: object, path = 'zapier', headers: Record<string, string> = {}) =>
    await call(`/api/webhooks/leads/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', 'x-api-key': key, ...headers },
    })
  const lead = async (projectId: string) => (await execute(getLead, ctx, { projectId })).lead
  const customers = async () => (await call('/api/v1/customers?include=details', { key })).body.items
  const outcomes = async () => (await execute(listLeadDeliveries, ctx, {})).items.map(({ outcome }) => outcome)
  return { ...tenant, secret: key, ctx, post, lead, customers, outcomes }
}

describe('a lead of a known customer', () => {
  test('keeps what it said, names what differs, and is taken over where the office says so', async () => {
    const { post, lead, customers, ctx, contractor, secret } = await office()
    await post(BRIANNA)
    const { body } = await post({
      ...BRIANNA,
      name: 'Bri García-López',
      phone: '615 555 8888',
      address: '2 Oak St',
      zip: '37206',
      message: 'Roof leaks',
    })
    expect(await customers()).toHaveLength(1)
    const said = await lead(body.projectId)
    expect(said).toMatchObject({
      name: 'Bri García-López',
      email: 'brianna@example.com',
      phone: '+16155558888',
      address: '2 Oak St, Nashville, 37206',
      message: 'Roof leaks',
      matchedBy: 'email',
      differs: ['name', 'phone', 'address'],
      customer: { name: 'Brianna García', phone: '+16155550142', address: '1 Elm St, Nashville' },
    })
    const [listed] = (await execute(listLeads, ctx, {})).items
    expect(listed).toMatchObject({
      leadName: 'Bri García-López',
      customerName: 'Brianna García',
      phone: '+16155558888',
      message: 'Roof leaks',
      differs: ['name', 'phone', 'address'],
    })
    const rest = await call(`/api/v1/projects/${body.projectId}?include=details`, { key: secret })
    expect(rest.body).toMatchObject({
      lead: { message: 'Roof leaks', matchedBy: 'email' },
      contact: {
        lastName: 'García-López',
        phone: '+16155558888',
        phoneText: '615 555 8888',
        address: '2 Oak St, Nashville, 37206',
      },
    })
    await execute(updateCustomerFromLead, ctx, { projectId: body.projectId, fields: ['phone', 'address'] })
    expect(await customers()).toMatchObject([
      { name: 'Brianna García', phone: '+16155558888', address: '2 Oak St', zip: '37206' },
    ])
    expect((await lead(body.projectId))?.differs).toEqual(['name'])
    const [kept] = await listAudit(db.orm, { contractorId: contractor.id, event: 'customer_updated', limit: 5 })
    expect(kept?.detail).toMatchObject({ phone: '+16155550142', address: '1 Elm St, Nashville' })
  })

  test('by its phone number alone is a possible match: nothing of the customer changes, and it is separated', async () => {
    const { post, lead, customers, ctx, secret, operator, contractor } = await office()
    await post({ ...BRIANNA, address: undefined, city: undefined })
    const { body } = await post({
      name: 'Felix Arnold',
      email: 'felix@example.com',
      phone: BRIANNA.phone,
      address: '9 Pine Ct',
      message: 'New roof',
    })
    const { projectId } = body
    expect(await lead(projectId)).toMatchObject({
      name: 'Felix Arnold',
      matchedBy: 'possible',
      differs: ['name', 'email', 'address'],
      customer: { name: 'Brianna García', email: 'brianna@example.com', address: null },
    })
    const overview = await execute(getProjectOverview, ctx, { project: projectId })
    expect(overview).toMatchObject({
      customer: { name: 'Brianna García' },
      lead: { name: 'Felix Arnold', email: 'felix@example.com', message: 'New roof', matchedBy: 'possible' },
    })
    const date = dayIn(contractor.timezone, new Date())
    await execute(
      setLeadFollowUp,
      { actor: operator, now: new Date() },
      { projectId, date, idempotencyKey: 'follow-up-1' },
    )
    const { needsYou } = await execute(getBusinessOverview, ctx, {})
    expect(needsYou.find(({ kind }) => kind === 'follow_ups')?.items).toMatchObject([{ title: 'Felix Arnold' }])
    const { customerId } = await execute(separateLead, ctx, { projectId })
    expect(await lead(projectId)).toMatchObject({
      matchedBy: 'separated',
      differs: [],
      customer: { id: customerId, name: 'Felix Arnold', email: 'felix@example.com', address: '9 Pine Ct' },
    })
    const project = await call(`/api/v1/projects/${projectId}`, { key: secret })
    expect(project.body.customerId).toBe(customerId)
    // The number is both people's now, and each next lead finds its own.
    const next = [
      await post({ name: 'F. Arnold', phone: BRIANNA.phone, message: 'again' }),
      await post({ name: 'Brianna García', phone: BRIANNA.phone, message: 'again' }),
    ]
    const owners = await Promise.all(next.map(async ({ body: made }) => (await lead(made.projectId))?.customer.name))
    expect(owners).toEqual(['Felix Arnold', 'Brianna García'])
    expect(await customers()).toHaveLength(2)
    await expect(execute(separateLead, ctx, { projectId })).rejects.toMatchObject({ code: 'bad_request' })
  })

  test('a caller without a name, and a member of the family, are no possible match', async () => {
    const { post, lead } = await office()
    await post(BRIANNA)
    const call = { direction: 'inbound', answered: true, customer_phone_number: BRIANNA.phone, id: 'c1' }
    const byPhone = [await post(call, 'callrail'), await post({ name: 'Luis García', phone: BRIANNA.phone })]
    const found = await Promise.all(byPhone.map(({ body }) => lead(body.projectId)))
    expect(found.map((each) => [each?.matchedBy, each?.differs])).toEqual([
      ['phone', []],
      ['phone', ['name']],
    ])
  })

  test('another contractor’s lead is as absent as none', async () => {
    const { post } = await office()
    const { body } = await post(BRIANNA)
    const { ctx, lead } = await office()
    const projectId = body.projectId
    expect(await lead(projectId)).toBeNull()
    await expect(execute(separateLead, ctx, { projectId })).rejects.toMatchObject({ code: 'not_found' })
    await expect(execute(updateCustomerFromLead, ctx, { projectId, fields: ['name'] })).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})

describe('the same lead twice', () => {
  test('the same body without an id is one lead within ten minutes, with both deliveries; later, with another key, it is another', async () => {
    const { post, outcomes, contractor, key } = await office()
    const first = await post(BRIANNA)
    const again = await post(BRIANNA)
    expect([again.status, again.body]).toMatchObject([200, { duplicate: true, projectId: first.body.projectId }])
    expect(await outcomes()).toEqual(['duplicate', 'created'])
    const other = (await key(['write:leads'])).text
    expect((await post(BRIANNA, 'zapier', { 'x-api-key': other })).body.duplicate).toBeUndefined()
    await rows(
      db.orm,
      sql`update leads set received_at = received_at - interval '11 minutes' where contractor_id = ${contractor.id}`,
    )
    expect((await post(BRIANNA)).body.duplicate).toBeUndefined()
    expect(await outcomes()).toEqual(['created', 'created', 'duplicate', 'created'])
  })

  test('many at once are one lead', async () => {
    const { post, outcomes } = await office()
    const answers = await Promise.all(Array.from({ length: 40 }, () => post(BRIANNA)))
    expect(new Set(answers.map(({ body }) => body.projectId)).size).toBe(1)
    expect((await outcomes()).filter((outcome) => outcome === 'created')).toHaveLength(1)
  })

  test('on the specification’s own path each post without externalId is a lead, unless its Idempotency-Key came before', async () => {
    const { post } = await office()
    const ana = { firstName: 'Ana', lastName: 'López', email: 'ana@example.com' }
    expect([(await post(ana, 'inbound')).status, (await post(ana, 'inbound')).status]).toEqual([201, 201])
    const keyed = () => post(ana, 'inbound', { 'idempotency-key': 'f81d4fae' })
    const [first, again] = [await keyed(), await keyed()]
    expect([first.status, again.status, again.body.projectId]).toEqual([201, 200, first.body.projectId])
    const other = await post({ ...ana, lastName: 'Ruiz' }, 'inbound', { 'idempotency-key': 'f81d4faf' })
    expect(other.status).toBe(201)
  })

  test('an id that comes again with another person is a lead of its own with a note, once; the own path keeps its rule', async () => {
    const { post, lead } = await office()
    const ana = { id: '7', name: 'Ana López', email: 'ana@example.com' }
    const bo = { id: '7', name: 'Bo Diaz', phone: '615 555 0177', message: 'Gutters' }
    const first = await post(ana)
    const second = await post(bo)
    expect(second.body).toMatchObject({ success: true, jobNumber: 2 })
    expect((await lead(second.body.projectId))?.message).toBe(
      "Gutters\nThe sender's id 7 came before with another person, Ana López.",
    )
    expect((await post(bo)).body).toMatchObject({ duplicate: true, projectId: second.body.projectId })
    expect((await post({ ...ana, email: 'ana.new@example.com' })).body).toMatchObject({
      duplicate: true,
      projectId: first.body.projectId,
    })
    const together = await Promise.all([post({ ...ana, id: '8' }), post({ ...bo, id: '8' }), post({ ...bo, id: '8' })])
    expect(new Set(together.map(({ body }) => body.projectId)).size).toBe(2)
    const own = { firstName: 'Ana', lastName: 'López', email: 'ana@example.com', externalId: '9' }
    await post(own, 'inbound')
    const other = { firstName: 'Bo', lastName: 'Diaz', phone: '615 555 0177', externalId: '9' }
    expect((await post(other, 'inbound')).body.duplicate).toBe(true)
  })
})

test('a lead of somebody who was joined to a customer is that customer’s; separated, they are their own again', async () => {
  const { post, customers, ctx } = await office()
  await post(BRIANNA)
  const other = { name: 'B. Lopez', email: 'lopez@example.com', phone: '615-555-0190' }
  await post(other)
  const [kept, joined] = (await customers()).map(({ id }: { id: string }) => id)
  expect(await execute(joinCustomers, ctx, { customer: kept, other: joined })).toEqual({ projects: 1 })
  await post({ ...other, message: 'A second roof' })
  await post({ name: 'B. Lopez', phone: other.phone, message: 'A third' })
  expect((await customers()).map(({ id }: { id: string }) => id)).toEqual([kept])
  expect(await execute(separateCustomers, ctx, { other: joined })).toEqual({ projects: 1 })
  await post({ ...other, message: 'A fourth roof' })
  expect(new Set((await customers()).map(({ id }: { id: string }) => id))).toEqual(new Set([kept, joined]))
})
