import { mkdirSync } from 'node:fs'
import type { Browser, Page } from '@playwright/test'
import { RESOURCE_NAMES } from '@/lib/core/resource-names'
import { ask, connect, disconnect, type Named, use } from './connecting'
import { expect, makeContractor, type Service, test } from './fixtures'
import { look, PICTURES } from './look'
import { type Account, person, tabOf } from './portal'
import { command } from './running'
import { settled } from './settled'

// What pages of connections look like with much, with little and with nothing in them; look-pages.spec.ts opens each page once.
test.describe.configure({ mode: 'serial' })

const local = (name: string): Named => ({ name, redirectUri: 'http://127.0.0.1:33418/callback' })
const CLAUDE: Named = {
  name: 'Claude',
  clientId: 'https://claude.ai/oauth/mcp-oauth-client-metadata',
  redirectUri: 'https://claude.ai/api/mcp/auth_callback',
}
const EVERYTHING = [...RESOURCE_NAMES, 'materials', 'permits', 'knowledge']
const LONG = 'Quarterly-receivables-reconciliation-assistant of the accounting department (Nashville)'

/** Programs as they are out there: verified and not, with a long name, on the person's machine and elsewhere. */
const PROGRAMS: Named[] = [
  CLAUDE,
  { name: 'ChatGPT', redirectUri: 'https://chatgpt.com/connector/oauth/AbCdEf123' },
  { name: 'Cursor', redirectUri: 'cursor://anysphere.cursor-mcp/oauth/callback' },
  { name: 'Visual Studio Code', redirectUri: 'https://vscode.dev/redirect' },
  { name: 'Copilot Studio', redirectUri: 'https://global.consent.azure-apim.net/redirect/plumbline-5f3a' },
  { ...local('mcp-remote'), scopes: EVERYTHING.map((name) => `read:${name}`) },
  local('MCP Inspector'),
  local(LONG),
  {
    name: 'Unbrokennamewithoutanyspaceswhatsoeverthatgoesonandonandon',
    redirectUri: 'https://a-very-long-host-name-of-a-program.integrations.example.com/cb',
  },
  { name: 'Desk', redirectUri: 'https://desk.example.com/callback' },
  local('Codex'),
]

let [many, few]: { id: string }[] = []
let admin: Account
let member: Account
let viewer: Account

/** Connects as much as an office of many does; some of it is used, and one has ended. */
async function fill(service: Service): Promise<void> {
  const { url } = service
  for (const program of PROGRAMS) {
    const tokens = await connect(service, admin, many?.id ?? '', program)
    if (program !== PROGRAMS[3]) await use(url, tokens.access)
    if (program.name === 'Codex') await disconnect(url, tokens)
  }
  for (const program of [CLAUDE, local('Claude Code')]) await connect(service, member, many?.id ?? '', program)
  await use(url, (await connect(service, member, few?.id ?? '', CLAUDE)).access)
}

test.beforeAll(async ({ browser, service }) => {
  test.setTimeout(180_000)
  many = await makeContractor(service.home, 'Whitfield & Daughters Roofing')
  few = await makeContractor(service.home, 'Harpeth Electric')
  admin = await person(service, many.id, 'admin')
  member = await person(service, many.id, 'developer')
  viewer = await person(service, few.id, 'viewer')
  const link = await command(
    service.home,
    'admin',
    'create',
    '--contractor',
    few.id,
    '--email',
    member.email,
    '--role',
    'viewer',
  )
  const { page, close } = await tabOf(browser, service.url, member)
  await page.goto(link)
  await page.getByRole('button', { name: 'Join Harpeth Electric' }).click()
  await page.waitForURL(`${service.url}/`)
  await close()
  await fill(service)
})

/** Opens a page, and looks at it at every width in both themes. */
async function picture(
  browser: Browser,
  { url }: Service,
  who: Account,
  path: string,
  name: string,
  act = async (_: Page) => {},
) {
  if (PICTURES) mkdirSync(PICTURES, { recursive: true })
  const { page, close } = await tabOf(browser, url, who)
  await page.goto(path.startsWith('http') ? path : url + path)
  await settled(page)
  await act(page)
  expect.soft(await look(page, name), name).toEqual([])
  const text = await page.getByRole('main').textContent()
  expect.soft(text, name).not.toMatch(/\b(grt|psn|ctr|key)_[a-z0-9]{20}/)
  await close()
}

test('the connections of a team with many, of one of its people, of somebody with none', async ({
  browser,
  service,
}) => {
  test.setTimeout(600_000)
  await picture(browser, service, admin, '/connections', 'connections-many')
  await picture(browser, service, member, '/connections', 'connections-own')
  await picture(browser, service, viewer, '/connections', 'connections-none')
})

test('with a list of what may be connected, what is on none is shown as blocked, and refused on the page', async ({
  browser,
  service,
}) => {
  test.setTimeout(600_000)
  await picture(browser, service, admin, '/connections', 'connections-listed', async (page) => {
    await page.getByLabel('Only these').check()
    await page.getByLabel('Destinations').fill('claude.ai\nchatgpt.com')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Blocked').first()).toBeVisible()
  })
  const { page: refused } = await ask(service.url, local('mcp-remote'))
  await picture(browser, service, admin, refused, 'connect-refused', async (page) => {
    await page.getByRole('button', { name: 'Allow' }).click()
    await expect(page.getByText(/do not allow programs at this computer/)).toBeVisible()
  })
})

test('the question to the person: verified and not, with all that there is, for a viewer, and when it is over', async ({
  browser,
  service,
}) => {
  test.setTimeout(600_000)
  const { url } = service
  const all = EVERYTHING.map((name) => `read:${name}`)
  await picture(browser, service, member, (await ask(url, { ...CLAUDE, scopes: all })).page, 'connect-verified')
  await picture(browser, service, admin, (await ask(url, { ...local(LONG), scopes: all })).page, 'connect-long')
  const asksToWrite = await ask(url, { ...local('Lead Writer'), scopes: ['read:customers', 'write:leads'] })
  await picture(browser, service, viewer, asksToWrite.page, 'connect-viewer')
  await picture(browser, service, viewer, `${asksToWrite.page}x`, 'connect-over')
  await picture(browser, service, viewer, '/connect?error=invalid_client', 'connect-unknown')
})
