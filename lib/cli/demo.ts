import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { type Database, database } from '@/db/client'
import { type Contractor, findContractor } from '@/db/queries/contractors'
import { findLiveKey } from '@/db/queries/keys'
import { findPerson } from '@/db/queries/people'
import { accountOf, operatorFor, serviceOperator } from '@/lib/auth/actor'
import { hashKey } from '@/lib/auth/keys'
import { PRESETS, type Preset, type Scope, SINGLE_SCOPES } from '@/lib/auth/scopes'
import type { Env } from '@/lib/core/env'
import { OUTBOX_FOLDER } from '@/lib/core/outbox'
import { DEMO_ADMIN } from '@/lib/core/service'
import { resetPassword } from '@/lib/operations/account/reset-password'
import { createContractor } from '@/lib/operations/contractors/contractors'
import { writeDemoConnections } from '@/lib/operations/demonstration/connections'
import { writeDemoChecks } from '@/lib/operations/demonstration/past'
import { execute } from '@/lib/operations/execute'
import { createKey } from '@/lib/operations/keys/create-key'
import { addMember } from '@/lib/operations/team/add-member'
import { acceptInvitation, inviteMember } from '@/lib/operations/team/invitations'
import { listTeam } from '@/lib/operations/team/list-team'
import { provideData, providePermits } from './demo-data'
import { type DemoFile, demoUrls, readDemoFile, writeDemoFile } from './demo-file'

const folder = join(process.cwd(), 'db', 'demo')
/** The address recorded for the demonstration's own account. */
const LOCAL = '127.0.0.1'

const DemoContractors = z.array(
  z.object({
    slug: z.string(),
    name: z.string(),
    trade: z.string(),
    city: z.string(),
    state: z.string(),
    timezone: z.string(),
    currency: z.string(),
  }),
)

const context = (contractorId: string) => ({ actor: operatorFor(contractorId), now: new Date() })
const wholeService = () => ({ actor: serviceOperator(), now: new Date() })

async function provideContractor(db: Database, wanted: z.infer<typeof DemoContractors>[number]) {
  const found = await findContractor(db.orm, wanted.slug)
  if (found) return { contractor: found, isNew: false }
  return { contractor: await execute(createContractor, wholeService(), { ...wanted, demo: true }), isNew: true }
}

type Rights = { preset: Preset; scopes?: Scope[] }

/** The keys of a demonstration contractor; those that still work are kept. The assistant's may also write notes and follow-ups. */
async function provideKeys(db: Database, contractor: Contractor, known: DemoFile['contractors'][number] | undefined) {
  const key = async (kept: string | undefined, title: string, rights: Rights) => {
    if (kept && (await findLiveKey(db, hashKey(kept)))?.contractorId === contractor.id) return kept
    return (await execute(createKey, context(contractor.id), { name: `${title} (demonstration)`, ...rights })).secret
  }
  const ofPreset = (kept: string | undefined, preset: Preset) => key(kept, PRESETS[preset].title, { preset })
  return {
    integration: await ofPreset(known?.keys.integration, 'integration'),
    leadSource: await ofPreset(known?.keys.leadSource, 'lead-source'),
    agent: await ofPreset(known?.keys.agent, 'agent'),
    assistant: await key(known?.keys.assistant, 'Office assistant', { preset: 'agent', scopes: [...SINGLE_SCOPES] }),
  }
}

/** Puts the demonstration's account on a team, as anyone with an account joins: by accepting an invitation. */
async function joinTeam(contractorId: string, person: { id: string; name: string; email: string }): Promise<void> {
  const { members } = await execute(listTeam, context(contractorId), {})
  if (members.some(({ personId }) => personId === person.id)) return
  const { link } = await execute(inviteMember, context(contractorId), { email: person.email, role: 'admin' })
  const token = link.slice(link.lastIndexOf('/') + 1)
  await execute(acceptInvitation, { actor: accountOf(person, LOCAL), now: new Date() }, { token })
}

