import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { RESOURCE_NAMES } from '@/lib/core/resource-names'
import { expect, get, makeKey, type Service, test } from './fixtures'
import { layoutShift } from './layout'
import { post } from './lead'
import { look, openTab, PICTURES } from './look'
import { type Account, pageAs, person, tabOf } from './portal'
import { command } from './running'
import { settled } from './settled'

/** The share of a page that may move while it loads: less than anybody sees. */
const MOST_SHIFT = 0.01
/** Returns a route's limit: Swagger UI draws itself, within what is still called good (web.dev, Cumulative Layout Shift). */
const mostShift = (route: string): number => (route.includes('swagger') ? 0.1 : MOST_SHIFT)

type Opening = { path: string; as: 'admin' | 'visitor' }
const own = (path: string): Opening[] => [{ path, as: 'admin' }]
const open = (path: string): Opening[] => [{ path, as: 'visitor' }]

const WEBHOOK = /\/outgoing\/whk_\w+/

const hasOwnPage = (name: string): boolean => pagesOfBuild().includes(`/${name}/[id]`)

async function record(service: Service, name: string): Promise<Opening[]> {
  const { body } = await get(service, `/api/v1/${name}?limit=1`)
  return own(`/${name}/${body.items[0].id}`)
}

/** The ways pages are opened: those that stand for many, that visitors see too, or that lead elsewhere. */
const PAGES: Record<string, (service: Service) => Opening[] | Promise<Opening[]>> = {
  '/': () => [...open('/'), ...own('/')],
  '/sign-in': () => open('/sign-in'),
  '/sign-in/code': () => open('/sign-in/code'),
  '/reset-password/[token]': () => open('/reset-password/none'),
  '/sign-in/sso': () => open('/sign-in/sso'),
  '/sign-in/sso/[slug]': () => open('/sign-in/sso/none'),
  '/team/sso': () => own('/team/sso'),
  '/forgot-password': () => open('/forgot-password'),
  '/invitation/[token]': () => open('/invitation/none'),
  '/_not-found': () => [...open('/nothing-here'), ...own('/nothing-here')],
  '/keys/[id]': async (service) => own(await firstLink(service, '/keys', /\/keys\/key_\w+/)),
  '/keys/[id]/[act]': async (service) => own(`${await firstLink(service, '/keys', /\/keys\/key_\w+/)}/rotate`),
  '/alerts': () => own('/alerts'),
  '/outgoing/[id]': async (service) => own(await firstLink(service, '/outgoing', WEBHOOK)),
  '/outgoing/[id]/[delivery]': async (service) => {
    const webhook = await firstLink(service, '/outgoing', WEBHOOK)
    return own(await firstLink(service, webhook, /\/outgoing\/whk_\w+\/whd_\w+/))
  },
  '/logs/compare': () => own('/logs/compare'),
  '/logs/[id]': async (service) => own(await firstLink(service, '/logs', /\/logs\/req_[\w-]+/)),
  '/leads/[id]': async (service) => own(await firstLink(service, '/leads', /\/leads\/dlv_\w+/)),
  '/data/[[...path]]': () => [],
  '/data/sources/[id]': async (service) => own(await firstLink(service, '/data/sources', /\/data\/sources\/src_\w+/)),
  '/[resource]': () => RESOURCE_NAMES.flatMap((name) => own(`/${name}`)),
  '/[resource]/[id]': async (service) =>
    (await Promise.all(RESOURCE_NAMES.filter((name) => !hasOwnPage(name)).map((name) => record(service, name)))).flat(),
  ...Object.fromEntries(
    RESOURCE_NAMES.filter(hasOwnPage).map((name) => [`/${name}/[id]`, (service: Service) => record(service, name)]),
  ),
  '/developers/api': () => open('/developers/api'),
  '/developers/api/[operation]': () => open('/developers/api/list_invoices'),
  '/developers/guides': () => open('/developers/guides'),
  '/developers/guides/[slug]': () => open('/developers/guides/quick-start'),
  '/mcp/console': () => open('/mcp/console'),
}

