import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { listAudit } from '@/db/queries/audit'
import { setSourceSecret } from '@/db/queries/leads'
import { operatorFor } from '@/lib/auth/actor'
import { hashKey } from '@/lib/auth/keys'
import { openTestDatabase } from '@/lib/testing/database'
import { personActor } from '@/lib/testing/people'
import { call, makeTenant } from '@/lib/testing/tenant'
import { getLeadDelivery, listLeadDeliveries, replayLeadDelivery } from './deliveries'
import { execute } from './execute'
import { tryLead } from './try-lead'

let db: Database
beforeAll(async () => {
  process.env.RATE_LIMIT_LEADS = '1000000'
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const fixture = (name: string) => readFileSync(join(import.meta.dirname, '../leads/sources/fixtures', name), 'utf8')
const ANA = { firstName: 'Ana', lastName: 'López', email: 'ana@example.com' }

async function leadTenant() {
  const tenant = await makeTenant(db)
  const key = (await tenant.key(['write:leads', 'read:projects', 'read:customers'])).text
  const ctx = { actor: operatorFor(tenant.contractor.id), now: new Date() }
  const post = (source: string, body: string, headers: Record<string, string> = { 'x-api-key': key }) =>
    call(`/api/webhooks/leads/${source}`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    })
  const list = async () => (await execute(listLeadDeliveries, ctx, {})).items
  const projects = async () => (await call('/api/v1/projects?limit=100', { key })).body.items
  return { ...tenant, secret: key, ctx, post, list, projects }
}

describe('POST /webhooks/leads/{source}', () => {
  const CASES: [source: string, name: string, project: string, customer: object][] = [
    [
      'angi',
      'angi-leads.json',
      'Asphalt Shingle Roofing - Install or Replace – Maria van der Berg',
      { name: 'Maria van der Berg', email: 'maria@example.com', phone: '+16155550118' },
    ],
    ['angi', 'angi-ads.json', 'Gutter Repair – Terrence Okafor', { name: 'Terrence Okafor', phone: '+16155550126' }],
    [
      'thumbtack',
      'thumbtack-v4.json',
      'Electrical and Wiring Repair – June Park',
      { name: 'June Park', phone: '+16155550134' },
    ],
    ['thumbtack', 'thumbtack-flat.json', "Lighting Installation – Curtis O'Neal", { name: "Curtis O'Neal" }],
    [
      'google-ads',
      'google-ads.json',
      'Inquiry – Priya Raman',
      { name: 'Priya Raman', email: 'priya.raman@example.com' },
    ],
    [
      'zapier',
      'zapier-facebook.json',
      'Inspection – Samuel Whitfield',
      { name: 'Samuel Whitfield', phone: '+16155550161' },
    ],
    ['zapier', 'zapier-nextdoor.json', 'Inquiry – Imani', { name: 'Imani', email: 'imani@example.com' }],
    ['zapier', 'zapier-website.form', 'Roof repair – Ana Lopez', { name: 'Ana Lopez', phone: '+16155550172' }],
  ]
  test.each(CASES)(
    '%s: %s, sent as its sender sends it, answers 200 and makes the project; again, the same',
    async (source, name, project, customer) => {
      const { post, projects, secret, list } = await leadTenant()
      const type = name.endsWith('.form') ? 'application/x-www-form-urlencoded' : 'application/json'
      const basic = `Basic ${Buffer.from(`plumbline:${secret}`).toString('base64')}`
      // Thumbtack and Zapier can be given a user and a password; Angi sends the key as its header.
      const headers = source === 'angi' ? { 'x-api-key': secret } : { authorization: basic }
      const first = await post(source, fixture(name).trim(), { ...headers, 'content-type': type })
      expect([first.status, first.body]).toEqual([
        200,
        { success: true, projectId: expect.any(String), jobNumber: 1, message: expect.any(String) },
      ])
      const again = await post(source, fixture(name).trim(), { ...headers, 'content-type': type })
      expect([again.status, again.body.duplicate, again.body.projectId]).toEqual([200, true, first.body.projectId])
      expect(await projects()).toMatchObject([{ name: project, status: 'lead' }])
      expect((await call('/api/v1/customers', { key: secret })).body.items).toMatchObject([customer])
      expect((await list()).map(({ outcome }) => outcome)).toEqual(['duplicate', 'created'])
    },
  )

  test('tests and events that are no lead answer 200, say so, and make nothing', async () => {
    const { post, projects, list } = await leadTenant()
    expect((await post('google-ads', fixture('google-ads-test.json'))).body).toMatchObject({
      success: true,
      test: true,
    })
    expect((await post('thumbtack', fixture('thumbtack-trial.json'))).body).toMatchObject({ success: true, test: true })
    expect((await post('thumbtack', fixture('thumbtack-message.json'))).body).toMatchObject({
      success: true,
      ignored: true,
    })
    expect(await projects()).toEqual([])
    expect((await list()).map(({ outcome }) => outcome)).toEqual(['ignored', 'test', 'test'])
  })

  test('an announcement without the lead is accepted, kept among the refused, and becomes a project once it is edited', async () => {
    const { post, projects, list, ctx } = await leadTenant()
    const bare = {
      object: 'page',
      entry: [{ id: '8', changes: [{ field: 'leadgen', value: { leadgen_id: '71', page_id: '8' } }] }],
    }
    const { status, body } = await post('instagram', JSON.stringify(bare))
    expect([status, body.ignored, body.message]).toEqual([200, true, expect.stringContaining('only the id of a lead')])
    expect(await projects()).toEqual([])
    const [kept] = await list()
    expect(kept).toMatchObject({ source: 'meta', outcome: 'refused' })
    const edited = JSON.stringify({ leadgen_id: '71', full_name: 'Dana Whitlock', email: 'dana@example.com' })
    const replayed = await execute(replayLeadDelivery, ctx, { id: kept?.id ?? '', body: edited })
    expect(replayed).toMatchObject({ outcome: 'created' })
  })

  test('several leads in one body are several deliveries; one that is refused is kept and loses no other; again, nothing is new', async () => {
    const { post, projects, list } = await leadTenant()
    const three = [
      { id: 'a', name: 'Ana Lopez', email: 'ana@example.com' },
      { id: 'b', name: 'Bob Reyes' },
      { id: 'c', name: 'Cy Ward', phone: '615 555 0142' },
    ]
    const sent = JSON.stringify(three)
    const answers = await Promise.all([post('zapier', sent), post('zapier', sent)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers[0]?.body.message).toContain('3 leads received; 1 of them')
    expect(await projects()).toHaveLength(2)
    expect((await list()).map(({ outcome }) => outcome).sort()).toEqual([
      ...['created', 'created', 'duplicate', 'duplicate', 'refused', 'refused'],
    ])
  })

  test('a lead of a known customer fills what is blank, and changes nothing else', async () => {
    const { post, secret } = await leadTenant()
    const customers = async () => (await call('/api/v1/customers', { key: secret })).body.items
    await post('zapier', JSON.stringify({ name: 'Ana Lopez', email: 'ana@example.com' }))
    const second = {
      name: 'A. Lopez',
      email: 'ana@example.com',
      phone: '615 555 0142',
      address: '1 Elm St',
      city: 'Nashville',
    }
    await post('zapier', JSON.stringify(second))
    const [known] = await customers()
    expect(known).toMatchObject({ name: 'Ana Lopez', email: 'ana@example.com', phone: '+16155550142' })
    await post('zapier', JSON.stringify({ ...second, phone: '615 555 0199', address: '2 Oak St' }))
    expect(await customers()).toEqual([{ ...known }])
    const stored = await rows(db.orm, sql`select address, city, state, phone from users where id = ${known.id}`)
    expect(stored).toEqual([{ address: '1 Elm St', city: 'Nashville', state: null, phone: '+16155550142' }])
  })

  test('what a sender that cannot be asked sends is read: Latin-1, no type, gzip, XML', async () => {
    const { secret, list } = await leadTenant()
    const body = (name: string) => `{"name":"José ${name}","email":"jose@example.com"}`
    const latin = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))
    const sent: [path: string, type: string, body: Uint8Array<ArrayBuffer>, coding?: string][] = [
      ['zapier', 'application/json; charset=iso-8859-1', latin(body('A'))],
      ['zapier', 'application/json', latin(body('B'))],
      ['zapier', '', new TextEncoder().encode(body('C'))],
      ['zapier', 'application/json', gzipSync(body('D')), 'gzip'],
      ['homeadvisor', 'text/xml', latin('<lead><name>José E</name><email>jose@example.com</email></lead>')],
    ]
    for (const [path, type, bytes, coding = 'identity'] of sent) {
      const headers = { 'x-api-key': secret, 'content-type': type, 'content-encoding': coding }
      expect((await call(`/api/webhooks/leads/${path}`, { method: 'POST', headers, body: bytes })).status, path).toBe(
        200,
      )
    }
    expect((await list()).map(({ name, outcome }) => `${name} ${outcome}`)).toEqual(
      ['E', 'D', 'C', 'B', 'A'].map((name) => `José ${name} created`),
    )
  })

  test('an external id is its source’s own: two sources may use the same', async () => {
    const { post, projects } = await leadTenant()
    await post('inbound', JSON.stringify({ ...ANA, externalId: '561100458' }))
    await post('angi', fixture('angi-leads.json'))
    expect(await projects()).toHaveLength(2)
  })

  test('404 for a source that is none, with those there are; Nextdoor is told the way round', async () => {
    const { post, list } = await leadTenant()
    const { status, body } = await post('craigslist', '{}')
    expect([status, body.error]).toEqual([404, expect.stringContaining('thumbtack')])
    expect((await post('nextdoor', '{}')).body.error).toContain('Zapier')
    expect(await list()).toHaveLength(2)
  })

  test('google_key: an API key there is the credential; otherwise it must be the one that was set; never kept', async () => {
    const { post, secret, contractor, list, ctx } = await leadTenant()
    const lead = JSON.parse(fixture('google-ads.json'))
    const asKey = JSON.stringify({ ...lead, google_key: ` ${secret} ` })
    expect((await post('google-ads', asKey, {})).status).toBe(200)
    expect((await post('zapier', asKey, {})).status).toBe(401)
    expect((await post('google-ads', asKey, { 'x-api-key': 'plb_live_wrong' })).status).toBe(401)
    await setSourceSecret(db.orm, contractor.id, 'google-ads', { secretHash: hashKey('hush-hush') })
    const refused = await post('google-ads', fixture('google-ads.json'))
    expect([refused.status, refused.body.fields]).toEqual([400, [{ field: 'google_key', message: expect.any(String) }]])
    expect((await post('google-ads', JSON.stringify({ ...lead, google_key: 'hush-hush' }))).status).toBe(200)
    for (const { id } of await list()) {
      const { body } = await execute(getLeadDelivery, ctx, { id })
      expect(body).not.toMatch(/hush-hush|plb_|a-key-typed/)
      expect(body).toContain('"google_key":')
    }
  })

  test('the specification’s own path takes no Basic password', async () => {
    const { post, secret } = await leadTenant()
    const authorization = `Basic ${Buffer.from(`x:${secret}`).toString('base64')}`
    expect((await post('inbound', JSON.stringify(ANA), { authorization })).status).toBe(401)
    expect((await post('inbound', JSON.stringify(ANA), { authorization: `Bearer ${secret}` })).status).toBe(201)
  })
})

