import { RESOURCE_NAMES } from '@/lib/core/resource-names'
import { ANA, post } from '../../e2e/lead'
import { connect, LIST, send } from '../../e2e/mcp'

/** The URL to send requests to, and the keys to use. */
export type Target = { url: string; key: string; leadKey: string; agentKey: string }

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
    go: async ({ url, leadKey }, i) => {
      const lead = { ...ANA, email: `soak${i}@example.com`, externalId: `soak-${i - (i % 5 === 0 ? 1 : 0)}` }
      return [(await post(url, leadKey, lead)).status]
    },
  },
  { kind: 'MCP', perSecond: 5, go: useSession },
  {
    kind: 'pages',
    perSecond: 3,
    go: async (target, i) => [await read(target, PAGES[i % PAGES.length] ?? '/')],
  },
]
