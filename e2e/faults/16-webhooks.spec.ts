import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from '@playwright/test'
import { listenOnFreePort } from '../../lib/core/listen'
import { TEST_CERTIFICATE } from '../../lib/testing/private-keys'
import { sampleBooks } from '../../lib/testing/tenant'
import { get, makeContractor } from '../fixtures'
import { ANA, post, UNLIMITED } from '../lead'
import { command, type Driver, type Home, launch, makeHome, plumbline, type Running } from '../running'
import { msUntil, report } from './own-postgres'

const PUBLIC_NAME = pathToFileURL('e2e/faults/public-name.mjs').href
const CLOCK = pathToFileURL('e2e/faults/clock.mjs').href
const RECORDS = ['customer', 'project', 'invoice', 'payment', 'estimate']
const EVENTS = RECORDS.flatMap((name) => ['created', 'updated', 'deleted'].map((change) => `${name}.${change}`))
const LISTS: Record<string, string> = Object.fromEntries(RECORDS.map((name) => [`${name}s`, name]))
const KILLS = 6

type Event = { type: string; at: string; id: string; updatedAt?: string | undefined }
const nameOf = ({ type, at, id, updatedAt }: Event) => [type, at, id, updatedAt].join(' ')

/** A receiver that takes events, is down, refuses some, or takes them and answers too late. */
async function openReceiver() {
  const taken: Event[] = []
  let attempts = 0
  const state: { mode: 'up' | 'down' | 'some' | 'silent' } = { mode: 'up' }
  const server = createServer(TEST_CERTIFICATE, (request, response) => {
    let body = ''
    request.on('data', (part) => {
      body += part
    })
    request.on('end', () => {
      attempts++
      const { mode } = state
      if (mode === 'down' || (mode === 'some' && attempts % 3 === 0)) return void response.writeHead(503).end()
      const { type, timestamp: at, data } = JSON.parse(body)
      taken.push({ type, at, id: data.id, updatedAt: data.updatedAt })
      if (mode !== 'silent') response.writeHead(204).end()
    })
  })
  const port = await listenOnFreePort(server)
  const close = () => void server.close().closeAllConnections()
  return { taken, state, port, close, attempts: () => attempts }
}
type Receiver = Awaited<ReturnType<typeof openReceiver>>

function settingsFor(home: Home, receiver: Receiver): Record<string, string> {
  const ca = join(home.dataDir, 'receiver.pem')
  writeFileSync(ca, TEST_CERTIFICATE.cert)
  const imports = [home.env.NODE_OPTIONS ?? '', `--import=${PUBLIC_NAME}`, `--import=${CLOCK}`]
  return {
    ...UNLIMITED,
    NODE_OPTIONS: imports.join(' ').trim(),
    NODE_EXTRA_CA_CERTS: ca,
    FAULT_RECEIVER_PORT: String(receiver.port),
    FAULT_CLOCK_MS: String(3_600_000),
  }
}

/** Writes until it is told to stop: leads, and loads that change, add and leave out rows. What a killed server does not answer is sent again. */
async function write(
  home: Home,
  id: string,
  leadKey: string,
  state: { server: Running; isUp: boolean; isOver: boolean },
) {
  const folder = join(home.dataDir, 'books')
  mkdirSync(folder, { recursive: true })
  for (let n = 0; !state.isOver; n++) {
    await post(state.server.url, leadKey, { ...ANA, email: `w${n}@example.com`, externalId: `w${n}` }).catch(() => {})
    // Without a server the command line would take the embedded database, and the next server could not.
    if (n % 5 > 0 || !state.isUp) {
      await new Promise((done) => setTimeout(done, 20))
      continue
    }
    const books = sampleBooks(6 + (n % 10), n % 2 ? ' again' : '')
    for (const [file, text] of Object.entries(books)) writeFileSync(join(folder, file), text)
    await command(home, 'load', '--contractor', id, folder, '--json').catch(() => {})
  }
}

