import { createHmac, generateKeyPairSync } from 'node:crypto'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'
import { sql } from 'drizzle-orm'
import ssh2, { type KexAlgorithm } from 'ssh2'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows } from '@/db/client'
import { changeSource as change } from '@/db/queries/sources'
import type { Env } from '@/lib/core/env'
import { listenOnFreePort } from '@/lib/core/listen'
import { shared } from '@/lib/core/shared'
import { MAIL_PATH } from '@/lib/core/uploads'
import { sealSourceSecret } from '@/lib/load/fetch/secrets'
import { here, inside, makeOffice } from '@/lib/testing/file-sources'
import { openPeopleDatabase } from '@/lib/testing/people'
import { keyWithRounds, lockedKey } from '@/lib/testing/private-keys'
import { call } from '@/lib/testing/tenant'
import { execute } from '../execute'
import { getRefusedRows, loadDraft } from '../loads/draft'
import { changeSource, pauseSource } from './change-source'
import { listSources } from './list-sources'

const CUSTOMERS = 'Customer ID,Name\nC-1,Ana Hill\nC-2,Ben Ray\nC-3,Cy Fox\n'
const root = mkdtempSync(join(tmpdir(), 'plumbline-watched-'))

let db: Database
beforeAll(async () => {
  process.env.SOURCES_FOLDER = root
  db = await openPeopleDatabase()
})
afterAll(async () => {
  rmSync(root, { recursive: true })
  await db.close()
})

type Office = Awaited<ReturnType<typeof makeOffice>>

/** Makes the folder of a contractor, and writes files that stand still. */
function folderOf({ contractor: { slug } }: Office, path = '') {
  const place = join(root, slug, path)
  mkdirSync(place, { recursive: true })
  return {
    place,
    write: (name: string, text: string, ageS = 60) => {
      writeFileSync(join(place, name), text)
      const at = Date.now() / 1000 - ageS
      utimesSync(join(place, name), at, at)
    },
    list: (below = '') => readdirSync(join(place, below)).sort(),
  }
}

const again = (office: Office, id: string) => change(db.orm, office.contractor.id, id, { nextAt: new Date() })

test('a watched folder: files are taken in their order, moved to done or failed, and refused rows lie beside them', async () => {
  const office = await makeOffice(db)
  const folder = folderOf(office, 'exports')
  const { id } = await office.create({ kind: 'folder', name: 'Exports', path: 'exports' })
  folder.write('customers.csv', CUSTOMERS.replace('C-3,Cy Fox', 'C-3,'), 120)
  folder.write('customers tomorrow.csv', CUSTOMERS.replace('Ben Ray', 'Ben Rayes'), 60)
  folder.write('notes.docx', 'x')
  expect(await office.run()).toEqual({ runs: 2 })
  expect((await office.runs(id)).map(({ outcome, files, refused }) => [outcome, files, refused])).toEqual([
    ['loaded', ['customers tomorrow.csv'], 0],
    ['partial', ['customers.csv'], 1],
  ])
  expect([folder.list(), folder.list('done'), folder.list('failed')]).toEqual([
    ['done', 'failed', 'notes.docx'],
    ['customers tomorrow.csv', 'customers.csv'],
    ['customers.csv.refused.csv'],
  ])
  expect(readFileSync(join(folder.place, 'failed/customers.csv.refused.csv'), 'utf8')).toContain('Refused because')
  const [, partial] = await office.runs(id)
  const draft = partial?.draft ?? ''
  expect((await execute(getRefusedRows, office.ctx(), { draft, file: 'customers.csv' })).csv).toContain('C-3')
  folder.write('strange.csv', 'Ref,Crew,Memo\n1,x,y\n')
  await again(office, id)
  await office.run()
  expect((await office.runs(id))[0]).toMatchObject({
    outcome: 'failed',
    error: expect.stringContaining('nobody has mapped'),
  })
  expect(folder.list('failed')).toContain('strange.csv')
  // Nothing waits there now, but the last load failed, and that stays said.
  await again(office, id)
  await office.run()
  expect((await execute(listSources, office.ctx(), {})).items[0]?.health).toBe('failing')
})

