import fc from 'fast-check'
import { expect, get, type Service, test } from './fixtures'
import { Description } from './fuzz/description'
import { type Known, requestsOf } from './fuzz/requests'
import { asCurl, send } from './fuzz/send'
import { faultsOf } from './fuzz/verdict'
import { command, type Home, kindOf } from './running'
import { stockOf } from './stock'

// Requests made from the API description, right and wrong ones. Whatever is sent, the answer is one that the description has. `npm run
// fuzz` sends more of them, and others each time.
const RUNS = Number(process.env.FUZZ_RUNS ?? 40)
const SEED = Number(process.env.FUZZ_SEED ?? 1)
const ONLY = process.env.FUZZ_ONLY

// A service of its own: what is sent stays in its data.
test.use({ settings: { RATE_LIMIT_EXPORT: '1000000' } })

const makeKey = (home: Home, contractor: string, ...granted: string[]) =>
  command(home, 'keys', 'create', '--contractor', contractor, '--name', 'fuzz', ...granted)

/** Sends a POST with a key, and gives what it answers. */
async function post({ url, key }: { url: string; key: string }, path: string, body: unknown) {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  expect(response.status).toBe(200)
  return await response.json()
}

/** Ids, tokens and cursors of the service, by the name of the parameter that takes them. */
async function knownOf(service: Service, spare: string): Promise<Known> {
  const { home, contractorId } = service
  const key = await makeKey(home, contractorId, '--preset', 'integration', '--scopes', 'write:webhooks,write:data')
  const from = { url: service.url, key }
  const lists = await Promise.all(
    ['customers', 'projects', 'invoices'].map(async (name) => (await get(from, `/api/v1/${name}?limit=5`)).body),
  )
  const [customers, projects] = lists.map(({ items }) => items.map(({ id }: { id: string }) => id))
  const { body: changes } = await get(from, '/api/v1/changes')
  const hook = { url: 'https://hooks.example.com/fuzz', events: ['invoice.created'] }
  const { id: webhook } = await post(from, '/api/v1/webhooks/create', hook)
  const { id: delivery } = await post(from, '/api/v1/webhooks/test', { id: webhook })
  const ofWebhook = ['{id}', 'change', 'rotate', 'test', 'replay'].map((name) => [
    `/api/v1/webhooks/${name} id`,
    [webhook],
  ])
  const ofDelivery = ['{id}', 'replay'].map((name) => [`/api/v1/webhook-deliveries/${name} id`, [delivery]])
  return {
    values: {
      contractorId: [contractorId],
      id: lists.flatMap(({ items }) => items.map(({ id }: { id: string }) => id)),
      customerId: customers,
      projectId: projects,
      pageToken: lists.map(({ nextPageToken }) => nextPageToken),
      cursor: [changes.cursor],
      source: ['zapier', 'angi', 'thumbtack', 'google-ads', 'none'],
      // What waits for a change would wait as long as it was told to.
      wait: ['0'],
      webhook: [webhook],
      ...Object.fromEntries([...ofWebhook, ...ofDelivery]),
    },
    key,
    leadKey: service.leadKey,
    otherKeys: [spare, service.leadKey, key, `${key}x`, '"'.repeat(2000)],
  }
}

test('whatever is sent to an operation, its answer is described', async ({ service, driver }) => {
  test.setTimeout(3_600_000)
  const description = new Description((await get(service, '/api/v1/openapi')).body)
  const known = await knownOf(service, stockOf(kindOf(driver)).spare.key)
  const operations = description.operations.filter(({ id }) => !ONLY || ONLY.split(',').includes(id))
  const counts: Record<number, number> = {}
  const found: string[] = []
  const fuzz = async (operation: (typeof operations)[number]) => {
    const property = fc.asyncProperty(requestsOf(operation, known, description), async (shot) => {
      const answered = await send(service.url, shot)
      counts[answered.status] = (counts[answered.status] ?? 0) + 1
      const faults = faultsOf(operation, shot, answered, description)
      if (faults.length > 0) throw new Error(`${faults.join('; ')}\n  ${asCurl(shot)}`)
    })
    const { failed, errorInstance } = await fc.check(property, { numRuns: RUNS, seed: SEED, maxSkipsPerRun: 10 })
    if (failed) found.push(`${operation.id}: ${errorInstance instanceof Error ? errorInstance.message : errorInstance}`)
  }
  // Several at a time, so that neither side waits for the other.
  const waiting = [...operations]
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await fuzz(next)
  }
  await Promise.all([work(), work(), work()])
  const sent = Object.entries(counts).map(([status, count]) => `${status}: ${count}`)
  console.log(`fuzzed ${operations.length} operations with seed ${SEED}, ${RUNS} runs each; answers ${sent.join(', ')}`)
  expect(found, `FUZZ_SEED=${SEED} FUZZ_RUNS=${RUNS} repeats it:\n${found.join('\n\n')}`).toEqual([])
})