/** Returns all that the feed tells behind a cursor. */
async function feedBehind(url: string, key: string, first: string): Promise<Event[]> {
  const events: Event[] = []
  for (let cursor = first; ; ) {
    const { body } = await get({ url, key }, `/api/v1/changes?cursor=${cursor}&limit=500`)
    for (const { resource, change, at, id, updatedAt } of body.items)
      if (change !== 'turned') events.push({ type: `${LISTS[resource]}.${change}`, at, id, updatedAt })
    cursor = body.cursor
    if (!body.more) return events
  }
}

/** Checks that the first arrivals of each record's events are in the feed's order. Returns how many are not. */
function outOfOrder(taken: Event[], fed: Event[]): number {
  const places = new Map(fed.map((event, i) => [nameOf(event), i]))
  const last = new Map<string, number>()
  const seen = new Set<string>()
  let wrong = 0
  for (const event of taken) {
    const name = nameOf(event)
    if (seen.has(name)) continue
    seen.add(name)
    const record = `${event.type.split('.')[0]} ${event.id}`
    const place = places.get(name) ?? -1
    if (place < (last.get(record) ?? -1)) wrong++
    last.set(record, place)
  }
  return wrong
}

for (const driver of ['pglite', 'pg', 'vercel'] as Driver[])
  test(`${driver}: receiver down, the server killed in between: every event at least once, in order for each record`, async () => {
    test.skip(driver !== 'pglite' && process.env.PLUMBLINE_WITHOUT_POSTGRES === '1', 'no Postgres was found')
    const home = await makeHome(driver)
    const receiver = await openReceiver()
    const settings = settingsFor(home, receiver)
    const start = async () => (await launch('server', home, settings)).ready()
    let last: Running | undefined
    try {
      const { id, leadKey } = await makeContractor(home, 'Webhooks')
      const scopes = [...Object.keys(LISTS).map((name) => `read:${name}`), 'write:webhooks'].join(',')
      const { stdout: key } = plumbline(
        home,
        'keys',
        'create',
        '--contractor',
        id,
        '--name',
        'hooks',
        '--scopes',
        scopes,
      )
      const state = { server: await start(), isUp: true, isOver: false }
      last = state.server
      const made = await post(
        state.server.url,
        key,
        { url: 'https://hook.example.com/in', events: EVENTS, description: 'Fault' },
        '/api/v1/webhooks/create',
      )
      expect(made.status, JSON.stringify(made.body)).toBe(200)
      const { body: begun } = await get({ url: state.server.url, key }, '/api/v1/changes')
      const writing = write(home, id, leadKey, state)
      const modes = ['up', 'some', 'down', 'silent', 'some', 'up'] as const
      for (let kill = 0; kill < KILLS; kill++) {
        receiver.state.mode = modes[kill % modes.length] ?? 'up'
        const before = receiver.attempts()
        await msUntil(async () => receiver.attempts() > before + 1)
        await new Promise((done) => setTimeout(done, 2_000 + Math.random() * 2_000))
        state.isUp = false
        await state.server.end('SIGKILL')
        last = await start()
        Object.assign(state, { server: last, isUp: true })
      }
      state.isOver = true
      await writing
      receiver.state.mode = 'up'
      const { url } = state.server
      const fed = await feedBehind(url, key, begun.cursor)
      // What waits after failures is due an hour later.
      state.server.process.kill('SIGUSR2')
      const names = new Set(fed.map(nameOf))
      const missing = () => {
        const got = new Set(receiver.taken.map(nameOf))
        return [...names].filter((name) => !got.has(name)).length
      }
      await msUntil(async () => missing() === 0).catch(() => {})
      const times = receiver.taken.filter((event) => names.has(nameOf(event))).length
      report(16, `server killed ${KILLS} times, receiver down in between (${driver})`, [
        { what: 'events', value: names.size, told: true },
        { what: 'never arrived', value: missing(), exactly: 0 },
        { what: 'arrived again', value: times - names.size, told: true },
        { what: 'not of the feed', value: receiver.taken.length - times, exactly: 0 },
        { what: 'out of order', value: outOfOrder(receiver.taken, fed), exactly: 0 },
      ])
      expect(names.size).toBeGreaterThan(10)
    } finally {
      await last?.end('SIGKILL')
      receiver.close()
      await home.remove()
    }
  })
