import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { UPLOAD } from '@/lib/core/uploads'
import { takeUpload } from './upload'

async function* bytes(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text)
}

async function* endless(total: number) {
  const chunk = Buffer.alloc(4 * 1024 * 1024, 'x')
  for (let sent = 0; sent < total; sent += chunk.length) yield chunk
}

test('an upload lies in a folder of its own until it is released, its lines counted across chunks', async () => {
  const upload = await takeUpload('con_a', 'customers.csv', bytes('Customer ID,Na', 'me\nC1,Ana\n', 'C2,Ben'))
  expect(upload.lines).toBe(3)
  expect(readFileSync(join(upload.folder, 'customers.csv'), 'utf8')).toBe('Customer ID,Name\nC1,Ana\nC2,Ben')
  await upload.release()
  expect(existsSync(upload.folder)).toBe(false)
})

test('one load at a time for a contractor, beside those of others; after it the next', async () => {
  const first = await takeUpload('con_a', 'customers.csv', bytes('a'))
  await expect(takeUpload('con_a', 'projects.csv', bytes('b'))).rejects.toMatchObject({ code: 'rate_limited' })
  const other = await takeUpload('con_b', 'customers.csv', bytes('c'))
  await first.release()
  const next = await takeUpload('con_a', 'projects.csv', bytes('b'))
  await Promise.all([next.release(), other.release()])
})

test('beyond the cap it is refused, and the next is taken', async () => {
  await expect(takeUpload('con_a', 'customers.csv', endless(UPLOAD.maxBytes + 1))).rejects.toMatchObject({
    code: 'payload_too_large',
  })
  await (await takeUpload('con_a', 'customers.csv', bytes('a'))).release()
})
