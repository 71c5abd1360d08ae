import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { UPLOAD } from '@/lib/core/uploads'
import { receiveFile, receiveUpload, sweepUploads } from './receive'

async function* bytes(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text)
}

async function* endless(total: number) {
  const chunk = Buffer.alloc(4 * 1024 * 1024, 'x')
  for (let sent = 0; sent < total; sent += chunk.length) yield chunk
}

test('an upload is kept in its own folder until it is released, and its lines are counted across chunks', async () => {
  const upload = await receiveUpload('con_a', 'customers.csv', bytes('Customer ID,Na', 'me\nC1,Ana\n', 'C2,Ben'))
  expect(upload.lines).toBe(3)
  expect(readFileSync(join(upload.folder, 'customers.csv'), 'utf8')).toBe('Customer ID,Name\nC1,Ana\nC2,Ben')
  await upload.release()
  expect(existsSync(upload.folder)).toBe(false)
})

test('a contractor has one load at a time; other contractors can load meanwhile', async () => {
  const first = await receiveUpload('con_a', 'customers.csv', bytes('a'))
  await expect(receiveUpload('con_a', 'projects.csv', bytes('b'))).rejects.toMatchObject({ code: 'conflict' })
  const other = await receiveUpload('con_b', 'customers.csv', bytes('c'))
  await first.release()
  const next = await receiveUpload('con_a', 'projects.csv', bytes('b'))
  await Promise.all([next.release(), other.release()])
})

test('a process has eight loads at a time; the ninth is told to come again', async () => {
  const taken = await Promise.all(
    Array.from({ length: 8 }, (_, i) => receiveUpload(`con_${i}`, 'customers.csv', bytes('a'))),
  )
  const refused = { code: 'busy', headers: { 'retry-after': '30' } }
  await expect(receiveUpload('con_8', 'customers.csv', bytes('a'))).rejects.toMatchObject(refused)
  await taken.pop()?.release()
  taken.push(await receiveUpload('con_8', 'customers.csv', bytes('a')))
  await Promise.all(taken.map(({ release }) => release()))
})

test('an upload beyond the cap is refused, and the next one is accepted', async () => {
  await expect(receiveUpload('con_a', 'customers.csv', endless(UPLOAD.maxBytes + 1))).rejects.toMatchObject({
    code: 'payload_too_large',
  })
  await (await receiveUpload('con_a', 'customers.csv', bytes('a'))).release()
})

test('files left by a killed process are deleted; those in use and all others stay', async () => {
  const before = process.env.TMPDIR
  const place = mkdtempSync(join(tmpdir(), 'plumbline-sweep-'))
  process.env.TMPDIR = place
  try {
    const upload = await receiveUpload('con_a', 'customers.csv', bytes('a'))
    const { pid } = spawnSync(process.execPath, ['--version'])
    const kept = ['plumbline-upload-ofanolderversion', 'another-folder']
    // As a container that was restarted: the same process id, begun at another time.
    const reused = `plumbline-upload-${process.pid}-1-before`
    for (const name of [...kept, reused, `plumbline-upload-${pid}-killed`, 'plumbline-upload-longago'])
      mkdirSync(join(place, name))
    utimesSync(join(place, 'plumbline-upload-longago'), 1, 1)
    expect(await sweepUploads()).toBe(3)
    expect(readdirSync(place).sort()).toEqual([...kept, basename(upload.folder)].sort())
    await upload.release()
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
    rmSync(place, { recursive: true })
  }
})

test('gzip is counted as it inflates: a bomb is refused at the cap and leaves nothing', async () => {
  async function* bomb() {
    yield gzipSync(Buffer.alloc(64 * 1024 * 1024))
  }
  const left = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`plumbline-upload-${process.pid}-`))
  const receiving = { maxBytes: 1024 * 1024, advice: 'Split it.', encoding: 'gzip' } as const
  await expect(receiveFile('customers.csv', bomb(), receiving)).rejects.toMatchObject({ code: 'payload_too_large' })
  expect(left()).toEqual([])
})
