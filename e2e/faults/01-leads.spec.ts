import { connect } from 'node:net'
import { expect, test } from '@playwright/test'
import { get, makeContractor } from '../fixtures'
import { ANA, INBOUND, post, UNLIMITED } from '../lead'
import { type Driver, launch, makeHome, type Running } from '../running'
import { report } from './own-postgres'

type Crowd = { servers: Running[]; key: string; leadKey: string; title: string }

/** Runs with one server over the embedded database, or two over one Postgres. */
async function withServers(driver: Driver, run: (crowd: Crowd) => Promise<void>): Promise<void> {
  const home = await makeHome(driver)
  const servers: Running[] = []
  try {
    const { key, leadKey } = await makeContractor(home, 'Crowd')
    for (let i = 0; i < (driver === 'pglite' ? 1 : 2); i++)
      servers.push(await (await launch('server', home, UNLIMITED)).ready())
    const title = driver === 'pglite' ? 'embedded' : 'two instances over one Postgres'
    await run({ servers, key, leadKey, title })
  } finally {
    for (const server of servers) await server.end()
    await home.remove()
  }
}

const together = <T>(count: number, one: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, i) => one(i)))
const urlOf = ({ servers }: Crowd, i: number) => servers[i % servers.length]?.url ?? ''

/** Sends a complete lead on a connection that is dropped before the response is read. */
function drop(port: number, leadKey: string, body: string, afterMs: number): Promise<void> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(
        `POST ${INBOUND} HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${leadKey}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
        () => setTimeout(() => socket.destroy(), afterMs),
      )
    })
    socket.on('error', () => {}).on('close', () => done())
  })
}

async function sameLead(crowd: Crowd): Promise<void> {
  const answers = await together(1000, (i) => post(urlOf(crowd, i), crowd.leadKey, { ...ANA, externalId: 'one' }))
  const odd = answers
    .filter(({ status }) => status !== 200 && status !== 201)
    .map(({ status, body }) => [status, body.code, body.error])
  expect(odd.slice(0, 3)).toEqual([])
  const counted = (wanted: number) => answers.filter(({ status }) => status === wanted).length
  report(1, `1,000 leads at once with one external id (${crowd.title})`, [
    { what: 'projects', value: new Set(answers.map(({ body }) => body.projectId)).size, exactly: 1 },
    { what: '201', value: counted(201), exactly: 1 },
    { what: '200', value: counted(200), exactly: 999 },
  ])
}

async function numberedLeads(crowd: Crowd): Promise<void> {
  const answers = await together(500, (i) => post(urlOf(crowd, i), crowd.leadKey, { ...ANA, externalId: `l${i}` }))
  const numbers = new Set(answers.map(({ body }) => Number(body.jobNumber)))
  const gaps = Array.from({ length: 500 }, (_, i) => i + 2).filter((wanted) => !numbers.has(wanted))
  report(2, `500 leads at once (${crowd.title})`, [
    { what: '201', value: answers.filter(({ status }) => status === 201).length, exactly: 500 },
    { what: 'different job numbers', value: numbers.size, exactly: 500 },
    { what: 'gaps', value: gaps.length, exactly: 0 },
  ])
}

const DROPPED = 60

async function droppedLeads(crowd: Crowd): Promise<void> {
  const bodyOf = (i: number) => JSON.stringify({ ...ANA, email: `dropped${i}@example.com`, externalId: `dropped-${i}` })
  const since = new Date().toISOString()
  await together(DROPPED, (i) => drop(crowd.servers[0]?.port ?? 0, crowd.leadKey, bodyOf(i), i % 12))
  const again = await together(DROPPED, (i) => post(urlOf(crowd, i), crowd.leadKey, bodyOf(i)))
  const ids = new Set(again.map(({ body }) => body.projectId))
  const { body } = await get(
    { url: urlOf(crowd, 0), key: crowd.key },
    `/api/v1/projects?limit=100&updatedAfter=${since}`,
  )
  expect(body.items.filter(({ id }: { id: string }) => !ids.has(id))).toEqual([])
  report(2, `${DROPPED} leads on dropped connections, sent again (${crowd.title})`, [
    { what: 'taken', value: again.filter(({ status }) => [200, 201].includes(status)).length, exactly: DROPPED },
    { what: 'projects', value: body.items.length, exactly: DROPPED },
  ])
}

for (const driver of ['pglite', 'pg'] as const)
  test(`${driver}: a crowd of leads is one project for each, numbered without gaps, also when connections drop`, async () => {
    test.skip(driver === 'pg' && process.env.PLUMBLINE_WITHOUT_POSTGRES === '1', 'no Postgres was found')
    await withServers(driver, async (crowd) => {
      await sameLead(crowd)
      await numberedLeads(crowd)
      await droppedLeads(crowd)
    })
  })