describe('deliveries', () => {
  test('a refused lead is kept with its reasons, edited and run again, once, and shown so', async () => {
    const { post, list, ctx, projects } = await leadTenant()
    await post('inbound', JSON.stringify({ firstName: 'Ana', email: 'ana@example.com' }))
    const [refused] = await list()
    if (!refused) throw new Error('it is kept')
    expect(refused).toMatchObject({
      outcome: 'refused',
      status: 400,
      faults: [{ field: 'lastName', message: 'is required' }],
    })
    expect(await execute(replayLeadDelivery, ctx, { id: refused.id })).toMatchObject({ outcome: 'refused' })
    const body = JSON.stringify({ ...ANA, notes: 'edited' })
    const edited = await execute(replayLeadDelivery, ctx, { id: refused.id, body })
    expect(edited).toMatchObject({ outcome: 'created', jobNumber: 1 })
    const later = { ...ctx, now: new Date(ctx.now.getTime() + 1) }
    expect(await execute(replayLeadDelivery, later, { id: refused.id, body })).toMatchObject({
      outcome: 'duplicate',
      projectId: edited.projectId,
    })
    expect(await projects()).toHaveLength(1)
    const shown = (await list()).find(({ id }) => id === refused.id)
    expect(shown).toMatchObject({ outcome: 'refused', replayOutcome: 'duplicate', replayProjectId: edited.projectId })
  })

  test('a delivery that made a project finds it when it is run again, also without an external id', async () => {
    const { post, list, ctx, projects } = await leadTenant()
    const { body } = await post('inbound', JSON.stringify(ANA))
    const [made] = await list()
    expect(await execute(replayLeadDelivery, ctx, { id: made?.id ?? '' })).toMatchObject({
      outcome: 'duplicate',
      projectId: body.projectId,
    })
    const [replay] = await list()
    expect(await execute(replayLeadDelivery, ctx, { id: replay?.id ?? '' })).toMatchObject({
      outcome: 'duplicate',
    })
    expect(await projects()).toHaveLength(1)
  })

  test('what came to the wrong address is read as the form it is', async () => {
    const { post, list, ctx } = await leadTenant()
    await post('nextdoor', fixture('zapier-facebook.json'))
    const [kept] = await list()
    const id = kept?.id ?? ''
    await expect(execute(replayLeadDelivery, ctx, { id })).rejects.toThrow('no source')
    expect(await execute(replayLeadDelivery, ctx, { id, source: 'zapier' })).toMatchObject({ outcome: 'created' })
  })

  test('refused fields are corrected by name, whatever the sender’s form; the delivery then tells the job it became', async () => {
    const { post, list, ctx, projects } = await leadTenant()
    await post('zapier', JSON.stringify({ 'Full Name': 'Sam Hill', Email: 'sam at example', City: 'Nashville' }))
    await post(
      'inbound',
      JSON.stringify({ firstName: 'Bob', lastName: 'T', phone: '12', state: 'Tennesee', notes: 'x' }),
    )
    const [own, foreign] = await list()
    expect([own, foreign]).toMatchObject([
      { outcome: 'refused', name: 'Bob T', phone: '12' },
      { outcome: 'refused', name: 'Sam Hill', phone: null, email: 'sam at example' },
    ])
    const tried = (id: string, fields: Record<string, string>) => execute(tryLead, ctx, { delivery: id, fields })
    const [ownId, foreignId] = [own?.id ?? '', foreign?.id ?? '']
    expect(await tried(foreignId, {})).toMatchObject({
      source: 'zapier',
      values: { fullName: 'Sam Hill', email: 'sam at example', city: 'Nashville' },
      faults: [{ field: 'email', message: 'is not an email address' }],
      answer: { status: 400 },
    })
    expect(await tried(foreignId, { email: 'sam@example.com' })).toMatchObject({
      faults: [],
      from: { email: 'corrected by hand' },
      lead: { firstName: 'Sam', email: 'sam@example.com', city: 'Nashville' },
      answer: { status: 200, body: { jobNumber: 1 } },
    })
    // An empty correction removes a field that is not needed.
    expect(await tried(ownId, { phone: '615 555 0142', state: '' })).toMatchObject({
      faults: [],
      answer: { status: 201 },
    })
    await expect(tried(ownId, { jobNumber: '1' })).rejects.toMatchObject({ code: 'bad_request' })

    const fix = (id: string, fields: Record<string, string>) => execute(replayLeadDelivery, ctx, { id, fields })
    expect(await fix(foreignId, { email: 'still wrong' })).toMatchObject({ outcome: 'refused' })
    expect(await fix(foreignId, { email: 'sam@example.com' })).toMatchObject({ outcome: 'created', jobNumber: 1 })
    // The next try finds the project, and a refusal after it hides nothing.
    expect(await tried(foreignId, { email: 'sam@example.com' })).toMatchObject({
      answer: { body: { duplicate: true } },
    })
    expect(await fix(foreignId, { email: '' })).toMatchObject({ outcome: 'refused' })
    expect(await fix(ownId, { phone: '615 555 0142', state: 'TN' })).toMatchObject({ outcome: 'created', jobNumber: 2 })
    const kept = await execute(getLeadDelivery, ctx, { id: foreignId })
    expect(kept).toMatchObject({ outcome: 'refused', replayOutcome: 'created', replayJobNumber: 1 })
    const created = (await list()).find(({ jobNumber }) => jobNumber === 1)
    const replay = await execute(getLeadDelivery, ctx, { id: created?.id ?? '' })
    expect(replay).toMatchObject({
      name: 'Sam Hill',
      email: 'sam@example.com',
      body: kept.body,
      mapping: { from: { email: 'corrected by hand' }, corrections: { email: 'sam@example.com' } },
    })
    expect(await projects()).toHaveLength(2)
  })

  test('a list names whose leads they are, those of refused requests and of rows that older versions kept too', async () => {
    const { post, list, contractor } = await leadTenant()
    await post('inbound', JSON.stringify({ ...ANA, phone: '(615) 555-0142' }))
    await post('inbound', '{"firstName":"Bo\\u0007b","phone":"6155550142"}')
    await post('nextdoor', fixture('zapier-facebook.json'))
    await post('inbound', 'nonsense')
    expect((await list()).map(({ name, phone }) => `${name}, ${phone}`)).toEqual([
      'null, null',
      'Samuel Whitfield, +16155550161',
      'Bo b, 6155550142',
      'Ana López, (615) 555-0142',
    ])
    await rows(
      db.orm,
      sql`update lead_deliveries set lead_name = null, lead_phone = null, lead_email = null
      where contractor_id = ${contractor.id}`,
    )
    expect((await list()).at(-1)).toMatchObject({ name: 'Ana López', phone: '+16155550142', email: 'ana@example.com' })
  })

  test('another contractor’s deliveries are as absent as none', async () => {
    const a = await leadTenant()
    await a.post('inbound', JSON.stringify(ANA))
    const [delivery] = await a.list()
    const id = delivery?.id ?? ''
    const b = await leadTenant()
    expect(await b.list()).toEqual([])
    await expect(execute(getLeadDelivery, b.ctx, { id })).rejects.toMatchObject({ code: 'not_found' })
    await expect(execute(replayLeadDelivery, b.ctx, { id })).rejects.toMatchObject({ code: 'not_found' })
    await expect(execute(tryLead, b.ctx, { delivery: id })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('pages go on behind the last one seen; outcomes can be picked', async () => {
    const { post, ctx } = await leadTenant()
    for (let i = 0; i < 5; i++) await post('inbound', JSON.stringify({ ...ANA, externalId: `e${i % 3}` }))
    const { items: first } = await execute(listLeadDeliveries, ctx, { limit: 3 })
    const { items: rest } = await execute(listLeadDeliveries, ctx, { limit: 3, before: first[2]?.id ?? '' })
    expect(new Set([...first, ...rest].map(({ id }) => id)).size).toBe(5)
    expect((await execute(listLeadDeliveries, ctx, { outcome: 'created' })).items).toHaveLength(3)
  })
})

describe('try_lead', () => {
  test('tells source, mapping, category, customer and answer, and creates nothing', async () => {
    const { post, ctx, projects, list } = await leadTenant()
    const body = fixture('zapier-facebook.json')
    const fresh = await execute(tryLead, ctx, { body })
    expect(fresh).toMatchObject({
      source: 'zapier',
      category: 'social_ads',
      keyword: 'fb',
      customer: null,
      answer: { status: 200, body: { success: true, jobNumber: 1 } },
    })
    expect(await projects()).toEqual([])
    expect(await list()).toEqual([])
    const made = await post('zapier', body)
    const known = await execute(tryLead, ctx, { body })
    expect(known).toMatchObject({
      customer: { name: 'Samuel Whitfield' },
      answer: { status: 200, body: { duplicate: true, projectId: made.body.projectId } },
    })
    const own = await execute(tryLead, ctx, { body: JSON.stringify(ANA) })
    expect(own).toMatchObject({ source: 'inbound', lead: ANA, answer: { status: 201 } })
    expect(await execute(tryLead, ctx, { body: '{"firstName":"Ana"}' })).toMatchObject({
      source: 'inbound',
      lead: null,
      answer: { status: 400, body: { fields: [{ field: 'lastName' }, { field: 'email' }, { field: 'phone' }] } },
    })
    expect(await execute(tryLead, ctx, { body: 'nonsense' })).toMatchObject({ answer: { status: 400 } })
    const [count] = await rows<{ n: number }>(
      db.orm,
      sql`select count(*)::int as n from leads where contractor_id = ${ctx.actor.contractorId}`,
    )
    expect(count?.n).toBe(1)
  })
})

describe('people', () => {
  test('a replay is written down with who ran it', async () => {
    const { post, list, contractor } = await leadTenant()
    await post('inbound', JSON.stringify(ANA))
    const [{ id } = { id: '' }] = await list()
    const replays = () => listAudit(db.orm, { contractorId: contractor.id, event: 'lead_replayed', limit: 10 })
    expect(await replays()).toEqual([])
    const actor = personActor({ id: 'per_test', email: 'test@example.com' }, contractor.id)
    expect(await execute(replayLeadDelivery, { actor, now: new Date() }, { id })).toMatchObject({
      outcome: 'duplicate',
    })
    expect(await replays()).toMatchObject([
      { event: 'lead_replayed', subject: id, actorId: 'per_test', detail: { outcome: 'duplicate' } },
    ])
  })

  test('deliveries are found by source and status', async () => {
    const { post, ctx } = await leadTenant()
    await post('inbound', JSON.stringify(ANA))
    await post('inbound', '{}')
    await post('craigslist', '{}')
    const found = async (input: { source?: string; status?: number }) =>
      (await execute(listLeadDeliveries, ctx, input)).items.map(({ source, status }) => `${source} ${status}`)
    expect(await found({ source: 'inbound' })).toEqual(['inbound 400', 'inbound 201'])
    expect(await found({ status: 404 })).toEqual(['craigslist 404'])
    expect(await found({ source: 'inbound', status: 201 })).toEqual(['inbound 201'])
  })
})
