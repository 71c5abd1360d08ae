import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Race, writeStaleLock } from '@/lib/testing/lock-race'
import { collectLog } from '@/lib/testing/log'
import { DirectoryLocked, lockHolder, thisHolder } from './holder'
import { acquireLock } from './lock'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'plumbline-lock-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

const path = () => join(directory, 'lock.json')
const leaveName = (holder: object) => writeFileSync(path(), JSON.stringify(holder))

test('when several processes start at once after a crash, one gets the lock', async () => {
  const race = await Race.of(4)
  try {
    for (let round = 0; round < 8; round++) expect(await race.afterCrash()).toBe(1)
    expect(await race.afterKill()).toBe(1)
  } finally {
    race.end()
  }
}, 120_000)

test('a directory is locked until it is released; the error names the holder, and only its owner can read the lock file', async () => {
  writeStaleLock(directory)
  expect(lockHolder(directory)).toBeUndefined()
  const lock = await acquireLock(directory)
  lock.publish({ port: 1, token: 'a-token' })
  await expect(acquireLock(directory)).rejects.toThrow(`in use by process ${process.pid} (`)
  expect(lockHolder(directory)?.control).toEqual({ port: 1, token: 'a-token' })
  lock.release()
  expect(lockHolder(directory)).toBeUndefined()
  ;(await acquireLock(directory)).release()
})

test('the lock of a running older version without the file lock is respected', async () => {
  const { machine: _, host: __, ...older } = thisHolder()
  leaveName(older)
  await expect(acquireLock(directory)).rejects.toThrow(DirectoryLocked)
})

test('a lock from another machine is respected while its heartbeat continues, and taken over when it stops', async () => {
  const log = collectLog('warn')
  const elsewhere = { ...thisHolder(), pid: 1, host: 'elsewhere', machine: 'another-boot' }
  leaveName(elsewhere)
  let beats = 0
  const beating = setInterval(() => utimesSync(path(), 1_000 + beats, 1_000 + beats++), 500)
  await expect(acquireLock(directory)).rejects.toThrow('in use by process 1 on elsewhere')
  clearInterval(beating)
  const lock = await acquireLock(directory)
  expect(lockHolder(directory)?.pid).toBe(process.pid)
  lock.release()
  log.end()
  expect(log.text()).toContain('Watching 10 s for a sign of life')
})

test('a holder keeps its heartbeat, and rewrites its name when it was removed', async () => {
  const lock = await acquireLock(directory)
  rmSync(path())
  await vi.waitFor(() => expect(JSON.parse(readFileSync(path(), 'utf8')).pid).toBe(process.pid), 20_000)
  utimesSync(path(), 1, 1)
  await vi.waitFor(() => expect(Date.now() - mtime()).toBeLessThan(60_000), 20_000)
  lock.release()
})

test('a holder whose lock another machine took over exits', async () => {
  const racer = spawn(process.execPath, ['--import', 'tsx', '-e', HOLD], { env: { ...process.env, HELD: directory } })
  let said = ''
  racer.stderr.on('data', (chunk) => {
    said += chunk
  })
  await once(racer.stdout, 'data')
  leaveName({ ...thisHolder(), host: 'elsewhere', machine: 'another-boot' })
  expect((await once(racer, 'exit'))[0]).toBe(1)
  expect(said).toContain('was taken over by process')
})

const HOLD = `import('./db/drivers/lock.ts').then(async ({ acquireLock }) => {
  await acquireLock(process.env.HELD)
  console.log('held')
  setInterval(() => {}, 1000)
})`
const mtime = () => statSync(path()).mtimeMs
