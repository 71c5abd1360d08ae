import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, shareDatabase } from '@/db/client'
import { putMember } from '@/db/queries/members'
import { createPerson } from '@/lib/auth/people/create-person'
import { openTestDatabase } from '@/lib/testing/database'
import { call, makeTenant } from '@/lib/testing/tenant'
import type { Io } from './io'
import { runCommand } from './run'

let db: Database
beforeAll(async () => {
  process.env.BETTER_AUTH_SECRET = 'another-secret-for-tests-of-enough-characters'
  process.env.SOURCES_FOLDER = '/nowhere/at/all'
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

/** Clears the screen, sets the window's title, overwrites a line, and turns what follows around. */
const EVIL = '\u001b[2J\u001b]0;owned\u0007\u009b31m\rover\u202eesrever'
const OBEYED = /(?![\n\t])\p{Cc}|\p{Bidi_Control}/u

async function printed(...argv: string[]) {
  let text = ''
  const write = (more: string) => {
    text += more
  }
  const io: Io = { out: write, err: write, cwd: '/' }
  await runCommand(argv, io)
  return text
}

test('untrusted text cannot control a terminal: leads, people, errors, as text and as JSON', async () => {
  const { contractor, key } = await makeTenant(db, `Test ${EVIL} Roofing`)
  const { text: secret } = await key(['write:leads'])
  const headers = { 'content-type': 'application/json' }
  const lead = { firstName: 'Ana', lastName: EVIL, email: 'ana@example.com', notes: EVIL }
  for (const body of [JSON.stringify(lead), `{"firstName":"${EVIL}"`])
    await call('/api/webhooks/leads/inbound', { key: secret, method: 'POST', headers, body })
  const personId = await createPerson({
    email: 'eve@example.com',
    name: `Eve${EVIL}\nforged  admin`,
    password: 'a long enough password',
    confirmed: true,
  })
  await putMember(db.orm, { contractorId: contractor.id, personId, role: 'viewer' })
  const of = ['--contractor', contractor.id]
  const ids: { id: string }[] = JSON.parse(await printed('leads', 'list', ...of, '--json'))
  expect(ids).toHaveLength(2)
  const commands = [
    ['leads', 'list', ...of],
    ['admin', 'list', ...of],
    ['contractors', 'list'],
    ['leads', 'show', EVIL],
    ...ids.flatMap(({ id }) => [
      ['leads', 'show', id],
      ['leads', 'replay', id],
    ]),
  ]
  for (const command of commands)
    for (const argv of [command, [...command, '--json']])
      expect(await printed(...argv), argv.join(' ')).not.toMatch(OBEYED)
  const table = await printed('admin', 'list', ...of)
  expect(table.split('\n')).toHaveLength(3)
  const [eve] = JSON.parse(await printed('admin', 'list', ...of, '--json'))
  expect(eve.name).toContain('\u202e')
})

test('load ends with code 1 when every row of a file was refused, and with 0 when some were taken', async () => {
  const { contractor } = await makeTenant(db)
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-load-'))
  const load = async (customers: string) => {
    writeFileSync(join(folder, 'customers.csv'), customers)
    let text = ''
    const write = (more: string) => {
      text += more
    }
    const code = await runCommand(['load', folder, '--contractor', contractor.id], { out: write, err: write, cwd: '/' })
    return { code, text }
  }
  try {
    const none = await load('Customer ID,Name\n,Ana\n,Bo\n')
    expect(none.text).toContain('Every row was refused: customers.csv')
    expect(none.code).toBe(1)
    expect((await load('Customer ID,Name\nC1,Ana\n,Bo\n')).code).toBe(0)
    expect((await load('Customer ID,Name\n')).code).toBe(0)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('status names a folder of sources that is not there', async () => {
  expect(await printed('status')).toMatch(/^sources +SOURCES_FOLDER: \/nowhere\/at\/all is not there/m)
})