test('a watched folder leads nowhere else: no `..`, no links in it, none on the way, and no other contractor’s', async () => {
  const [office, other] = [await makeOffice(db), await makeOffice(db)]
  for (const path of ['../x', '/etc', 'a/../../b', '.hidden', 'a\\..\\b'])
    await expect(office.create({ kind: 'folder', name: 'Exports', path }), path).rejects.toMatchObject({
      code: 'bad_request',
    })
  const theirs = folderOf(other)
  theirs.write('customers.csv', CUSTOMERS)
  const mine = folderOf(office)
  symlinkSync(theirs.place, join(mine.place, 'link'))
  symlinkSync(join(theirs.place, 'customers.csv'), join(mine.place, 'customers.csv'))
  symlinkSync('/etc/passwd', join(mine.place, 'passwd.csv'))
  const linked = await office.create({ kind: 'folder', name: 'Linked', path: 'link' })
  const plain = await office.create({ kind: 'folder', name: 'Plain' })
  await office.run()
  expect((await office.runs(linked.id))[0]?.error).toContain('leads out of the contractor’s folder')
  expect((await office.runs(plain.id))[0]).toMatchObject({ outcome: 'unchanged', files: [] })
  // `done` is no way out either.
  symlinkSync(theirs.place, join(mine.place, 'done'))
  rmSync(join(mine.place, 'customers.csv'))
  mine.write('customers.csv', CUSTOMERS)
  await again(office, plain.id)
  await office.run()
  expect(theirs.list()).toEqual(['customers.csv'])
})

test('a file that is still being written waits; on a server without the setting folders are refused', async () => {
  const office = await makeOffice(db)
  const folder = folderOf(office)
  const { id } = await office.create({ kind: 'folder', name: 'Exports' })
  folder.write('customers.csv', 'Customer ID,Name\nC-1,Ana\n')
  let size = 0
  const growing = setInterval(() => folder.write('customers.csv', `${CUSTOMERS}${'\n'.repeat(++size)}`), 20)
  await office.run({ ...here(), stillMs: 500 })
  clearInterval(growing)
  folder.write('customers.csv', CUSTOMERS)
  expect((await office.runs(id))[0]).toMatchObject({ outcome: 'unchanged', files: [] })
  await again(office, id)
  await office.run()
  expect((await office.runs(id))[0]).toMatchObject({ outcome: 'loaded', added: 3 })
  const settings = shared<Env>('settings', () => {
    throw new Error('the settings are there')
  })()
  Object.assign(settings, { vercel: 'production' })
  await expect(office.create({ kind: 'folder', name: 'Exports' })).rejects.toThrow('watches no folders')
  Object.assign(settings, { vercel: undefined })
})

const { utils, Server: SshServer } = ssh2