/** An account that administers every demonstration contractor; its password is generated once and stored in `demo.json`. */
async function provideAdmin(db: Database, known: DemoFile['admin'], contractors: { id: string }[]) {
  const email = DEMO_ADMIN
  const [first] = contractors
  const account = { email, name: 'Demo Administrator', role: 'admin' } as const
  let password = known?.email === email ? known.password : undefined
  if (!(await findPerson(db.orm, email)) && first) {
    const added = await execute(addMember, context(first.id), account)
    password = added.kind === 'added' ? added.password : undefined
  }
  password ??= (await execute(resetPassword, wholeService(), { email })).password
  const person = await findPerson(db.orm, email)
  if (!person) throw new Error('the account of the demonstration was removed while it was being made')
  for (const { id } of contractors) await joinTeam(id, person)
  return { email, password }
}

/** Two assistants that the demonstration's account has connected, so that their page shows what such a connection is. */
async function provideConnections(db: Database, contractorId: string, email: string): Promise<void> {
  const person = await findPerson(db.orm, email)
  if (person) await execute(writeDemoConnections, context(contractorId), { personId: person.id })
}

/**
 * Creates the demonstration contractors with their data and keys and the permits of a fictional town, or keeps the existing ones,
 * and writes `demo.json`.
 * @returns what that file holds
 */
export async function prepareDemo(settings: Env): Promise<DemoFile> {
  const db = await database()
  const before = readDemoFile(settings.dataDir)
  const contractors: DemoFile['contractors'] = []
  for (const wanted of DemoContractors.parse(JSON.parse(readFileSync(join(folder, 'contractors.json'), 'utf8')))) {
    const { contractor, isNew } = await provideContractor(db, wanted)
    const known = before?.contractors.find(({ id }) => id === contractor.id)
    const keys = await provideKeys(db, contractor, known)
    await provideData(contractor, { dataDir: settings.dataDir, isNew, secrets: keys, now: new Date() })
    contractors.push({ id: contractor.id, name: contractor.name, keys })
  }
  const admin = await provideAdmin(db, before?.admin ?? null, contractors)
  const [first] = contractors
  if (before === undefined && first) {
    await execute(writeDemoChecks, context(first.id), {})
    await provideConnections(db, first.id, admin.email)
  }
  await providePermits(db, settings.dataDir)
  const demo: DemoFile = { ...demoUrls(settings), admin, contractors }
  writeDemoFile(settings.dataDir, demo)
  return demo
}

/** The text shown when the demonstration has started. */
export function demoWelcome(demo: DemoFile, dataDir: string): string {
  const [first] = demo.contractors
  const data = demo.dataApiUrl
  const keys = demo.contractors.map(({ name, id, keys: { integration, leadSource, agent, assistant } }) =>
    [
      `  ${name} (${id})`,
      `    integration  ${integration}`,
      `    lead source  ${leadSource}`,
      `    agent        ${agent}`,
      `    assistant    ${assistant}  (an agent that may also write notes and follow-ups)`,
    ].join('\n'),
  )
  return `
Plumbline is ready.

  Portal     ${demo.portalUrl}/sign-in
             ${demo.admin?.email}  ${demo.admin?.password}
  Data API   ${data}/api/v1
  Leads      ${data}/api/webhooks/leads/inbound
  Explorer   ${demo.portalUrl}/developers/api
  MCP        ${demo.mcpUrl}
  Console    ${demo.mcpUrl}/console
  Health     ${data}/health
  Mail       ${join(dataDir, OUTBOX_FOLDER)} (invitations and password resets, as .eml files)

Keys of the demonstration contractors
${keys.join('\n')}

Try it:
  curl -s -H 'x-api-key: ${first?.keys.integration}' '${data}/api/v1/invoices?limit=2'
  curl -s -H 'x-api-key: ${first?.keys.leadSource}' -H 'content-type: application/json' '${data}/api/webhooks/leads/inbound' \\
    -d '{"firstName":"Ana","lastName":"Lopez","phone":"(615) 555-0142","leadSource":"Google Ads","externalId":"try-1"}'

The same, for scripts: npm run --silent status -- --json   (kept in ${join(dataDir, 'demo.json')})
Stop with Ctrl-C; the data and the keys stay.
`
}
