import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Browser, Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { expectWellMade, sideways } from './look'
import { makePerson, type Person } from './people'
import { person as signedIn, tabOf } from './portal'
import { settled } from './settled'

/** A program on the person's machine: it listens for the browser that comes back, and keeps what an SDK gives it. */
async function program() {
  let heard: (url: URL) => void = () => {}
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'text/html').end('<title>Done</title><h1>Done</h1>')
    if (request.url?.startsWith('/callback')) heard(new URL(request.url, redirectUrl))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const redirectUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`
  const kept = new Map<string, unknown>()
  let sentTo: URL | undefined
  const provider = {
    redirectUrl,
    clientMetadata: {
      client_name: 'Test Assistant',
      redirect_uris: [redirectUrl],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
    clientInformation: () => kept.get('client') as { client_id: string } | undefined,
    saveClientInformation: (client: unknown) => void kept.set('client', client),
    tokens: () => kept.get('tokens') as { access_token: string; token_type: string } | undefined,
    saveTokens: (tokens: unknown) => void kept.set('tokens', tokens),
    redirectToAuthorization: (url: URL) => {
      sentTo = url
    },
    saveCodeVerifier: (verifier: string) => void kept.set('verifier', verifier),
    codeVerifier: () => String(kept.get('verifier')),
  }
  return {
    provider,
    sentTo: () => {
      if (!sentTo) throw new Error('the SDK asks for a browser')
      return sentTo.toString()
    },
    /** Waits for the URL the browser returns to. */
    comesBack: () =>
      new Promise<URL>((done) => {
        heard = done
      }),
    close: () => server.close(),
  }
}

async function signInOn(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

const open = async (browser: Browser, options: Parameters<Browser['newContext']>[0] = {}) => {
  const context = await browser.newContext(options)
  return { context, page: await context.newPage() }
}

test('a person connects an SDK’s client: sign-in, consent, calls; the connection is listed, and ended it is refused', async ({
  browser,
  service,
}, info) => {
  const { url, contractorId } = service
  const who = await makePerson(service, contractorId, 'admin')
  const own = await program()
  const client = () => new Client({ name: 'acceptance', version: '1.0.0' })
  const transport = () => new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider: own.provider })
  const first = transport()
  await expect(client().connect(first)).rejects.toThrow('Unauthorized')

  const { context, page } = await open(browser)
  await page.goto(own.sentTo())
  await signInOn(page, who)
  await expect(page.getByRole('heading', { name: 'Connect a program' })).toBeVisible()
  await expect(page.getByText('Not verified')).toBeVisible()
  await expectWellMade(page, (name) => info.outputPath(`consent-${name}`))
  const answer = await page.request.get(page.url())
  expect(answer.headers()['content-security-policy']).toMatch(/form-action 'self'; frame-ancestors 'none'/)
  const back = own.comesBack()
  await page.getByRole('button', { name: 'Allow' }).click()
  const { searchParams } = await back
  expect(searchParams.get('iss')).toBe(url)
  await first.finishAuth(searchParams.get('code') ?? '')

  const connected = client()
  await connected.connect(transport())
  const { tools } = await connected.listTools()
  expect(tools.map(({ name }) => name)).toContain('list_customers')
  expect(tools.map(({ name }) => name)).not.toContain('create_lead')
  expect(await connected.callTool({ name: 'list_customers', arguments: {} })).not.toHaveProperty('isError')
  await context.close()

  const admin = await signedIn(service, contractorId, 'admin')
  const tab = await tabOf(browser, url, admin)
  await tab.page.goto(`${url}/connections`)
  await expect(
    tab.page
      .getByRole('cell', { name: /Test Assistant/ })
      .or(tab.page.getByText('Test Assistant'))
      .first(),
  ).toBeVisible()
  await settled(tab.page)
  await expectWellMade(tab.page, (name) => info.outputPath(`connections-${name}`))
  await tab.page.getByRole('button', { name: 'End' }).first().click()
  await tab.page.getByRole('button', { name: 'End connection' }).click()
  await expect(tab.page.getByText('Ended', { exact: true }).first()).toBeVisible()
  await expect(connected.callTool({ name: 'list_customers', arguments: {} })).rejects.toThrow()
  await tab.close()
  own.close()
})

test('without script, on a phone, the newer SDK’s client is connected too, and a refusal goes back as one @slow', async ({
  browser,
  service,
}) => {
  const { url, contractorId } = service
  const who = await makePerson(service, contractorId, 'viewer')
  const { context, page } = await open(browser, { javaScriptEnabled: false, viewport: { width: 360, height: 740 } })
  const connect = async (button: RegExp, isFirst: boolean) => {
    const own = await program()
    const client = () =>
      new NewClient({ name: 'acceptance', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
    const transport = () => new NewTransport(new URL(`${url}/mcp`), { authProvider: own.provider })
    const first = transport()
    await expect(client().connect(first)).rejects.toThrow()
    await page.goto(own.sentTo())
    if (isFirst) await signInOn(page, who)
    await expect(page.getByRole('heading', { name: 'Connect a program' })).toBeVisible()
    expect(await sideways(page)).toBe(0)
    const back = own.comesBack()
    await page.getByRole('button', { name: button }).click()
    return { own, client, transport, first, params: (await back).searchParams }
  }
  const { own, client, transport, first, params } = await connect(/^Allow/, true)
  await first.finishAuth(params)
  const connected = client()
  await connected.connect(transport())
  expect(await connected.callTool({ name: 'list_customers', arguments: {} })).not.toHaveProperty('isError')
  own.close()
  const refused = await connect(/Cancel/, false)
  expect(refused.params.get('error')).toBe('access_denied')
  refused.own.close()
  await context.close()
})

test('the console connects as the person who signs in: tokens are in the page’s memory only, and end with it', async ({
  browser,
  service,
}) => {
  const { url, contractorId } = service
  const who = await makePerson(service, contractorId, 'developer')
  const { context, page } = await open(browser)
  await page.goto(`${url}/mcp/console`)
  await page.getByRole('button', { name: 'Sign in with your account' }).click()
  await signInOn(page, who)
  await expect(page.getByText(`Verified: ${new URL(url).host}`)).toBeVisible()
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(page.getByText(/^Connected as yourself/)).toBeVisible()
  expect(new URL(page.url()).search).toBe('')
  await page.getByRole('button', { name: 'list_customers' }).click()
  await page.getByRole('button', { name: 'Call tool' }).click()
  await expect(page.getByRole('region', { name: /^Result/ })).toContainText('answered')
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]))
  expect(kept).not.toContain('eyJ')
  expect(kept).not.toContain('verifier')
  await page.getByRole('button', { name: 'Disconnect' }).click()
  await page.goto(`${url}/connections`)
  await expect(page.getByText('Ended', { exact: true })).toBeVisible()
  await context.close()
})