/** An SFTP server with files in memory, behind `sftp.example.com`. */
async function serveSftp(
  files: Map<string, { text: Buffer; mtime: number }>,
  hostKey: string,
  { publicKey, kex }: { publicKey?: string; kex?: KexAlgorithm } = {},
) {
  const reads: string[] = []
  const allowed = publicKey === undefined ? undefined : utils.parseKey(publicKey)
  const algorithms = kex === undefined ? {} : { algorithms: { kex: [kex] } }
  const server = new SshServer({ hostKeys: [hostKey], ...algorithms }, (client) => {
    client.on('error', () => {})
    client.on('authentication', (auth) => {
      if (auth.method === 'publickey' && allowed && !(allowed instanceof Error)) {
        const { key, signature, blob, hashAlgo } = auth
        const isRight = key.data.equals(allowed.getPublicSSH())
        if (isRight && (!signature || !blob || allowed.verify(blob, signature, hashAlgo))) auth.accept()
        else auth.reject(['publickey'])
      } else if (auth.method === 'password' && auth.username === 'office' && auth.password === 'right') auth.accept()
      else auth.reject(['password', 'publickey'])
    })
    client.on('ready', () =>
      client.on('session', (accept) =>
        accept().on('sftp', (open) => {
          const sftp = open()
          const { STATUS_CODE: code } = utils.sftp
          const handles = new Map<number, { name?: string; isListed?: boolean }>()
          let last = 0
          const newHandle = (of: { name?: string }) => {
            handles.set(++last, of)
            const handle = Buffer.alloc(4)
            handle.writeUInt32BE(last)
            return handle
          }
          const attrs = (name: string) => {
            const { text, mtime } = files.get(name) ?? { text: Buffer.alloc(0), mtime: 0 }
            return { mode: 0o100644, uid: 0, gid: 0, size: text.length, atime: mtime, mtime }
          }
          const nameOf = (path: string) => path.split('/').at(-1) ?? ''
          sftp.on('OPENDIR', (id) => sftp.handle(id, newHandle({})))
          sftp.on('READDIR', (id, handle) => {
            const of = handles.get(handle.readUInt32BE())
            if (!of || of.isListed) return sftp.status(id, code.EOF)
            of.isListed = true
            const entries = [...files.keys()].map((filename) => ({
              filename,
              longname: filename,
              attrs: attrs(filename),
            }))
            entries.push({ filename: '../../evil.csv', longname: 'x', attrs: attrs('customers.csv') })
            entries.push({ filename: 'link.csv', longname: 'x', attrs: { ...attrs('customers.csv'), mode: 0o120777 } })
            sftp.name(id, entries)
          })
          sftp.on('LSTAT', (id, path) => sftp.attrs(id, attrs(nameOf(path))))
          sftp.on('STAT', (id, path) => sftp.attrs(id, attrs(nameOf(path))))
          sftp.on('FSTAT', (id, handle) => sftp.attrs(id, attrs(handles.get(handle.readUInt32BE())?.name ?? '')))
          sftp.on('OPEN', (id, path) => {
            reads.push(nameOf(path))
            sftp.handle(id, newHandle({ name: nameOf(path) }))
          })
          sftp.on('READ', (id, handle, offset, length) => {
            const text = files.get(handles.get(handle.readUInt32BE())?.name ?? '')?.text ?? Buffer.alloc(0)
            if (offset >= text.length) sftp.status(id, code.EOF)
            else sftp.data(id, text.subarray(offset, offset + length))
          })
          sftp.on('CLOSE', (id) => sftp.status(id, code.OK))
        }),
      ),
    )
  })
  const port = await listenOnFreePort(server)
  return { port, reads, close: () => server.close() }
}

const newHostKey = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
  }).privateKey

/** The public part of a private key in PEM. */
function pemPublic(pem: string): string {
  const key = utils.parseKey(pem)
  if (key instanceof Error) throw key
  return `${key.type} ${key.getPublicSSH().toString('base64')}`
}

test('SFTP: new files are loaded once, the host key is pinned, another one is refused until it is accepted', async () => {
  const office = await makeOffice(db)
  const files = new Map([['customers.csv', { text: Buffer.from(CUSTOMERS), mtime: 1_700_000_000 }]])
  const first = await serveSftp(files, newHostKey())
  const given = {
    kind: 'sftp',
    name: 'Server',
    host: 'sftp.example.com',
    port: first.port,
    user: 'office',
    path: '/out',
  } as const
  const { id, settings, hasSecret } = await office.create({ ...given, password: 'right' })
  expect([settings.password, hasSecret]).toEqual([undefined, true])
  await office.run()
  expect((await office.runs(id))[0]).toMatchObject({ outcome: 'loaded', added: 3, files: ['customers.csv'] })
  const pinned = (await execute(listSources, office.ctx(), {})).items[0]?.settings.hostKey
  expect(pinned).toMatch(/^SHA256:[\w+/]{43}$/)
  await again(office, id)
  await office.run()
  // The same size and time is not read again; another time with the same bytes is read and not loaded.
  files.set('customers.csv', { text: Buffer.from(CUSTOMERS), mtime: 1_700_000_100 })
  await again(office, id)
  await office.run()
  expect([first.reads, (await office.runs(id)).map(({ outcome }) => outcome)]).toEqual([
    ['customers.csv', 'customers.csv'],
    ['unchanged', 'unchanged', 'loaded'],
  ])
  first.close()
  const second = await serveSftp(files, newHostKey())
  await execute(changeSource, office.ctx(), { id, name: 'Server' })
  await change(db.orm, office.contractor.id, id, {
    settings: { ...given, kind: '', port: String(second.port), hostKey: pinned ?? '' },
  })
  await again(office, id)
  await office.run()
  expect((await office.runs(id))[0]?.error).toMatch(/shows another host key than before: SHA256:.*Nothing was sent/)
  await execute(changeSource, office.ctx(), { id, newHostKey: true })
  await office.run()
  expect((await office.runs(id))[0]?.outcome).toBe('unchanged')
  // The password goes to the server it was entered for.
  await expect(execute(changeSource, office.ctx(), { id, host: 'sftp.example.org' })).rejects.toMatchObject({
    fields: [{ field: 'password', message: expect.stringContaining('needed again') }],
  })
  await execute(changeSource, office.ctx(), { id, password: 'wrong' })
  await again(office, id)
  await office.run()
  expect((await office.runs(id))[0]?.error).toContain('refused to sign in')
  second.close()
})

