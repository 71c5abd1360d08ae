// `npm run lighthouse [paths]`: the scores of pages on a phone, from a server of its own over new demonstration data. `{record}` is an invoice's page.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { giveUp, provideDependencies, root } from '../../scripts/ready.mjs'
import { requireBrowser } from '../../scripts/services.mjs'

await provideDependencies('bench/lighthouse')
const { default: lighthouse } = await import('lighthouse')

const PAGES = [
  ...['/', '/keys', '/logs', '/leads', '/customers', '/invoices', '/reports/who-owes'],
  ...['/developers/guides', '/developers/guides/quick-start', '/mcp/console', '/developers/api'],
]
/** The pages that nobody sees who is signed in: the one that no crawler is to list, and the public home, which shares its path with a person's. */
const SIGNED_OUT = ['/sign-in', '/?visitor']
/** The address of a record in the first list that has one. */
const RECORD = /\/invoices\/inv_\w+/
const WANTED = { performance: 95, accessibility: 100, 'best-practices': 100, seo: 100 }

const freePort = () =>
  new Promise((done) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => done(port))
    })
  })

/** Waits until the server answers and has made its demonstration. */
async function untilReady(url, file) {
  for (const end = Date.now() + 180_000; Date.now() < end; await new Promise((done) => setTimeout(done, 200))) {
    const answer = await fetch(`${url}/health`).catch(() => undefined)
    if (answer?.ok && existsSync(file)) return
  }
  giveUp('The server was not ready within three minutes.')
}

const isLow = ({ scores }) => Object.entries(WANTED).some(([id, wanted]) => scores[id] < wanted)

/** The best of three: whatever else the machine does only ever takes points away. A run whose trace has no start is none. */
async function best(url, port, headers) {
  let found
  for (let runs = 0; runs < 3 && (!found || isLow(found)); runs++) {
    const next = await judge(url, port, headers).catch((error) => {
      if (!found && runs === 2) giveUp(`${url}: ${error.message}`)
    })
    if (next && !(next.scores.performance <= found?.scores.performance)) found = next
  }
  return found
}

/** The scores of a page, 0 to 100, and what took points away. */
async function judge(url, port, extraHeaders) {
  const { lhr } = await lighthouse(url, {
    port,
    extraHeaders,
    onlyCategories: Object.keys(WANTED),
    skipAudits: SIGNED_OUT.includes(new URL(url).pathname) ? ['is-crawlable'] : [],
    logLevel: 'error',
  })
  if (lhr.runtimeError) throw new Error(lhr.runtimeError.message)
  const scores = Object.fromEntries(
    Object.entries(lhr.categories).map(([id, { score }]) => [id, Math.round(score * 100)]),
  )
  const faults = Object.values(lhr.categories).flatMap(({ auditRefs }) =>
    auditRefs.filter(({ weight, id }) => weight > 0 && (lhr.audits[id].score ?? 1) < 0.9).map(({ id }) => id),
  )
  return { scores, faults }
}

/** The cookies of the demonstration's administrator, signed in by the form. */
async function signIn() {
  const { admin } = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8'))
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${base}/sign-in?next=/keys`, { waitUntil: 'networkidle' })
  await page.getByLabel('Email address').fill(admin.email)
  await page.getByLabel('Password').fill(admin.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(`${base}/keys`)
  const cookies = await context.cookies()
  await context.close()
  return cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
}

const asked = process.argv.slice(2)
const [serverPort, debugPort, dataDir] = [
  await freePort(),
  await freePort(),
  mkdtempSync(join(tmpdir(), 'plumbline-lighthouse-')),
]
const base = `http://localhost:${serverPort}`
const server = spawn(process.execPath, ['server.mjs', '--demo'], {
  cwd: root,
  stdio: ['ignore', 'ignore', 'inherit'],
  env: {
    ...process.env,
    NODE_ENV: 'production',
    PORT: String(serverPort),
    PLUMBLINE_DATA_DIR: dataDir,
    DATABASE_URL: '',
    DATABASE_DRIVER: '',
    POSTGRES_URL: '',
  },
})
process.once('exit', () => server.kill('SIGTERM'))
const executablePath = requireBrowser()
const browser = await chromium.launch({
  ...(executablePath && { executablePath }),
  args: ['--no-sandbox', '--disable-gpu', `--remote-debugging-port=${debugPort}`],
})
let failed = 0
let cookie = ''
try {
  await untilReady(base, join(dataDir, 'demo.json'))
  cookie = await signIn()
  // Those come last, because their cookies stay in the browser and would take the place of the session's.
  const [record = '/invoices'] =
    RECORD.exec(await (await fetch(`${base}/invoices`, { headers: { cookie, accept: 'text/html' } })).text()) ?? []
  const paths =
    asked.length > 0 ? asked.map((path) => path.replace('{record}', record)) : [...PAGES, record, ...SIGNED_OUT]
  for (const path of [...paths].sort((one, other) => SIGNED_OUT.includes(one) - SIGNED_OUT.includes(other))) {
    const headers = SIGNED_OUT.includes(path) ? {} : { cookie }
    // What a server does once, at the first visit of a page, is not the page's.
    for (let visit = 0; visit < 3; visit++)
      await (await fetch(base + path, { headers: { ...headers, accept: 'text/html' } })).text()
    const { scores, faults } = await best(base + path, debugPort, headers)
    const low = isLow({ scores })
    if (low) failed++
    console.log(
      `${low ? 'LOW ' : 'good'} ${path}  ${Object.values(scores).join(' / ')}${faults.length > 0 ? `  (${faults.join(', ')})` : ''}`,
    )
  }
} finally {
  await browser.close()
  await new Promise((done) => server.once('exit', done).kill('SIGTERM'))
  rmSync(dataDir, { recursive: true, force: true })
}
console.log(`performance / accessibility / best practices / search: at least ${Object.values(WANTED).join(' / ')}`)
process.exit(failed === 0 ? 0 : 1)