/** A webhook with a delivery that cannot arrive: nobody is at its address. */
async function makeWebhook({ home, url, contractorId }: Service): Promise<void> {
  const granted = ['--preset', 'integration', '--scopes', 'write:webhooks']
  const key = await command(home, 'keys', 'create', '--contractor', contractorId, '--name', 'e2e', ...granted)
  const send = async (path: string, body: object) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' }
    const answer = await fetch(`${url}/api/v1/webhooks/${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    expect(answer.status).toBe(200)
    return await answer.json()
  }
  const description = 'The accounting platform, which takes payments as they come in'
  const events = ['payment.created', 'invoice.turned']
  const { id } = await send('create', { url: 'https://hooks.example.com/plumbline', events, description })
  await send('test', { id })
}

/** A source whose file is not where it says, and one that waits for mails. */
async function makeSources({ home, contractorId }: Service): Promise<void> {
  const add = (...args: string[]) => command(home, 'sources', 'add', '--contractor', contractorId, ...args)
  await add('--kind', 'mail', '--name', 'Reports by mail', '--provider', 'postmark', '--senders', '@example.com')
  const { id } = JSON.parse(
    await add(
      '--kind',
      'link',
      '--name',
      'Invoices of the office',
      '--url',
      'https://files.example.com/a.csv',
      '--json',
    ),
  )
  await command(home, 'sources', 'run', id, '--contractor', contractorId).catch(() => '')
}

// No page waits for another, and one worker would be busy with them to the end.
test.describe.configure({ mode: 'parallel' })

let admin: Account
test.beforeAll(async ({ service }) => {
  test.setTimeout(180_000)
  admin = await person(service, service.contractorId, 'admin')
  const key = await makeKey(service.home, service.contractorId, 'integration')
  for (const path of ['/invoices?status=overdue', '/payments', '/customers', '/invoices?limit=1000', '/nothing'])
    await fetch(`${service.url}/api/v1${path}`, { headers: { 'x-api-key': key } })
  await post(service.url, service.leadKey, { firstName: 'Dana', lastName: 'Whitfield', phone: '(615) 555-0142' })
  await post(service.url, service.leadKey, { firstName: 'No way to reach them' })
  await makeWebhook(service)
  await makeSources(service)
})

/** The first link of a list that leads to one of its entries; the log is written behind the requests, so it may take a moment. */
async function firstLink({ url }: Service, list: string, wanted: RegExp): Promise<string> {
  let found: string | undefined
  await expect
    .poll(async () => {
      found = wanted.exec((await pageAs(url, admin, list)).text)?.[0]
      return found
    })
    .toBeDefined()
  return found ?? ''
}

/** The pages of the build. What is shown when all else fails has a test of its own, without a server. */
function pagesOfBuild(): string[] {
  const manifest = '.next/app-path-routes-manifest.json'
  // Listing the tests needs no build.
  const routes: Record<string, string> = existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')) : {}
  const pages = Object.entries(routes).flatMap(([file, route]) => (file.endsWith('/page') ? [route] : []))
  return pages.filter((route) => route !== '/_global-error')
}

/** A page that is not listed is opened at its own path, as an administrator. */
const openingsOf = (route: string) => PAGES[route] ?? (() => own(route))

test('every page that stands for many is opened at one of them', () => {
  const built = pagesOfBuild()
  expect(built.filter((route) => route.includes('[') && !(route in PAGES))).toEqual([])
  expect(Object.keys(PAGES).filter((route) => !built.includes(route))).toEqual([])
})

for (const route of pagesOfBuild())
  test(`${route}: nothing is cut off and no control is covered, from 360 to 1920 px`, async ({ browser, service }) => {
    test.setTimeout(PICTURES ? 600_000 : 180_000)
    if (PICTURES) mkdirSync(PICTURES, { recursive: true })
    for (const { path, as } of await openingsOf(route)(service)) {
      const { page, scriptBytes, close } = await (as === 'admin'
        ? tabOf(browser, service.url, admin)
        : openTab(browser))
      await page.goto(service.url + path)
      await settled(page)
      const shift = await layoutShift(page)
      console.log(`${path}: ${scriptBytes()} bytes of script, gzipped; layout shift ${shift.toFixed(3)}`)
      expect.soft(shift, path).toBeLessThan(mostShift(route))
      const name = `${
        path === '/'
          ? 'start'
          : path
              .slice(1)
              .replace(/[^a-z]+/gi, '-')
              .slice(0, 40)
      }-${as}`
      expect.soft(await look(page, name, route), path).toEqual([])
      await close()
    }
  })

test('on a slow telephone no list moves while it arrives', async ({ browser, service }) => {
  test.setTimeout(180_000)
  // One of each kind of table; all pages are measured at full speed above.
  for (const path of ['/customers', '/logs']) {
    const { page, context, close } = await tabOf(browser, service.url, admin)
    const slow = await context.newCDPSession(page)
    await slow.send('Emulation.setCPUThrottlingRate', { rate: 6 })
    // Bytes a second, in small parts: a list takes several seconds.
    const speed = { downloadThroughput: 20_000, uploadThroughput: 20_000, latency: 300 }
    await slow.send('Network.emulateNetworkConditions', { offline: false, ...speed })
    await page.goto(service.url + path)
    await settled(page)
    expect.soft(await layoutShift(page), path).toBeLessThan(MOST_SHIFT)
    await close()
  }
})