const sftpSource = (port: number) =>
  ({ kind: 'sftp', name: 'Server', host: 'sftp.example.com', port, user: 'office', path: '/out' }) as const

const customersFile = () => new Map([['customers.csv', { text: Buffer.from(CUSTOMERS), mtime: 1_700_000_000 }]])

test.each([
  ['Ed25519, with a passphrase', lockedKey(16)],
  ['RSA', utils.generateKeyPairSync('rsa', { bits: 2048 })],
  [
    'ECDSA, with a passphrase',
    utils.generateKeyPairSync('ecdsa', { bits: 256, passphrase: 'p', cipher: 'aes256-ctr', rounds: 4 }),
  ],
  ['PEM', { private: newHostKey() }],
])('SFTP: a private key signs in: %s', async (_, pair) => {
  const office = await makeOffice(db)
  const publicKey = 'public' in pair ? pair.public : pemPublic(pair.private)
  const server = await serveSftp(customersFile(), newHostKey(), { publicKey })
  const { id } = await office.create({ ...sftpSource(server.port), privateKey: pair.private, passphrase: 'p' })
  await office.run()
  expect((await office.runs(id))[0]).toMatchObject({ outcome: 'loaded', added: 3 })
  server.close()
})

test('SFTP: a private key that asks for too much work is refused when it is saved, and one that is stored is not tried', async () => {
  const office = await makeOffice(db)
  const server = await serveSftp(customersFile(), newHostKey())
  const source = sftpSource(server.port)
  const key = { privateKey: keyWithRounds(4_000_000_000), passphrase: 'p' }
  const words = expect.stringMatching(
    /asks for 4,000,000,000 rounds of work to be opened; at most 100 are done.*ssh-keygen/,
  )
  const refused = { code: 'bad_request', fields: [{ field: 'privateKey', message: words }] }
  await expect(office.create({ ...source, ...key })).rejects.toMatchObject(refused)
  const { id } = await office.create({ ...source, password: 'right' })
  await expect(execute(changeSource, office.ctx(), { id, ...key })).rejects.toMatchObject(refused)
  await change(db.orm, office.contractor.id, id, { secret: sealSourceSecret(key) })
  await office.run()
  expect((await office.runs(id))[0]).toMatchObject({ outcome: 'failed', error: words })
  await execute(changeSource, office.ctx(), { id, privateKey: keyWithRounds(4), passphrase: 'wrong' })
  await office.run()
  expect((await office.runs(id))[0]?.error).toMatch(/private key cannot be read.*passphrase/)
  server.close()
})

test('SFTP: a server that names the group for the exchange of keys is refused, because it would name the work too', async () => {
  const office = await makeOffice(db)
  const server = await serveSftp(customersFile(), newHostKey(), { kex: 'diffie-hellman-group-exchange-sha256' })
  const { id } = await office.create({ ...sftpSource(server.port), password: 'right' })
  await office.run()
  expect((await office.runs(id))[0]?.error).toMatch(/knows no way of exchanging keys.*curve25519-sha256/)
  server.close()
})

