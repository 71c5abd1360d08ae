import { createHash, randomBytes } from 'node:crypto'
import { expect, test } from './fixtures'
import { makePerson } from './people'

const REDIRECT = 'http://127.0.0.1:33418/callback'
const JSON_TYPE = { 'content-type': 'application/json' }

const read = async (address: string, init?: RequestInit) => {
  const response = await fetch(address, init)
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
}

test('from the MCP URL alone: discovery, registration, a person’s consent, tokens, a call, a refresh, a revocation', async ({
  browser,
  service,
}) => {
  const call = (token?: string) =>
    read(`${service.url}/mcp/rpc`, {
      method: 'POST',
      headers: { ...JSON_TYPE, ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'list_customers', arguments: {} },
      }),
    })
  const refused = await call()
  expect(refused.status).toBe(401)
  const metadata = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '')?.[1] ?? ''
  const { resource, authorization_servers: servers, scopes_supported: scopes } = (await read(metadata)).body
  expect(resource).toBe(`${service.url}/mcp`)
  const { body: server } = await read(`${servers[0]}/.well-known/oauth-authorization-server`)
  expect(server.issuer).toBe(servers[0])
  const { body: client } = await read(server.registration_endpoint, {
    method: 'POST',
    headers: JSON_TYPE,
    body: JSON.stringify({
      client_name: 'Whole Way',
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    }),
  })

  const verifier = randomBytes(32).toString('base64url')
  const asked = new URLSearchParams({
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: REDIRECT,
    scope: [...scopes, 'offline_access'].join(' '),
    state: 'a state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource,
  })
  const who = await makePerson(service, service.contractorId, 'viewer')
  const page = await browser.newPage()
  let arrivals = 0
  await page.route(`${REDIRECT}**`, (route) => {
    arrivals++
    return route.fulfill({ contentType: 'text/html', body: '<h1>Done</h1>' })
  })
  await page.goto(`${server.authorization_endpoint}?${asked}`)
  await page.getByLabel('Email address').fill(who.email)
  await page.getByLabel('Password').fill(who.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.waitForURL(`${REDIRECT}**`)
  const back = new URL(page.url()).searchParams
  expect([back.get('iss'), back.get('state')]).toEqual([server.issuer, 'a state'])

  const post = (address: string, form: Record<string, string>) =>
    read(address, { method: 'POST', body: new URLSearchParams({ ...form, client_id: client.client_id }) })
  const code = { code: back.get('code') ?? '', redirect_uri: REDIRECT, code_verifier: verifier }
  const first = await post(server.token_endpoint, { grant_type: 'authorization_code', ...code })
  expect(first.status).toBe(200)
  const answered = await call(first.body.access_token)
  expect([answered.status, answered.body.result.isError]).toEqual([200, undefined])
  const refresh = (token: string) => post(server.token_endpoint, { grant_type: 'refresh_token', refresh_token: token })
  const second = await refresh(first.body.refresh_token)
  expect((await call(second.body.access_token)).status).toBe(200)
  expect((await post(server.revocation_endpoint, { token: second.body.refresh_token })).status).toBe(200)
  expect((await call(second.body.access_token)).status).toBe(401)
  expect((await refresh(second.body.refresh_token)).body.error).toBe('invalid_grant')
  // A program that is given its code twice redeems it twice, which ends the connection.
  expect(arrivals).toBe(1)
  await page.context().close()
})

test('a browser of anybody is sent to no address of a program that anybody registered: what is wrong is said here', async ({
  browser,
  service,
}) => {
  const { body: client } = await read(`${service.url}/oauth2/register`, {
    method: 'POST',
    headers: JSON_TYPE,
    body: JSON.stringify({ client_name: 'Anybody', redirect_uris: ['https://phishing.example.com/callback'] }),
  })
  const page = await browser.newPage()
  const asked = {
    client_id: client.client_id,
    redirect_uri: client.redirect_uris[0],
    state: 'x',
    scope: 'read:customers',
  }
  for (const [wrong, said] of [
    [{ response_type: 'token' }, 'asks in an old way that is not safe'],
    [{ response_type: 'code' }, 'was not understood'],
    [
      { response_type: 'code', prompt: 'none', code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' },
      'without your seeing',
    ],
  ] as const) {
    await page.goto(`${service.url}/oauth2/authorize?${new URLSearchParams({ ...asked, ...wrong })}`)
    await expect(page.getByRole('alert').filter({ hasText: said })).toBeVisible()
    expect(new URL(page.url()).origin).toBe(new URL(service.url).origin)
  }
  await page.context().close()
})
