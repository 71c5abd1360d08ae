import { expect, test } from 'vitest'
import { servedPath } from '@/lib/http/rest/served'
import { sources } from '@/lib/leads/sources/registry'
import { mcpEndpoints } from '@/lib/mcp/endpoints'
import { isForPeople, isServed } from '@/lib/operations/define'
import { operations } from '@/lib/operations/registry'
import { KEYED_PATHS } from './keyed-paths'

const keyed = Object.values(operations)
  .filter(isServed)
  .filter((operation) => operation.access !== 'public' && !isForPeople(operation))

test.each(keyed.map((operation) => [servedPath(operation), operation] as const))(
  '%s is listed as its operation says',
  (path, { name, limit, http, deprecation }) => {
    const listed = KEYED_PATHS.find((entry) => entry.path === path && entry.name === name)
    // The gate's refusals lack the headers that announce a deprecation.
    expect(deprecation).toBeUndefined()
    const methods = http.method === 'GET' ? ['GET', 'HEAD'] : [http.method]
    expect(listed).toMatchObject({ protocol: 'rest', name, limit, methods })
    expect(listed?.takesBasic ?? false).toBe(http.method === 'POST' && http.lenientKey !== undefined)
  },
)

test('the listed senders with a key in the body are those whose body the operation checks for a key', () => {
  const { lenientKey } = operations.receiveLead.http?.method === 'POST' ? operations.receiveLead.http : {}
  const listed = KEYED_PATHS.find(({ name }) => name === 'receive_lead')
  const body = JSON.stringify({ google_key: 'plb_live_x', api_key: 'plb_live_x', key: 'plb_live_x' })
  for (const { name } of sources)
    expect(listed?.keyInBody?.includes(name), name).toBe(
      lenientKey?.inBody(`/api/webhooks/leads/${name}`, body) !== undefined,
    )
})

test('besides operations, only MCP endpoints are listed', () => {
  const paths = [...keyed.map(servedPath), ...mcpEndpoints.map(({ path }) => path)]
  expect(KEYED_PATHS.filter(({ path }) => !paths.includes(path))).toEqual([])
})

test('the listed path with a key in it is that of the operation that takes one', () => {
  const taking = keyed.filter(({ http }) => http.method === 'POST' && http.proof).map(({ name }) => name)
  expect(KEYED_PATHS.filter(({ keyInPath }) => keyInPath).map(({ name }) => name)).toEqual(taking)
})