test('SFTP leads to the public internet only', async () => {
  const office = await makeOffice(db)
  for (const host of [
    '127.0.0.1',
    'localhost.',
    '168.63.129.16',
    '::127.0.0.1',
    'db.internal',
    'a b',
    'x/y.example.com',
  ])
    await expect(
      office.create({ kind: 'sftp', name: 'S', host, user: 'u', password: 'p' }),
      host,
    ).rejects.toMatchObject({ code: 'bad_request' })
  const server = { kind: 'sftp', name: 'S', host: 'sftp.example.com', user: 'u', password: 'p' } as const
  await expect(office.create({ ...server, port: 25 })).rejects.toMatchObject({ fields: [{ field: 'port' }] })
  const { id } = await office.create(server)
  await office.run(inside())
  expect((await office.runs(id))[0]?.error).toContain('not an address on the public internet')
})

const attachment = (name: string, text: string) => ({
  Name: name,
  Content: Buffer.from(text).toString('base64'),
  ContentType: 'text/csv',
})
const SIGNING_KEY = 'the signing key of a test'
const MAILS = {
  postmark: (id: string, from: string, files: [string, string][]) => ({
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      FromFull: { Email: from, Name: 'Ana' },
      From: from,
      MessageID: id,
      Attachments: files.map(([name, text]) => attachment(name, text)),
    }),
  }),
  sendgrid: (id: string, from: string, files: [string, string][]) =>
    multipart(
      {
        from: `Ana <${from}>`,
        headers: `Received: x\nMessage-ID: <${id}>\nTo: y`,
        envelope: '{}',
        attachments: String(files.length),
      },
      files,
    ),
  mailgun: (id: string, from: string, files: [string, string][], key = SIGNING_KEY, at = Date.now()) => {
    const [timestamp, token] = [String(Math.floor(at / 1000)), `token-${id}`]
    const signature = createHmac('sha256', key)
      .update(timestamp + token)
      .digest('hex')
    return multipart(
      { sender: from, from: `Ana <${from}>`, 'Message-Id': `<${id}>`, timestamp, token, signature },
      files,
    )
  },
}

