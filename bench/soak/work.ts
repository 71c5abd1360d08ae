import { RESOURCE_NAMES } from '@/lib/core/resource-names'
import { FeedClient } from '@/lib/testing/feed-client'
import { ANA, post } from '../../e2e/lead'
import { connect, LIST, send } from '../../e2e/mcp'

/** The URL to send requests to, and the keys to use. */
export type Target = { url: string; key: string; leadKey: string; agentKey: string; loadKey: string }

/** A kind of work: how many times per second it starts, and a function that does it once and returns the statuses. */
export type Work = { kind: string; perSecond: number; go(target: Target, i: number): Promise<number[]> }

const read = async ({ url, key }: Target, path: string) => {
  const answer = await fetch(url + path, { headers: { 'x-api-key': key } })
  await answer.arrayBuffer()
  return answer.status
}

const LISTS = RESOURCE_NAMES
const PAGES = ['/', '/sign-in', '/developers/guides', '/developers/guides/agents', '/mcp/console']

/** Sessions that stay open for a while, as agents keep them. */
const sessions: Awaited<ReturnType<typeof connect>>[] = []
const MOST_SESSIONS = 50

async function useSession({ url, agentKey: key }: Target): Promise<number[]> {
  const statuses: number[] = []
  if (sessions.length < MOST_SESSIONS) sessions.push(await connect(url, key))
  const session = sessions.shift() ?? (await connect(url, key))
  statuses.push((await send(url, { key, headers: session, body: LIST })).status)
  const params = { name: 'list_invoices', arguments: { limit: 5 } }
  const call = { jsonrpc: '2.0', id: 9, method: 'tools/call', params }
  statuses.push((await send(url, { key, headers: session, body: call })).status)
  if (Math.random() < 0.2) statuses.push((await send(url, { method: 'DELETE', key, headers: session })).status)
  else sessions.push(session)
  return statuses
}

/** The project of each lead that was acknowledged, by the lead's external id. */
const acknowledged = new Map<string, Set<string>>()

async function sendLead({ url, leadKey }: Target, i: number): Promise<number[]> {
  const externalId = `soak-${i - (i % 5 === 0 ? 1 : 0)}`
  const { status, body } = await post(url, leadKey, { ...ANA, email: `soak${i}@example.com`, externalId })
  if (status < 300) acknowledged.set(externalId, (acknowledged.get(externalId) ?? new Set()).add(body.projectId))
  return [status]
}

/** The rows of each file that is loaded; every load changes the names of a tenth of them. */
const ROWS = 500

/** The load that runs: an office begins the next one after it, since a contractor has one at a time (409). */
let loading: Promise<unknown> = Promise.resolve()

function loadInTurn(target: Target, i: number): Promise<number[]> {
  const mine = loading.then(() => loadCustomers(target, i))
  loading = mine.catch(() => {})
  return mine
}

async function loadCustomers({ url, loadKey }: Target, i: number): Promise<number[]> {
  const lines = Array.from({ length: ROWS }, (_, row) => `S${row},Customer ${row} of ${row % 10 === i % 10 ? i : 0}`)
  const answer = await fetch(`${url}/api/v1/loads/customers.csv`, {
    method: 'PUT',
    headers: { 'x-api-key': loadKey },
    body: ['Customer ID,Name', ...lines].join('\n'),
  })
  await answer.arrayBuffer()
  return [answer.status]
}

const asking =
  ({ url, key }: Target): ConstructorParameters<typeof FeedClient>[0] =>
  async (path) => {
    const answer = await fetch(url + path, { headers: { 'x-api-key': key } })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, text, body: JSON.parse(text) }
  }
let follower: FeedClient | undefined
let following = Promise.resolve()

/** Follows the feed with one client, which keeps a copy of every record. */
async function follow(target: Target): Promise<number[]> {
  // One that failed is counted, and the next one goes on from the same place.
  following = following
    .catch(() => {})
    .then(async () => {
      if (follower) return void (await follower.catchUp())
      const begun = new FeedClient(asking(target))
      await begun.begin()
      follower = begun
    })
  await following
  return [200]
}

/** Returns what the work before left wrong: a lead without its project or with two, a copy that is not what the lists say. */
export async function whatWasLost(target: Target): Promise<string[]> {
  await follow(target)
  const now = new FeedClient(asking(target))
  await now.begin()
  const projects = now.copy.get('projects')
  const leads = [...acknowledged.values()]
  const without = leads.filter((ids) => [...ids].some((id) => !projects?.has(id))).length
  const twice = leads.filter((ids) => ids.size > 1).length
  const isSame = JSON.stringify(follower?.proof()) === JSON.stringify(now.proof())
  return [
    without > 0 ? `${without} acknowledged leads have no project.` : '',
    twice > 0 ? `${twice} leads became more than one project.` : '',
    isSame ? '' : 'The copy that followed the feed is not what the lists say.',
  ].filter((what) => what !== '')
}

/** The number of leads that were acknowledged. */
export const leadsAcknowledged = (): number => acknowledged.size

/** A typical day's mix, at ten times its rate. */
export const MIX: Work[] = [
  {
    kind: 'data API',
    perSecond: 40,
    go: async (target, i) => [await read(target, `/api/v1/${LISTS[i % LISTS.length]}?limit=${i % 7 === 0 ? 100 : 20}`)],
  },
  {
    kind: 'leads',
    perSecond: 4,
    go: sendLead,
  },
  { kind: 'MCP', perSecond: 5, go: useSession },
  {
    kind: 'pages',
    perSecond: 3,
    go: async (target, i) => [await read(target, PAGES[i % PAGES.length] ?? '/')],
  },
  { kind: 'sync', perSecond: 0.5, go: follow },
  { kind: 'loads', perSecond: 0.1, go: loadInTurn },
]
