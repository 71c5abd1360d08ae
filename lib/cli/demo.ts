import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { type Database, database } from '@/db/client'
import { type Contractor, findContractor } from '@/db/queries/contractors'
import { findLiveKey } from '@/db/queries/keys'
import { findPerson } from '@/db/queries/people'
import { loadedJurisdiction } from '@/db/queries/permits/load'
import { accountOf, operatorFor, serviceOperator } from '@/lib/auth/actor'
import { hashKey } from '@/lib/auth/keys'
import { PRESETS } from '@/lib/auth/scopes'
import type { Env } from '@/lib/core/env'
import { resetPassword } from '@/lib/operations/account/reset-password'
import { createContractor } from '@/lib/operations/contractors/contractors'
import { execute } from '@/lib/operations/execute'
import { createKey } from '@/lib/operations/keys/create-key'
import { loadFolder } from '@/lib/operations/loads/load-folder'
import { loadPermits } from '@/lib/operations/loads/load-permits'
import { acceptInvitation } from '@/lib/operations/team/accept-invitation'
import { addMember } from '@/lib/operations/team/add-member'
import { inviteMember } from '@/lib/operations/team/invite-member'
import { listTeam } from '@/lib/operations/team/list-team'
import { DEMO_ADMIN } from '@/lib/server/deployment/check'
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

/** Changes when a file of the demonstration data changes, so that a later start reloads only changed data. */
function fingerprint(slug: string): string {
  const hash = createHash('sha256')
  for (const file of readdirSync(join(folder, slug)).sort())
    hash.update(file).update(readFileSync(join(folder, slug, file)))
  return hash.digest('hex')
}

const context = (contractorId: string) => ({ actor: operatorFor(contractorId), now: new Date() })
const wholeService = () => ({ actor: serviceOperator(), now: new Date() })

async function provideContractor(db: Database, wanted: z.infer<typeof DemoContractors>[number]) {
  const found = await findContractor(db.orm, wanted.slug)
  if (found) return { contractor: found, isNew: false }
  return { contractor: await execute(createContractor, wholeService(), { ...wanted, demo: true }), isNew: true }
}

async function provideKeys(db: Database, contractor: Contractor, known: DemoFile['contractors'][number] | undefined) {
  const key = async (kept: string | undefined, preset: keyof typeof PRESETS) => {
    if (kept && (await findLiveKey(db, hashKey(kept)))?.contractorId === contractor.id) return kept
    const { title } = PRESETS[preset]
    const wanted = { name: `${title} (demonstration)`, preset }
    return (await execute(createKey, context(contractor.id), wanted)).secret
  }
  return {
    integration: await key(known?.keys.integration, 'integration'),
    leadSource: await key(known?.keys.leadSource, 'lead-source'),
    agent: await key(known?.keys.agent, 'agent'),
  }
}

async function loadIfStale(contractor: Contractor, dataDir: string, isNew: boolean): Promise<void> {
  const marker = join(dataDir, `demo-${contractor.slug}.sha256`)
  const wanted = fingerprint(contractor.slug)
  if (!isNew && readIfThere(marker) === wanted) return
  await execute(loadFolder, context(contractor.id), { folder: join(folder, contractor.slug) })
  writeFileSync(marker, wanted, { mode: 0o600 })
}

/** A fictional town with permits for the permit tools. */
const DEMO_JURISDICTION = 'us-zz-demonstration'

async function loadPermitsIfStale(db: Database, dataDir: string): Promise<void> {
  const marker = join(dataDir, 'demo-permits.sha256')
  const wanted = fingerprint('permits')
  const isNew = (await loadedJurisdiction(db.orm, DEMO_JURISDICTION)) === undefined
  if (!isNew && readIfThere(marker) === wanted) return
  const path = join(folder, 'permits', DEMO_JURISDICTION)
  const file = { jurisdiction: DEMO_JURISDICTION, format: 'blds', map: `${path}.json`, path: `${path}.csv` } as const
  await execute(loadPermits, wholeService(), file)
  writeFileSync(marker, wanted, { mode: 0o600 })
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
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
    await loadIfStale(contractor, settings.dataDir, isNew)
    const known = before?.contractors.find(({ id }) => id === contractor.id)
    contractors.push({ id: contractor.id, name: contractor.name, keys: await provideKeys(db, contractor, known) })
  }
  const admin = await provideAdmin(db, before?.admin ?? null, contractors)
  await loadPermitsIfStale(db, settings.dataDir)
  const demo: DemoFile = { ...demoUrls(settings), admin, contractors }
  writeDemoFile(settings.dataDir, demo)
  return demo
}

/** The text shown when the demonstration has started. */
export function demoWelcome(demo: DemoFile, dataDir: string): string {
  const [first] = demo.contractors
  const data = demo.dataApiUrl
  const keys = demo.contractors.map(({ name, id, keys: { integration, leadSource, agent } }) =>
    [
      `  ${name} (${id})`,
      `    integration  ${integration}`,
      `    lead source  ${leadSource}`,
      `    agent        ${agent}`,
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