function multipart(fields: Record<string, string>, files: [string, string][]) {
  const boundary = 'xYzZy'
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const sent = files.map(
    ([name, text], i) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="attachment-${i + 1}"; filename="${name}"\r\nContent-Type: text/csv\r\n\r\n${text}\r\n`,
  )
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: `${[...parts, ...sent].join('')}--${boundary}--\r\n`,
  }
}

test.each(['postmark', 'sendgrid', 'mailgun'] as const)(
  'a mail by %s is loaded once; strangers, wrong URLs and mails without a file are not',
  async (provider) => {
    const office = await makeOffice(db)
    const signed = provider === 'mailgun' ? { signingKey: SIGNING_KEY } : {}
    const made = await office.create({ kind: 'mail', name: 'Mails', provider, senders: '@example.com', ...signed })
    const path = new URL(made.url ?? '').pathname
    expect([path.startsWith(MAIL_PATH), JSON.stringify((await execute(listSources, office.ctx(), {})).items)]).toEqual([
      true,
      expect.not.stringContaining(path.slice(MAIL_PATH.length)),
    ])
    const post = async (to: string, mail: { headers: Record<string, string>; body: string }) => {
      const { status, body } = await call(to, { method: 'POST', ...mail })
      return [status, body.outcome ?? body.code]
    }
    const good = MAILS[provider]('m1', 'ana@example.com', [
      ['../../customers.csv', CUSTOMERS],
      ['logo.png', 'x'],
    ])
    expect(await post(path, good)).toEqual([200, 'held'])
    expect(await post(path, good)).toEqual([200, 'duplicate'])
    await office.run()
    expect((await office.runs(made.id))[0]).toMatchObject({ outcome: 'loaded', added: 3, files: ['customers.csv'] })
    expect(await post(path, good)).toEqual([200, 'duplicate'])
    expect(await post(path, MAILS[provider]('m2', 'eve@elsewhere.com', [['customers.csv', CUSTOMERS]]))).toEqual([
      200,
      'ignored',
    ])
    expect(await post(path, MAILS[provider]('m3', 'ana@example.com', [['report.pdf', 'x']]))).toEqual([200, 'unusable'])
    expect((await office.runs(made.id))[0]).toMatchObject({
      outcome: 'failed',
      error: expect.stringContaining('only report.pdf'),
    })
    expect(await post(`${MAIL_PATH}${'x'.repeat(32)}`, good)).toEqual([401, 'unauthorized'])
    expect(await post(path, { ...good, body: `${good.body}${'x'.repeat(10 * 1024 * 1024)}` })).toEqual([
      413,
      'payload_too_large',
    ])
    expect((await post(path, { headers: good.headers, body: 'nothing of the kind' }))[0]).toBe(400)
    const renewed = await execute(changeSource, office.ctx(), { id: made.id, newUrl: true })
    expect(await post(path, good)).toEqual([401, 'unauthorized'])
    expect(await post(new URL(renewed.url ?? '').pathname, good)).toEqual([200, 'duplicate'])
  },
)

test('files with questions stay where they are: in the watched folder, and as the mail that waits; answered there, they are loaded', async () => {
  const office = await makeOffice(db)
  const folder = folderOf(office)
  const days = 'Customer ID,Name,Created\nC-1,Ana,03/25/2026\nC-2,Ben,25/03/2026\n'
  folder.write('customers.csv', days)
  const watched = await office.create({ kind: 'folder', name: 'Exports', path: '' })
  await office.run()
  const [run] = await office.runs(watched.id)
  expect([run?.error, folder.list()]).toEqual([expect.stringContaining('Which comes first'), ['customers.csv']])
  const mails = await office.create({
    kind: 'mail',
    name: 'Mails',
    provider: 'postmark',
    senders: '@example.com',
  })
  const mail = MAILS.postmark('q1', 'ana@example.com', [['customers.csv', days]])
  await call(new URL(mails.url ?? '').pathname, { method: 'POST', ...mail })
  await office.run()
  const draft = (await office.runs(mails.id))[0]?.draft ?? ''
  const report = await execute(loadDraft, office.ctx(), { draft, answers: { dates: 'mdy' } })
  expect(report.files).toMatchObject([{ file: 'customers.csv', rows: 2 }])
  for (const { id } of [watched, mails]) await again(office, id)
  await office.run()
  expect([(await office.runs(watched.id))[0]?.error, folder.list('done')]).toEqual([null, ['customers.csv']])
})

test('a mail whose load ended the process three times pauses its source; resumed, the source goes on without it', async () => {
  const office = await makeOffice(db)
  const made = await office.create({ kind: 'mail', name: 'Mails', provider: 'postmark', senders: '@example.com' })
  const path = new URL(made.url ?? '').pathname
  const pill: [string, string] = ['customers.csv', CUSTOMERS]
  const good: [string, string] = ['customers.csv', 'Customer ID,Name\nC-9,Ben\n']
  for (const [id, file] of [
    ['m1', pill],
    ['m2', good],
  ] as const)
    expect((await call(path, { method: 'POST', ...MAILS.postmark(id, 'ana@example.com', [file]) })).body.outcome).toBe(
      'held',
    )
  await db.orm.execute(
    sql`insert into work_in_hand (kind, subject, times, is_open, begun_at) values ('source', ${made.id}, 3, true, now())`,
  )
  await office.run()
  const [paused] = (await execute(listSources, office.ctx(), {})).items
  expect(paused).toMatchObject({ state: 'paused', pausedReason: 'stopped' })
  const names = async () =>
    (
      await rows<{ name: string }>(db.orm, sql`select name from users where contractor_id = ${office.contractor.id}`)
    ).map(({ name }) => name)
  expect(await names()).toEqual([])
  await execute(pauseSource, office.ctx(), { id: made.id, paused: false })
  await office.run()
  expect((await office.runs(made.id))[0]).toMatchObject({ outcome: 'loaded', added: 1 })
  expect(await names()).toEqual(['Ben'])
})

test('a mail of Mailgun must be signed, not long ago, and its token counts once with whatever body', async () => {
  const office = await makeOffice(db)
  const made = await office.create({
    kind: 'mail',
    name: 'Mails',
    provider: 'mailgun',
    senders: 'ana@example.com',
    signingKey: SIGNING_KEY,
  })
  const path = new URL(made.url ?? '').pathname
  const files: [string, string][] = [['customers.csv', CUSTOMERS]]
  const status = async (mail: { headers: Record<string, string>; body: string }) =>
    (await call(path, { method: 'POST', ...mail })).status
  expect(await status(MAILS.mailgun('m1', 'ana@example.com', files, 'another key'))).toBe(401)
  expect(await status(MAILS.mailgun('m1', 'ana@example.com', files, SIGNING_KEY, Date.now() - 2 * 86_400_000))).toBe(
    401,
  )
  const good = MAILS.mailgun('m1', 'ana@example.com', files)
  expect(await status(good)).toBe(200)
  const changed = { ...good, body: good.body.replace('Ana Hill', 'Eve Hill').replace('<m1>', '<m2>') }
  expect((await call(path, { method: 'POST', ...changed })).body.outcome).toBe('duplicate')
})

/** A workbook of a few hundred kilobytes whose sheet inflates to a hundred megabytes. */
function bomb(): Buffer {
  const head = ['Customer ID', 'Name'].map((name) => `<c t="inlineStr"><is><t>${name}</t></is></c>`).join('')
  const sheet = `<worksheet><sheetData><row>${head}</row><row><c t="inlineStr"><is><t>${'x'.repeat(100_000_000)}</t></is></c></row></sheetData></worksheet>`
  const parts = {
    'xl/workbook.xml': '<workbook><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/worksheets/sheet1.xml': sheet,
  }
  const locals: Buffer[] = []
  const entries: Buffer[] = []
  let at = 0
  for (const [name, content] of Object.entries(parts)) {
    const [bytes, path] = [Buffer.from(content), Buffer.from(name)]
    const packed = deflateRawSync(bytes)
    const meta = Buffer.alloc(26)
    meta.writeUInt16LE(20, 0)
    meta.writeUInt16LE(8, 4)
    meta.writeUInt32LE(crc32(bytes), 10)
    meta.writeUInt32LE(packed.length, 14)
    meta.writeUInt32LE(bytes.length, 18)
    meta.writeUInt16LE(path.length, 22)
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), meta, path, packed])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(at, 10)
    entries.push(Buffer.concat([Buffer.from('PK\u0001\u0002'), Buffer.from([20, 0]), meta, tail, path]))
    locals.push(local)
    at += local.length
  }
  const central = Buffer.concat(entries)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(entries.length, 4)
  end.writeUInt16LE(entries.length, 6)
  end.writeUInt32LE(central.length, 8)
  end.writeUInt32LE(at, 12)
  return Buffer.concat([...locals, central, Buffer.from('PK\u0005\u0006'), end])
}

test('a workbook that inflates to more than a sheet can be is a failed run', async () => {
  const office = await makeOffice(db)
  const made = await office.create({ kind: 'mail', name: 'Mails', provider: 'postmark', senders: '@example.com' })
  const mail = MAILS.postmark('m1', 'ana@example.com', [])
  const body = JSON.stringify({
    ...JSON.parse(mail.body),
    Attachments: [{ Name: 'customers.xlsx', Content: bomb().toString('base64') }],
  })
  expect(
    (await call(new URL(made.url ?? '').pathname, { method: 'POST', headers: mail.headers, body })).body.outcome,
  ).toBe('held')
  await office.run()
  expect((await office.runs(made.id))[0]).toMatchObject({
    outcome: 'failed',
    error: expect.stringMatching(/^customers\.xlsx: .*(inflates|large|long)/),
  })
})

test('a mail of more values than any has is refused before it is parsed', async () => {
  const office = await makeOffice(db)
  const made = await office.create({ kind: 'mail', name: 'Mails', provider: 'postmark', senders: '@example.com' })
  const mail = MAILS.postmark('m1', 'ana@example.com', [])
  const body = `{"From":"ana@example.com","Headers":[${'{},'.repeat(200_000)}{}]}`
  const { status, body: answer } = await call(new URL(made.url ?? '').pathname, {
    method: 'POST',
    headers: mail.headers,
    body,
  })
  expect([status, JSON.stringify(answer)]).toEqual([400, expect.stringContaining('more values than a mail')])
})
