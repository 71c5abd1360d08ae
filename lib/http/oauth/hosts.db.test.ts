import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Database } from '@/db/client'
import { issuerOf, resourceOf } from '@/lib/auth/oauth/places'
import { env } from '@/lib/core/env'
import { bearer, initialize, mcp, Program, rpc, someone } from '@/lib/testing/oauth'
import { openPeopleDatabase } from '@/lib/testing/people'
import { call, sampleBooks } from '@/lib/testing/tenant'
import { routeHost } from '../hosts'

const HOSTS = { DATA_API_HOST: 'api.example.com', MCP_HOST: 'mcp.example.com', PORTAL_HOST: 'app.example.com' }
vi.hoisted(() =>
  Object.assign(process.env, {
    DATA_API_HOST: 'api.example.com',
    MCP_HOST: 'mcp.example.com',
    PORTAL_HOST: 'app.example.com',
  }),
)

let db: Database
beforeAll(async () => {
  db = await openPeopleDatabase()
})
afterAll(() => db.close())

/** Asks an address as a client does, by the host's routing. */
async function ask(address: string) {
  const { host, pathname } = new URL(address)
  const routed = routeHost(host, pathname, env())
  if ('misdirected' in routed) throw new Error(`${address} is misdirected`)
  return await call(routed.path)
}

test('three hosts: each face’s challenge leads by its own host’s metadata to the portal’s authorization server, and tokens work there', async () => {
  const { by, browser, tenant } = await someone(db)
  await tenant.load(sampleBooks(1))
  for (const [face, path, method, resource] of [
    ['mcp', '/mcp/rpc', 'POST', 'https://mcp.example.com/mcp'],
    ['api', '/api/v1/customers', 'GET', 'https://api.example.com'],
  ] as const) {
    const { headers } = await call(path, { method })
    const named = /resource_metadata="([^"]+)"/.exec(headers.get('www-authenticate') ?? '')?.[1] ?? ''
    expect(new URL(named).host).toBe(new URL(resource).host)
    // Clients look at the root and with the path of what they were given.
    for (const each of new Set([named, `${new URL(resource).origin}/.well-known/oauth-protected-resource`]))
      expect((await ask(each)).body).toMatchObject({ resource, authorization_servers: ['https://app.example.com'] })
    expect(resourceOf(face)).toBe(resource)
  }
  for (const name of ['oauth-authorization-server', 'openid-configuration']) {
    const { body } = await ask(`${issuerOf()}/.well-known/${name}`)
    expect(body.issuer).toBe('https://app.example.com')
    for (const [key, value] of Object.entries(body))
      if (/_endpoint$|_uri$/.test(key)) expect(new URL(String(value)).host, key).toBe(HOSTS.PORTAL_HOST)
  }
  // On the other hosts there is no authorization server, and it is said in JSON.
  expect((await ask('https://mcp.example.com/.well-known/oauth-authorization-server')).status).toBe(404)
  const program = await Program.registered()
  const { access, back } = await program.connect(browser, by)
  expect(back.searchParams.get('iss')).toBe('https://app.example.com')
  expect((await rpc(access)).status).toBe(200)
  expect((await mcp(access, initialize, { host: HOSTS.MCP_HOST })).status).toBe(200)
  const ofApi = await program.connect(browser, by, ['read:customers'], { resource: resourceOf('api') })
  expect((await call('/api/v1/customers', { headers: bearer(ofApi.access) })).status).toBe(200)
  expect((await call('/api/v1/customers', { headers: bearer(access) })).status).toBe(401)
})
