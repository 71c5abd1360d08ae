import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { env } from '@/lib/core/env'
import { OperatorError } from '@/lib/core/errors'
import { inFolder } from '@/lib/testing/folder'
import { collectLog } from '@/lib/testing/log'
import { listen, logStart, requireFiles } from './start'

let log: ReturnType<typeof collectLog> | undefined
afterEach(() => log?.end())

function lineOf(error: unknown) {
  log = collectLog()
  logStart(error)
  log.end()
  return log.lines()[0]
}

test('what the operator can fix is one sentence without a stack; a fault of ours has one', () => {
  expect(lineOf(new OperatorError('Set DATABASE_URL.'))).toEqual({
    level: 'fatal',
    time: expect.any(String),
    operation: 'start',
    message: 'Set DATABASE_URL.',
  })
  expect(lineOf(new Error('ours'))).toMatchObject({ message: 'ours', error: { stack: expect.any(Array) } })
})

test('too few file descriptors are named, however deep in the error', () => {
  const cause = Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' })
  const line = lineOf(new Error('the database could not be opened', { cause }))
  expect(line.message).toMatch(/may not open enough files. Raise the limit: `ulimit -n/)
  expect(line.error).toBeUndefined()
})

test('a limit of open files that is too low is refused before anything is opened', async () => {
  const tableOf = (most: number) => ({
    limits: `Max processes             94517  94517  processes\nMax open files            ${most}  ${most}  files\n`,
  })
  const refusal = (most: number) =>
    inFolder(tableOf(most), async (folder) => {
      try {
        requireFiles(join(folder, 'limits'))
      } catch (error) {
        return String(error)
      }
    })
  for (const most of [30, 255]) expect(await refusal(most)).toMatch(/This process may not open enough files/)
  expect(await refusal(1_024)).toBeUndefined()
  requireFiles('/nowhere')
})

test.each([
  ['nowhere.invalid', /^This machine finds no address of the host nowhere.invalid. Set HOST/],
  ['192.0.2.1', /^This machine has no address 192.0.2.1. Set HOST/],
])('HOST=%s is refused by name', async (host, words) => {
  await expect(listen(createServer(), { ...env(), host, port: 0 }, 'npm start')).rejects.toThrow(words)
})
